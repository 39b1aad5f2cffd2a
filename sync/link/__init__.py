"""A reliable stream of bytes over an unreliable serial line; sans-I/O."""
