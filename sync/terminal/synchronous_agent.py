"""The agent of a terminal whose card was made on another board: it shows the journal and adds nothing."""

import socket

from saloon.base.errors import Unavailable
from saloon.sync.protocol.entry import content_of
from saloon.sync.protocol.journal import Journal
from saloon.sync.terminal.agent_contract import AgentNews, AgentRequest, CardIsForeign, Packing, Resumed


class SynchronousAgent:
    """An agent that writes nothing; see ``agent_contract.Agent``. journal: opened as for its first board.

    Only a person knows whether the card was moved or copied; until somebody decides, nothing is written
    and nothing is sent, so that two cards cannot go on under one name.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._ours, self._theirs = socket.socketpair()
        self._theirs.send(b"!")
        self._ours.setblocking(False)
        self._news: tuple[AgentNews, ...] = (CardIsForeign(),)
        self._next_seq = 1

    def start(self) -> Resumed:
        """Read the journal, and close it. Raises BadData or Unavailable for a bad one."""
        with self._journal as journal:
            own = tuple(bytes(content_of(raw).body) for raw in journal.own())
            orders = tuple(bytes(content_of(raw).body) for raw in journal.orders())
            received = journal.last_acknowledged()
        self._next_seq = len(own) + 1
        return Resumed(own, orders, received)

    def append(self, body: bytes) -> int:
        """Return the next number and store nothing: the terminal does its automatic steps when it goes on."""
        del body
        self._next_seq += 1
        return self._next_seq - 1

    def ask(self, request: AgentRequest) -> None:
        """Ignore the request: no station is contacted."""

    def fileno(self) -> int:
        """Return a file descriptor that is readable until the one news was taken."""
        return self._ours.fileno()

    def news(self) -> tuple[AgentNews, ...]:
        """Return once that the card is another board's."""
        news, self._news = self._news, ()
        if news:
            self._ours.recv(1)
        return news

    def pack(self, wanted: Packing) -> None:
        """Raise Unavailable: no key of this card may sign until a person has decided."""
        raise Unavailable(f"the card is another board's; no parcel of {type(wanted).__name__} is made")

    def stop(self) -> None:
        """Close the sockets."""
        for end in (self._ours, self._theirs):
            end.close()
