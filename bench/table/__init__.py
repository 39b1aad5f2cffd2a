"""A table's terminal beside the two programs that could stand in its place, each a process of its own."""
