"""The station's end: the hub, its connections and their limits."""
