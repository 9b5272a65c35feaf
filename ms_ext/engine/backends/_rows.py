"""How one op runs on one backend: rows that a backend's own folder, or a notebook, adds.

A row is called with a node and gives ``f(*arrays)``, or None where it does not fit (another dtype,
a rank it does not know). The operands arrive cast by the op's rule.
"""

from .. import errors, primitive, registry


class Rows:
    """Backend name -> op name -> row. ``generation`` grows with every change."""

    def __init__(self):
        self.generation = 0
        self._rows = {}

    def add(self, backend, op, row):
        """Enter ``row``, replacing an earlier one."""
        self._rows.setdefault(backend, {})[op] = row
        self.generation += 1
        registry.declared()

    def of(self, backend):
        """The rows of a backend: op name -> row."""
        return self._rows.get(backend, {})


ROWS = Rows()


def no_kernel_for(abstracts):
    """The phrase for an op that a backend runs on other dtypes only.

    >>> from ms_ext import dtype
    >>> from ms_ext.engine.infer import AbstractTensor
    >>> no_kernel_for([AbstractTensor(dtype.int32, (2,)), AbstractTensor(dtype.int32, ())])
    'no compiled kernel of this op for Int32'
    """
    tensors = [each for each in abstracts if not getattr(each, "weak", False)] or abstracts
    names = dict.fromkeys([str(getattr(each, "dtype", each)) for each in tensors])
    return f"no compiled kernel of this op for {' and '.join(names)}"


def lower(op, *, backend):
    """How ``backend`` runs ``op`` (or its name): a decorator for ``row(node) -> f(*arrays)``.

    >>> @lower("Neg", backend="reference")
    ... def negated(node):
    ...     return np.negative
    >>> ROWS.of("reference").pop("Neg") is negated
    True
    """
    name = getattr(op, "name", op)
    if not isinstance(name, str) or (primitive.OPS and name not in primitive.OPS):
        raise errors.InvalidValue(
            f"There is no op {name!r}.", hint=errors.did_you_mean(name, primitive.OPS)
        )

    def register(row):
        from . import resolve  # the registry stands above this file

        ROWS.add(resolve(backend), name, row)
        return row

    return register
