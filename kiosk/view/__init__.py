"""Values that scenes draw: the table, its parts, updates and transfers."""
