"""The command-line program ``saloon-rules``, the only part of this room that reads files and prints."""
