"""The small types that everything else is made of: seats, players, tables, rounds, dollars."""

from typing import NewType

SeatNo = NewType("SeatNo", int)
"""A place at a table, from 1, clockwise: seat 2 sits to the left of seat 1."""

PlayerId = NewType("PlayerId", str)
"""A player of one tournament; never shown to players, who see names."""

TableNo = NewType("TableNo", int)
"""A table in the hall, from 1; also the number on its terminal."""

RoundNo = NewType("RoundNo", int)
"""A round of the tournament, from 1."""

Dollars = NewType("Dollars", int)
"""BANG!-dollars, always whole."""

Seconds = NewType("Seconds", int)
"""A length of time, in whole seconds."""

TournamentId = NewType("TournamentId", str)
"""One tournament, unique for all time."""

GameId = NewType("GameId", str)
"""One game at one table, unique for all time."""

MessageId = NewType("MessageId", str)
"""One message of a judge to tables, unique for all time."""
