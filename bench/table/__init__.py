"""A table's terminal beside the two programs that could replace it, each in a separate process."""
