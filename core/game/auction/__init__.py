"""The auction of characters, from the kept ones to the last that is taken.

``state`` holds what everybody at the table knows, ``order`` says who comes next, ``opening`` and
``bidding`` decide what a command causes, ``course`` what follows by itself; ``events`` tell what happened.
What a player may spend is the core's secret: no event, state or refusal tells it.
"""
