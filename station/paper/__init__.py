"""The content and typesetting of printed papers."""
