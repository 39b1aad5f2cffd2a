"""Bootable images: their files (`common`, `terminal` and `station`) and their build (`recipe`)."""
