"""The tables of the running round."""
