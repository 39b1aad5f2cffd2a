"""Bootable images: their files (`common`, `terminal`, `station`) and their build (`recipe`)."""
