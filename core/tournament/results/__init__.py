"""Record sheets, results and penalties of the rounds."""
