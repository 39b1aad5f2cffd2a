"""Benchmarks for the speeds and sizes that the README mentions: ``make bench``, or ``python -m bench NAME``.

Each figure is shown beside a peer or a lower bound measured in the same run on the same disk; the ratio of
the two is what matters.
"""
