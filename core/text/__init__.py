"""The rules and the reasons in words."""
