"""What is asked: scenarios, where they lie, the cells that they fill, and the scripts made of them."""
