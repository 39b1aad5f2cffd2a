"""The only modules that touch a wire."""
