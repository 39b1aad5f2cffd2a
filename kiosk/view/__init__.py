"""What scenes are given to show: the table, its parts, updates and transfers as values."""
