"""The auction of characters, from the kept ones to the last that is taken.

``state`` holds what everybody at the table knows, ``order`` says who comes next, ``bidding``,
``opening`` and ``leaving`` decide what a command causes, ``course`` what follows by itself.
What a player may spend is the core's secret: no event, state or refusal tells it.
"""
