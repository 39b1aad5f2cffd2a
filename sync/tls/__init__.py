"""TLS over any wire, sans-I/O: certificates, trust in them, and the connection around a protocol."""
