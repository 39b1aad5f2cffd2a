"""The display of a bare board: the graphics card and its picture."""
