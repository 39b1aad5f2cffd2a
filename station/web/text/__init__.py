"""The texts of the pages: labels, events, rules and times."""
