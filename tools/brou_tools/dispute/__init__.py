"""`brou dispute`: an objection to a case or a clause, begun with everything that the suite has to say for it."""
