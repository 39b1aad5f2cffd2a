"""The bus of up to 32 terminals on one pair of wires: the station asks, one terminal answers; sans-I/O.

Nothing here waits, reads a clock or touches a wire: bytes come in, bytes go out, time (milliseconds)
is an argument. Terms: **turn**, what one terminal may send when it is polled; **lease**, an
address lent to a unit; **unit**, a terminal as the bus knows it, until it is authenticated.
"""
