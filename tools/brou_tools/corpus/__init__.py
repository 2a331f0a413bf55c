"""`brou corpus`: the scenarios and their coverage."""
