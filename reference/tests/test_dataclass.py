"""Our own dataclasses: what they share with those of the standard library, and that little is imported for them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys

import pytest

from brou.dataclass import dataclass, field, fields, is_dataclass, replace


@dataclass(frozen=True, slots=True)
class Bird:
    """A class with every kind of field."""

    name: str
    eggs: tuple[int, ...] = ()
    places: dict[str, int] = field(default_factory=dict)
    ringed: bool = field(default=False, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Owl(Bird):
    """A class with more fields than another."""

    awake: bool = True


@dataclass(frozen=True, slots=True, order=True)
class Nest:
    """A class with an order, of which many objects are made."""

    height: int
    tree: str = "oak"


def test_fields_are_given_in_order_or_by_name() -> None:
    """What is not given has its default, made anew where it is made."""
    wren, owl = Bird("wren", (1, 2), ringed=True), Owl("owl", awake=False)

    assert (wren.name, wren.eggs, wren.places, wren.ringed) == ("wren", (1, 2), {}, True)
    assert (owl.name, owl.eggs, owl.awake, owl.ringed) == ("owl", (), False, False)
    assert wren.places is not Bird("wren").places


@pytest.mark.parametrize(
    ("given", "named"), [((), {}), (("wren", (), {}, True), {}), (("wren",), {"name": "owl"}), (("wren",), {"age": 3})]
)
def test_other_arguments_are_refused(given: tuple[object, ...], named: dict[str, object]) -> None:
    """Too few, too many, one twice, one that is no field."""
    make: type = Bird

    with pytest.raises(TypeError):
        make(*given, **named)


def test_objects_of_one_class_with_equal_fields_are_equal() -> None:
    """Fields that are not compared make no difference, classes do."""
    assert Nest(3) == Nest(3, "oak") != Nest(4)
    assert hash(Nest(3)) == hash(Nest(3, "oak"))
    assert Bird("owl", ringed=True) == Bird("owl")
    assert Bird("owl") != Owl("owl")


def test_objects_are_ordered_by_their_fields() -> None:
    """The first field counts first."""
    assert sorted([Nest(4), Nest(3, "pine"), Nest(3)]) == [Nest(3), Nest(3, "pine"), Nest(4)]


def test_nothing_is_written_to_a_frozen_object() -> None:
    """Neither changed nor taken away."""
    nest = Nest(3)

    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(nest, "height", 4)  # noqa: B010 - that is the fault
    with pytest.raises(dataclasses.FrozenInstanceError):
        del nest.height


def test_many_objects_are_filled_as_the_first_was() -> None:
    """What fills them is compiled after a while, with the same arguments and defaults."""
    nests = [Nest(number) for number in range(200)]

    assert {(nest.height, nest.tree) for nest in nests} == {(number, "oak") for number in range(200)}
    make: type = Nest
    with pytest.raises(TypeError):
        make()


@pytest.mark.parametrize("one", [Bird("wren", (1,), {"oak": 2}, ringed=True), Owl("owl"), Nest(3)])
def test_copies_are_equal(one: object) -> None:
    """Copied, pickled and with nothing replaced, by our functions and by those of the standard library."""
    assert copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - our own
    assert is_dataclass(one) and dataclasses.is_dataclass(one)
    assert not isinstance(one, type)
    assert replace(one) == dataclasses.replace(one) == one
    assert [said.name for said in fields(one)] == [said.name for said in dataclasses.fields(one)]
    assert dataclasses.asdict(one).keys() == {said.name for said in fields(one)}


def test_importing_brou_imports_nothing_heavy() -> None:
    """No YAML, no schemas, no tools for reading code: they wait until they are needed."""
    heavy = {"ast", "dataclasses", "inspect", "json", "jsonschema_rs", "msgspec", "yaml"}
    script = f"import sys, brou; print(*sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, check=True, encoding="utf-8")

    assert not done.stdout.split()
