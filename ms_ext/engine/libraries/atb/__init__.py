"""ATB: an Operation made from a Param, set up and executed, kept for the next call of its kind.

| file | question |
|---|---|
| ``params`` | which Params are there, and what is the hash of one? |
| ``declared`` | how is an operation declared? |
| ``operations`` | which operations are there? |
| ``operation`` | how is one used, and kept? |

>>> import numpy as np
>>> param = SoftmaxParam(axes=(-1,))
>>> status, operation, _ = CreateOperation(param)
>>> x, out, context = np.float32([0, 0]), np.empty(2, np.float32), Context(None)
>>> pack = VariantPack((x,), (out,))
>>> status, size = operation.Setup(pack, context)
>>> operation.Execute(pack, None, size, context), out.tolist()
(0, [0.5, 0.5])
"""

from . import operations  # noqa: F401  (fills OPERATIONS)
from .declared import OPERATIONS
from .operation import (
    AtbContextManager,
    Context,
    CreateOperation,
    Operation,
    OperationHolder,
    VariantPack,
    check,
)
from .params import (
    ActivationParam,
    ActivationType,
    GeluMode,
    HashOpParam,
    LinearParam,
    MaskType,
    NormParam,
    PreNormParam,
    RmsNormParam,
    RmsNormType,
    RopeParam,
    SelfAttentionParam,
    SoftmaxParam,
    add_param_to_buf,
    compute_hash,
    forget_hash,
)

MANAGER = AtbContextManager()

__all__ = [
    "MANAGER",
    "OPERATIONS",
    "ActivationParam",
    "ActivationType",
    "AtbContextManager",
    "Context",
    "CreateOperation",
    "GeluMode",
    "HashOpParam",
    "LinearParam",
    "MaskType",
    "NormParam",
    "Operation",
    "OperationHolder",
    "PreNormParam",
    "RmsNormParam",
    "RmsNormType",
    "RopeParam",
    "SelfAttentionParam",
    "SoftmaxParam",
    "VariantPack",
    "add_param_to_buf",
    "check",
    "compute_hash",
    "forget_hash",
]
