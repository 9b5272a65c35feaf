"""Lists, dicts, tuples and comprehensions in graph mode."""

from arguments import nothing, scalar, vector
from cases import case
from mindspore import Tensor

# lists --------------------------------------------------------------------------------------------


@case(vector)
def list_grows(x):
    a = [1]
    a.append(x)
    a.extend((2, 3))
    a.insert(0, "first")
    return a


@case(nothing)
def list_shrinks():
    a = [1, 2, 3, 4]
    b = a.pop()
    c = a.pop(0)
    return a, b, c


@case(nothing)
def list_turned_and_cleared():
    a, b = [1, 2, 3], [1, 2]
    a.reverse()
    b.clear()
    return a, b


@case(nothing)
def list_counts():
    a = [1, 2, 1]
    return a.count(1), a.index(2)


@case(nothing, strict=False)
def list_sorted():
    a = [3, 1, 2]
    a.sort()
    return a


@case(vector)
def list_extended_by_a_tensor(x):
    a = [1]
    a.extend(x)
    return a


@case(nothing)
def list_in_a_list_is_written_to():
    a = [[0, 1], 2, 3]
    a[0][1] = 88
    a[1] = "ok"
    a[-1] = (1, 2)
    return a


@case(nothing)
def list_parts():
    a = [[1, 2], 3, 4, 5]
    return a[0], a[0][1], a[1:3], a[::-1], a[-1]


@case(nothing)
def list_index_outside():
    return [1, 2][5]


@case(nothing, strict=False)
def list_with_two_names():
    a = [1, 2]
    b = a
    b.append(3)
    return a, b


kept = [1, 2, 3]


@case(nothing, strict=False)
def list_of_the_module():
    kept.reverse()
    return kept


@case(lambda: ([1, 2],))
def list_argument_is_written_to(a):
    a.append(3)
    return a


@case(vector)
def list_of_three_numbers_becomes_a_tensor(x):
    return Tensor([1, 2, 3]) + x


@case(scalar)
def list_part_by_a_tensor(i):
    return [5, 6, 7][i]


@case(scalar)
def tuple_part_by_a_tensor(i):
    return (5, 6, 7)[i]


@case(vector, strict=False)
def tuple_is_written_to(x):
    a = (1, 2)
    a[0] = x
    return a


@case(nothing)
def tuple_methods():
    a = (1, 2, 1)
    return a.count(1), a.index(2)


@case(vector)
def tuples_taken_apart(x):
    a, b, *c = (1, x, 3, 4)
    (d, e), f = (1, 2), x
    return a, b, c, d, e, f


@case(vector, strict=False)
def too_many_to_take_apart(x):
    a, b = (1, 2, 3)  # noqa: F841
    return a


@case(vector)
def too_few_to_take_apart(x):
    a, b, c = (1, 2)  # noqa: F841
    return a


@case(vector)
def stars_in_tuples(x):
    a = (1, 2)
    return (*a, x), [0, *a]


# dicts --------------------------------------------------------------------------------------------


@case(vector)
def dict_methods(x):
    d = {"a": x, "b": 2}
    return d.get("a"), d.get("c", 5), len(d), d["b"]


@case(vector)
def dict_keys(x):
    return {"a": x, "b": 2}.keys()


@case(vector)
def dict_values(x):
    d = {"a": x, "b": 2}
    return d.values()


@case(vector)
def dict_items(x):
    d = {"a": x, "b": 2}
    return d.items()


@case(nothing)
def dict_of_constants_listed():
    d = {"a": 1, "b": 2}
    return d.keys(), d.values(), d.items()


@case(nothing)
def dict_get_without_it():
    return {"a": 1}.get("b"), 1


@case(vector)
def dict_updated(x):
    d = {"a": x}
    d.update({"b": 2, "a": 1})
    return d


@case(nothing)
def dict_has_key():
    d = {"a": 1}
    return d.has_key("a"), d.has_key("b")


@case(nothing)
def dict_cleared():
    d = {"a": 1}
    d.clear()
    return d


@case(nothing)
def dict_from_keys():
    return {}.fromkeys(("a", "b"), 3)


@case(nothing, strict=False)
def dict_pop():
    d = {"a": 1, "b": 2}
    return d.pop("a"), d


@case(nothing)
def dict_without_the_key():
    return {"a": 1}["b"]


@case(nothing)
def dict_with_many_kinds_of_keys():
    return {1: "a", (1, 2): "b", 2.5: "c"}


@case(nothing)
def dict_made_by_dict():
    return dict(), dict(a=1), dict([("b", 2)]), dict(zip(("c",), (3,)))  # noqa: B905, C408


@case(nothing)
def dict_or_dict():
    return {"a": 1} | {"b": 2}


@case(nothing)
def dict_with_stars():
    a = {"a": 1}
    return {**a, "b": 2}


@case(vector)
def dict_of_dicts_is_written_to(x):
    d = {"a": {"b": 1}}
    d["a"]["b"] = x
    d["c"] = [1]
    return d


@case(nothing)
def dicts_compared():
    return {"a": 1} == {"a": 1}, len({"a": 1}), "a" in {"a": 1}
