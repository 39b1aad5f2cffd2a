"""The station of the judge: store, services and web pages."""
