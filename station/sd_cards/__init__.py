"""SD cards for terminals: provisioning files, images and card readers."""
