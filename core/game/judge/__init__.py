"""A table's calls to the judge, and the judge's warnings."""
