"""Words of the pages: labels, events, rules, times."""
