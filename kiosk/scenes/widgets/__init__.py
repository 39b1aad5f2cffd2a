"""Widgets shared by many scenes."""
