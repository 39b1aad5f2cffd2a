"""The texts of pages and papers: languages, names, times, labels and sentences."""
