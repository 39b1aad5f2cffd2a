"""The web app: all pages, the interface for programs and what they have in common."""
