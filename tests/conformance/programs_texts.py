"""Texts in graph mode: their methods, comparing and choosing by them."""

from arguments import nothing, vector
from cases import case


@case(nothing)
def texts_changed():
    return "Word".upper(), "Word".lower()


@case(nothing)
def texts_replaced():
    return "a-b".replace("-", "+")


@case(nothing)
def texts_stripped():
    return " a ".strip()


@case(nothing)
def texts_taken_apart():
    return "a,b".split(","), "-".join(["a", "b"]), "abc"[::-1], "abc"[-1]


@case(nothing)
def texts_asked():
    return "abc".startswith("a"), "abc".endswith("a"), "abc".find("c"), "a1".isdigit()


@case(nothing)
def text_of_a_number():
    return str(3) + "a", "a" + str(2.5), int("7") + 1


@case(nothing)
def text_of_several_lines():
    return """one
two"""


@case(nothing)
def texts_side_by_side():
    return "onetwo"  # noqa: ISC001


@case(lambda: (*vector(), "sum"), lambda: (*vector(), "max"))
def text_names_a_method(x, name):
    return getattr(x, name)()


@case(vector)
def text_as_key(x):
    table = {"double": 2, "triple": 3}
    name = "dou" + "ble"
    return x * table[name]


@case(vector)
def text_in_a_condition(x):
    name = "abc"
    if name and "b" in name and name != "abd":
        return x
    return -x


@case(nothing)
def text_without_that_method():
    return "a".nosuch()
