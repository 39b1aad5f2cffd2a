"""Measurements of every speed and size that the README names: ``make bench``, or ``python -m bench NAME``.

A figure is never alone: each is shown beside a peer or a floor that was measured in the same run, on the same
disk, and the ratio of the two is what counts.
"""
