"""The terminals that may connect, their codes and their PINs."""
