"""What the texts leave open: the register, what parts two readings, and how small that can be."""
