"""The running server: pages, certificates, addresses and logs."""
