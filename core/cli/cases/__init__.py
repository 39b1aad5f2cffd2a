"""The kinds of worked cases, one module for each group: how the input is read and the result computed."""
