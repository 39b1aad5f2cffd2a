"""A bus of up to 32 terminals on one pair of wires: the station polls, one terminal answers; sans-I/O.

Nothing here waits, reads a clock or accesses a wire. Bytes come in and go out, and the time (milliseconds) is
an argument. Terms: **turn**, what a terminal may send when it is polled; **lease**, the temporary assignment
of an address to a unit; **unit**, a terminal on the bus, before it is authenticated.
"""
