"""Parts that more than one room needs and no room owns. Nothing here imports any other room."""
