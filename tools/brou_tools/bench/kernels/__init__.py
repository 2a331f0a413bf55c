"""Games written by hand in C, as fast as may be and for nothing else; `brou bench` measures engines beside them."""
