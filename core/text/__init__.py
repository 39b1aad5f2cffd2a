"""The rules, and the reasons for results, as texts."""
