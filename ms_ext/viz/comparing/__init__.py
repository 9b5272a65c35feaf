"""How are two graphs or two runs compared? Which nodes are the same, how far values are apart."""
