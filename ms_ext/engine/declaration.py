"""What does an op's class body say? Its fields, read once.

A declaration is a class whose body is data: ``compute`` (NumPy meaning), ``infer`` (types),
``bprop`` (gradient), ``samples``, ``cost``, ``kernel``, ``expr``. ``compute``'s signature tells:
positional parameters are tensor operands, keyword-only ones attributes, ``*xs`` takes any number.
``bprop`` returns a gradient per operand; one that is much work may be a function of no arguments,
``lambda: ...``, which is called where somebody asks for it.
"""

from . import errors

RULES = ("promote", "float", "as given")
FIELDS = {
    "compute": None, "infer": None, "bprop": None, "kernel": None, "bprop_kernel": None,
    "expr": None, "samples": None, "cost": None, "operands": "as given", "outputs": 1,
    "effect": False, "nondeterministic": False, "constructor": (),
}  # fmt: skip


class _Required:
    def __repr__(self):
        return "REQUIRED"


REQUIRED = _Required()


def read(body, name, names, operands, slots, same_as):
    """The fields of an Op, from a class body and the decorator's arguments."""
    fields = {key: _field(body, key, same_as, default) for key, default in FIELDS.items()}
    fields["operands"] = operands or fields["operands"]
    fields |= {"name": name, "names": names, "slots": slots, "module": body.get("__module__")}
    fields["doc"] = body.get("__doc__") or (same_as.doc if same_as else "")
    if not callable(fields["compute"]):
        raise errors.InvalidType(
            f"The op {name!r} has no `compute`.",
            given=repr(fields["compute"]),
            hint="Give a NumPy ufunc (`compute = np.add`) or a function: `def compute(x, y): ...`.",
        )
    fields["infer"] = _naming(name, fields["infer"])
    fields["cost"] = fields["cost"] or (
        _one_a_result if fields["expr"] or fields["kernel"] else _free
    )
    fields |= _signature(name, fields["compute"], fields["bprop"])
    fields["operands"] = _rules(name, fields["operands"], fields["arity"])
    elementwise = bool(fields["expr"] or fields["kernel"])
    fields["elementwise"] = _field(body, "elementwise", same_as, elementwise)
    return fields


def _field(body, key, same_as, default):
    value = body.get(key, getattr(same_as, key, default) if same_as else default)
    return value.__func__ if isinstance(value, staticmethod) else value


def _naming(name, infer):
    """``infer``, whose refusals begin with the op's name; rules are shared and do not know it."""
    rule = getattr(infer, "unnamed", infer)
    if rule is None:
        return None

    def named(*operands, **attributes):
        try:
            return rule(*operands, **attributes)
        except errors.MsExtError as error:
            raise error.named(name) from None

    named.unnamed = rule
    return named


def _one_a_result(out, *_operands, **_attributes):
    return out.size if out.dtype.kind == "float" else 0


def _free(*_types, **_attributes):
    return 0


def _signature(name, compute, bprop):
    code = getattr(compute, "__code__", None)
    if code is None and not hasattr(compute, "nin"):
        raise errors.InvalidType(
            f"The signature of the op {name!r}'s compute cannot be read.",
            given=repr(compute),
            hint="Wrap it: `def compute(x, *, axis=None): return ...`.",
        )
    back = getattr(bprop, "__code__", None)
    if code is None:
        arity, attributes = compute.nin, ()
        operand_names = _ufunc_operands(compute.nin, back)
    else:
        count = code.co_argcount
        arity = None if code.co_flags & 4 else count
        operand_names = code.co_varnames[:count] if arity is not None else ()
        defaults = compute.__kwdefaults__ or {}
        keywords = code.co_varnames[count : count + code.co_kwonlyargcount]
        attributes = tuple((key, defaults.get(key, REQUIRED)) for key in keywords)
    known = dict(attributes)
    return {
        "arity": arity,
        "operand_names": operand_names,
        "attributes": attributes,
        "defaults": None if REQUIRED in known.values() else known,
        **_reads(back, [key for key, _ in attributes]),
    }


def _ufunc_operands(count, back):
    names = back.co_varnames[: back.co_argcount] if back else ()
    fits = len(names) == count + 2
    return tuple(n.strip("_") for n in names[:count]) if fits else ("x", "y", "z")[:count]


def _reads(back, attributes):
    """What the bprop reads: ``_x`` is not kept, of ``x_`` shape and dtype are, ``x`` is."""
    if back is None:
        return {"keep": frozenset(), "forms": frozenset(), "bprop_attributes": ()}
    names = back.co_varnames[: back.co_argcount]
    forms = frozenset(i for i, n in enumerate(names[:-1]) if n.endswith("_"))
    keep = frozenset(i for i, n in enumerate(names[:-1]) if not n.startswith("_")) - forms
    keywords = back.co_varnames[back.co_argcount : back.co_argcount + back.co_kwonlyargcount]
    takes_all = bool(back.co_flags & 8)
    return {
        "keep": keep,
        "forms": forms,
        "bprop_attributes": tuple(attributes if takes_all else keywords),
    }


def _rules(name, rules, arity):
    for rule in rules if isinstance(rules, tuple) else (rules,):
        if rule not in RULES:
            hint = f"Say one of {', '.join(map(repr, RULES))}, or a tuple of them, one per operand."
            raise errors.InvalidValue(
                f"The op {name!r} has an unknown operand rule.", given=repr(rule), hint=hint
            )
    if isinstance(rules, str):
        return rules if arity is None else (rules,) * arity
    if len(rules) != arity:
        raise errors.InvalidValue(
            f"The op {name!r} has {arity} operands.", given=f"operands={rules!r}",
            hint="Give one rule per operand, or one for all.",
        )  # fmt: skip
    return rules
