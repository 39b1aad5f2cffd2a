"""The card: root file system, boot partition, first root of a booting machine, the disk of all of them."""
