"""How is time drawn? Lanes of slices, as a page, a figure, text, or Chrome's trace."""
