"""The state of a tournament and its parts, and the checks and names that its rules share."""
