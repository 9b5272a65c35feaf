"""What does an op do with its ``reg_info``? Which attributes it has, which dtypes its kernel gets.

A kernel registered for Float32 alone gets Float32 although the op is called with Float16 or
Float64, and its results are cast to what was inferred: `Registered.row` chooses, as MindSpore does.
"""

import json

from .. import errors

TARGETS = ["Ascend", "GPU", "CPU"]
#: What a kernel may get instead of what the op is called with.
_CASTS = {
    ("int16", "int32"), ("int64", "int32"), ("float16", "float32"), ("float64", "float32"),
}  # fmt: skip
#: Kinds of attributes, in the order of border.hpp's KINDS, by reg_info's words for them.
_KINDS = ("bool", "int", "float", "str", "listInt", "listFloat", "listListInt", "listListFloat")


class Registered:
    """A ``reg_info``, read: a dict, or its JSON text.

    ``attributes``: {name: (kind, value)}. ``without_value``: names of more, whose values are the
    inputs after the registered ones. ``rows``: per row the dtypes of inputs and results.
    """

    def __init__(self, reg_info, func, func_type="aot"):
        info = _as_dict(reg_info, func, func_type)
        self.name = info.get("op_name", "Custom")
        self.inputs = len(info.get("inputs", ()))
        self.rows = [tuple([pair[0] for pair in row]) for row in info.get("dtype_format", ())]
        self.attributes, self.without_value = {}, ()
        for entry in info.get("attr", ()):
            if "name" in entry and ("value" in entry or "defaultValue" in entry):
                self.attributes[entry["name"]] = _attribute(entry, func)
            elif "name" in entry:
                self.without_value += (entry["name"],)
        if info and info.get("target") not in TARGETS:
            raise errors.InvalidValue(
                f"For 'Custom', 'func_type': {func_type}, 'func': {func}, target set in "
                f"registration information must be one of {TARGETS}, but got None",
                given=f"target {info.get('target')!r}",
                hint='Say where it runs: CustomRegOp(...).target("CPU").get_op_info().',
            )

    def row(self, dtypes, where=None):
        """(dtypes of the inputs, of the results) that the kernel gets; None for as they are.

        ``dtypes``: names of what the op is called with.
        """
        rows = [(row[: len(dtypes)], row[len(dtypes) :]) for row in self.rows]
        if not rows:
            return None
        for fits in (_same, _castable):
            for inputs, results in rows:
                if len(inputs) == len(dtypes) and all(map(fits, dtypes, inputs)):
                    kept = tuple([wanted or given for wanted, given in zip(inputs, dtypes)])  # noqa: B905
                    return kept, results
        raise self._refusal(dtypes, where)

    def _refusal(self, dtypes, where):
        rows = ", ".join(
            f"input[{' '.join(map(_shown, row[: len(dtypes)]))}], "
            f"output[{' '.join(map(_shown, row[len(dtypes) :]))}]"
            for row in self.rows
        )
        return errors.InvalidType(
            f"Kernel select failed: Select CPU operator[Custom_{self.name}] fail! Unsupported data "
            f"type! The supported data types are {rows}; , but get input"
            f"[{' '.join(map(_shown, dtypes))} ]",
            given=f"inputs of {', '.join(map(_shown, dtypes))}",
            hint="Cast the input, or register its dtype with another .dtype_format(...). "
            "Float16 and Float64 become Float32 by themselves, Int16 and Int64 become Int32.",
            where=where,
        )


def _same(given, wanted):
    return wanted in ("", given)


def _castable(given, wanted):
    return wanted in ("", given) or (given, wanted) in _CASTS


def _shown(name):
    return {"uint8": "UInt8", "bfloat16": "BFloat16"}.get(name, name.capitalize())


def kinded(value, name="attribute"):
    """A Python value as an attribute: (kind, value), kind an index of border.hpp's KINDS.

    >>> kinded(True), kinded(3), kinded([1.5]), kinded(((1,), (2,)))
    ((0, True), (1, 3), (5, [1.5]), (6, [[1], [2]]))
    """
    for number, kind in enumerate((bool, int, float, str)):
        if type(value) is kind:
            return number, value
    if isinstance(value, tuple | list):
        items = [kinded(item, name) for item in value]
        kinds = {kind for kind, _ in items}
        plain = [item for _, item in items]
        if kinds <= {0, 1}:
            return 4, plain
        if kinds <= {0, 1, 2}:
            return 5, plain
        if kinds == {4}:
            return 6, plain
        if kinds <= {4, 5}:
            return 7, plain
    raise errors.InvalidType(
        f"For 'Custom', the attribute {name!r} has a type that no kernel can read.",
        given=f"{value!r:.60}",
        hint="bool, int, float, str, a list of int or float, or a list of such lists.",
    )


def _attribute(entry, func):
    """The value of one entry of reg_info's attr, as the kind that its type names."""
    name, word = entry["name"], entry.get("type")
    value = entry["value"] if "value" in entry else _parsed(entry["defaultValue"], word)
    kind, plain = kinded(value, name)
    wanted = _KINDS.index(word) if word in _KINDS else kind
    if kind == wanted:
        return kind, plain
    if kind < wanted and wanted <= 2:
        return wanted, (int, int, float)[wanted](plain)
    if kind == 4 and wanted in (5, 6, 7):  # no number at all, or whole numbers for floats
        if wanted == 5 or not plain:
            return wanted, plain
    if (kind, wanted) == (6, 7):
        return wanted, plain
    raise errors.InvalidType(
        f"For 'Custom', 'func': {func}, the attribute {name!r} is registered as {word!r}.",
        given=f"value {value!r:.60}",
        hint=f"Register it as {_KINDS[kind]!r}, or give a value of the other type.",
    )


def _parsed(text, word):
    """A default value, which reg_info gives as text."""
    if not isinstance(text, str) or word == "str":
        return text
    try:
        return json.loads(text if word and word.startswith("list") else text.lower())
    except ValueError:
        return text


def _as_dict(reg_info, func, func_type):
    if isinstance(reg_info, str):
        try:
            reg_info = json.loads(reg_info)
        except ValueError as error:
            raise errors.InvalidValue(
                f"For 'Custom', 'func_type': {func_type}, 'func': {func}, 'reg_info' is no JSON.",
                given=f"{error}",
                hint="Give CustomRegOp(...).get_op_info(), or json.dumps of that.",
            ) from None
    if not isinstance(reg_info, dict | type(None)):
        raise errors.InvalidType(
            f"For 'Custom', 'func_type': {func_type}, 'func': {func}, 'reg_info' is no dict.",
            given=f"{reg_info!r:.60}",
            hint="Give CustomRegOp(...).get_op_info(), or json.dumps of that.",
        )
    return reg_info or {}
