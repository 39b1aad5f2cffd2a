"""The state of a tournament and its parts, and the checks and names that rules share; below every rule."""
