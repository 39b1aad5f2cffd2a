"""Widgets that many scenes use."""
