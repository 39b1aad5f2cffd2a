"""Scenes that the station opens: a message, the locked glass, the terminal that lets itself be found."""
