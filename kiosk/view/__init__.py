"""Values for scenes to draw: the table, its parts, updates and transfers."""
