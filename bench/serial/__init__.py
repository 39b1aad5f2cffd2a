"""A shaped serial line with Saloon's ends and its peers', each end a separate process."""
