"""What a decision may cost: looked at where rules are loaded, and again where they are played."""

#: The most steps that one decision may take: how its phase is come to, all that anybody may do, an act with all that
#: follows from it, and all that is seen behind it. The interpreter does so many in about a second; the dearest
#: decision of the published games is bounded by less than a sixth of it.
BUDGET = 10_000_000
