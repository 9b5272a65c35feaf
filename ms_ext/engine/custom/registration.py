"""What does ``reg_info`` say of an op? Its dtypes, its attributes: ``CustomRegOp`` writes it down.

>>> info = CustomRegOp("scale").input(0, "x").output(0, "y")
>>> info = info.attr("by", "required", "float", value=2)
>>> info = info.dtype_format(DataType.F32_Default, DataType.F32_Default).target("CPU").get_op_info()
>>> info["dtype_format"], info["attr"][0]["value"]
([(('float32', 'DefaultFormat'), ('float32', 'DefaultFormat'))], 2)
"""

import functools
import inspect

from .. import errors

_DTYPES = {
    "BOOL": "bool", "I8": "int8", "U8": "uint8", "I16": "int16", "U16": "uint16", "I32": "int32",
    "U32": "uint32", "I64": "int64", "U64": "uint64", "F16": "float16", "F32": "float32",
    "BF16": "bfloat16", "F64": "float64", "C64": "complex64", "C128": "complex128", "None": "",
}  # fmt: skip
_FORMATS = {
    "None": "", "Default": "DefaultFormat", "5HD": "NC1HWC0", "FracZ": "FRACTAL_Z",
    "FracNZ": "FRACTAL_NZ", "C1HWNCoC0": "C1HWNCoC0", "NCHW": "NCHW", "NHWC": "NHWC",
    "HWCN": "HWCN", "NDHWC": "NDHWC", "NCDHW": "NCDHW", "DHWCN": "DHWCN",
    "NDC1HWC0": "NDC1HWC0", "NC1HWC0": "NC1HWC0", "FRACTAL_Z_3D": "FRACTAL_Z_3D",
    "FracZNLSTM": "FRACTAL_ZN_LSTM", "FracZNRNN": "FRACTAL_ZN_RNN",
    "ND_RNNBIAS": "ND_RNN_BIAS", "ChannelLast": "ChannelLast",
}  # fmt: skip


class DataType:
    """Pairs of a dtype and a format of memory, for ``dtype_format``: ``DataType.F32_Default``.

    >>> DataType.F32_Default, DataType.I64_NCHW, DataType.BOOL_Default_Tuple
    (('float32', 'DefaultFormat'), ('int64', 'NCHW'), ('bool', 'DefaultFormat', 'tuple'))
    """


for _short, _dtype in _DTYPES.items():
    for _word, _format in _FORMATS.items():
        setattr(DataType, f"{_short}_{_word}", (_dtype, _format))
    for _kind in ("Tuple", "List"):
        setattr(DataType, f"{_short}_Default_{_kind}", (_dtype, "DefaultFormat", _kind.lower()))


class CustomRegOp:
    """Writes down what an op is like, step by step; ``get_op_info`` gives it as a dict.

    >>> CustomRegOp("add").input(0, "x").get_op_info()["inputs"]
    [{'index': 0, 'name': 'x', 'paramType': 'required'}]
    """

    def __init__(self, op_name="Custom"):
        if not isinstance(op_name, str):
            raise errors.InvalidValue("op name value must be string", given=f"{op_name!r:.60}")
        if not op_name.strip():
            raise errors.InvalidValue("op name is empty", hint='CustomRegOp("my_add")')
        self._info = {
            "op_name": op_name, "inputs": [], "outputs": [], "attr": [], "fusion_type": "",
            "dtype_format": [], "target": "UnKnown",
        }  # fmt: skip

    def input(self, index=None, name=None, param_type="required", **more):
        """An input: its place, its name, and whether it is "required", "optional" or "dynamic"."""
        return self._operand("inputs", index, name, param_type, more)

    def output(self, index=None, name=None, param_type="required", **more):
        """A result, described as an input is."""
        return self._operand("outputs", index, name, param_type, more)

    def _operand(self, kind, index, name, param_type, more):
        for value in (name, param_type, *more.values()):
            _must_be(str, value)
        _must_be(int, index)
        known = {"index": index, "name": name, "paramType": param_type, **more}
        self._info[kind].append({k: v for k, v in known.items() if v is not None})
        return self

    def dtype_format(self, *args):
        """Dtype and format of every input, then of every result: one row that the op offers."""
        operands = len(self._info["inputs"]) + len(self._info["outputs"])
        if len(args) != operands:
            raise errors.InvalidValue(
                "The size of 'args' must be equal to the sum of input tensors and output tensors, "
                f"but got {len(args)} vs {operands}",
                hint="Name every input and output first, then give one pair for each.",
            )
        for pair in args:
            if not isinstance(pair, tuple) or len(pair) not in (2, 3):
                raise errors.InvalidValue(
                    "dtype and format value must be tuple of two or three elements",
                    given=f"{pair!r:.60}",
                    hint="Use DataType.F32_Default and the like.",
                )
            for value in pair:
                _must_be(str, value)
        self._info["dtype_format"].append(tuple(args))
        return self

    def attr(self, name=None, param_type=None, value_type=None, default_value=None, **more):
        """An attribute: ``attr("axis", "required", "int", value=0)``.

        ``value_type``: "int", "float", "bool", "str", or one of these after "list" or "listList".
        """
        for text in (name, param_type, value_type, default_value):
            _must_be(str, text)
        known = {"name": name, "paramType": param_type, "type": value_type}
        known |= {"defaultValue": default_value, **more}
        self._info["attr"].append({k: v for k, v in known.items() if v is not None})
        return self

    def fusion_type(self, fusion_type):
        """How a compiler of kernels may fuse it, a word such as "ELEMWISE"; kept, not read here."""
        _must_be(str, fusion_type)
        self._info["fusion_type"] = fusion_type
        return self

    def target(self, target=None):
        """Where it runs: "CPU", "GPU" or "Ascend"."""
        _must_be(str, target)
        self._info["target"] = target if target is not None else "UnKnown"
        return self

    def get_op_info(self):
        """All that was said, as the dict that ``reg_info=`` takes."""
        return {k: list(v) if isinstance(v, list) else v for k, v in self._info.items()}


def custom_info_register(*reg_info):
    """A decorator that binds registrations to the function that ``ops.Custom`` gets.

    >>> info = CustomRegOp("f").input(0, "x").output(0, "y").target("CPU").get_op_info()
    >>> @custom_info_register(info)
    ... def f(x):
    ...     return x
    >>> f.reg_info[0]["op_name"], f(3)
    ('f', 3)
    """

    def bind(function):
        if not inspect.isfunction(function):
            raise errors.InvalidType(
                "custom_info_register decorates a function.", given=f"{function!r:.60}"
            )

        @functools.wraps(function)
        def bound(*args, **kwargs):
            return function(*args, **kwargs)

        bound.reg_info = reg_info
        return bound

    return bind


def _must_be(kind, value):
    if value is None or isinstance(value, kind) and not isinstance(value, bool):
        return
    raise errors.InvalidType(f"{value} value must be {kind.__name__}", given=f"{value!r:.60}")
