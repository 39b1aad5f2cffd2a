"""The auction of characters, from keeping old ones to taking the last.

``opening`` and ``bidding`` hold the players' decisions, ``automatic_steps`` their consequences, ``sales`` the
changes to a game's auction. Players' remaining dollars are secret: no event, state or refusal reveals them.
"""
