"""The display of a board without a desktop: the graphics card and its picture."""
