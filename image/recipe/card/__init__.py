"""The card: root file system, boot partition, initramfs, and the disk with all of them."""
