"""SD cards for terminals: provisioning files, images, readers."""
