"""The ports: the only modules that touch a wire."""
