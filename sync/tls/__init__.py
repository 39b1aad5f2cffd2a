"""TLS over any wire: certificates, their pinning, and the connection around a protocol; sans-I/O."""
