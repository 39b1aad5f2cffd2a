"""The texts of the pages: labels, events, rules, times."""
