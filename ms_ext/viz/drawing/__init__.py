"""How is a graph drawn? Its union over two states, what is folded or left out, places, SVG."""
