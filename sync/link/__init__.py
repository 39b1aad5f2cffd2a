"""A reliable stream of bytes over a bad serial line: frames, checks and retransmission; sans-I/O."""
