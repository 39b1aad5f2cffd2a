"""Basic types: seats, players, tables, rounds and dollars."""

from typing import NewType

SeatNo = NewType("SeatNo", int)
"""A seat at a table, from 1, clockwise: seat 2 is to the left of seat 1."""

PlayerId = NewType("PlayerId", str)
"""A player of one tournament. Players see names instead."""

TableNo = NewType("TableNo", int)
"""A table in the hall, from 1; also the number of its terminal."""

RoundNo = NewType("RoundNo", int)
"""A round of the tournament, from 1."""

Dollars = NewType("Dollars", int)
"""BANG! dollars, always whole."""

Seconds = NewType("Seconds", int)
"""A duration in whole seconds."""

TournamentId = NewType("TournamentId", str)
"""A globally unique tournament id."""

GameId = NewType("GameId", str)
"""The globally unique id of a game at a table."""

MessageId = NewType("MessageId", str)
"""The globally unique id of a judge's message to tables."""
