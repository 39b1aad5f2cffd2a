"""Basic modules shared by several rooms. They import nothing from any other room."""
