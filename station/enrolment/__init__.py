"""The terminals that may connect, their codes and PINs, and the links for players to sign in."""
