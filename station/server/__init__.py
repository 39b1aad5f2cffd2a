"""The running server: pages, certificates, addresses, logs."""
