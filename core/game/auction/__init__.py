"""The auction of characters, from the kept ones to the last that is taken.

``state`` holds all that is public at the table, ``order`` gives the order of bidding, ``opening`` and
``bidding`` decide what a command causes, ``course`` decides what follows automatically; ``events`` defines
the events.
A player's remaining dollars are the core's secret: no event, state or refusal reveals them.
"""
