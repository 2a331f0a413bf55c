"""`brou perft`: how many sequences of acts lead on from some deals."""
