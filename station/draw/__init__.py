"""The draw of the next round."""
