"""Bootable images: their files (`common`, `terminal`, `station`) and how they are made (`recipe`)."""
