"""The ports: the only modules that access a wire."""
