"""A bus of up to 32 terminals on one pair of wires; sans-I/O.

The station polls, and one terminal at a time answers. Bytes come in and go out, and the time (milliseconds)
is an argument. Terms: **turn**, the data that a terminal may send when it is polled; **lease**, the temporary
assignment of an address to a unit; **unit**, a terminal on the bus that is not authenticated yet.
"""
