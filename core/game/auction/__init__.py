"""The auction of characters, from keeping old ones to taking the last.

``state`` holds everything public at the table, ``order`` gives the order of bidding, ``opening`` and
``bidding`` handle commands, ``course`` computes their automatic consequences; ``events`` defines
the events. Players' remaining dollars are secret: no event, state or refusal reveals them.
"""
