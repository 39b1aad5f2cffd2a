"""A shaped serial line with Saloon's ends and its peers', and a bus; each end a separate process."""
