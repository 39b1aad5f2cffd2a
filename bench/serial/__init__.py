"""A simulated serial line with Saloon's and other programs at its ends, and a bus; each end is a process."""
