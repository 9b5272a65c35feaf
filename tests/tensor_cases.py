"""The tensors whose looks, and the pairs of dtypes whose meetings, are compared with MindSpore."""

DTYPES = [
    "bool_", "int8", "int16", "int32", "int64", "uint8", "float16", "bfloat16", "float32", "float64",
]  # fmt: skip

#: name of the answer -> what is calculated with the operands x and y.
MEETINGS = {
    "+": lambda x, y: x + y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "<": lambda x, y: x < y,
    "==": lambda x, y: x == y,
}
NUMBERS = {"True": True, "2": 2, "2.5": 2.5}

#: What is printed: an expression of np and T (Tensor from data and the name of a dtype).
LOOKS = [
    "T(1)", "T(-7)", "T(True)", "T(1.5)", "T(2.0)", "T(1e-7)", "T(12345.0)", "T(float('nan'))",
    "T([])", "T([1, 2, 3])", "T([-1, 20, 300])", "T([True, False])", "T([1.0, 2.5])",
    "T([1e10, 1e-10, 1.0])", "T([-1.5, 0.0])", "T([float('nan'), float('inf'), -float('inf')])",
    "T([[1, 2], [3, 4]])", "T([[1.0, 2.0, 3.0]])", "T([[[1, 2]], [[3, 4]]])", "T([[True], [False]])",
    "T([1, 2], 'float16')", "T([1.5, -2.25, 65504], 'float16')", "T(1.5, 'float16')", "T(1.1, 'float16')",
    "T([1, 2], 'float64')", "T(0.1, 'float64')", "T(1 / 3, 'float32')", "T([0.1, 1 / 3], 'float64')",
    "T([1, 2], 'int8')", "T([250, 3], 'uint8')", "T(3.7, 'int32')", "T([1, 2.5], 'bfloat16')",
    "T(1.5, 'bfloat16')", "T([[1, 2], [3, 4]], 'bfloat16')", "T(np.zeros((0, 3)))", "T(np.zeros((2, 0)))",
    "T(np.arange(2000))", "T(np.arange(2000).reshape(2, 1000))", "T(np.arange(2000, dtype=np.float32))",
    "T(np.ones((2, 3)))", "T(np.arange(30).reshape(2, 15))", "T(np.linspace(0, 1, 13).astype(np.float32))",
    "T(np.arange(8).reshape(2, 2, 2) * 1.0)", "T(np.float32([1e38, -1e38]))", "T(np.arange(1500) % 2 == 0)",
    "T(np.arange(40))", "T(np.arange(20) * 1.0)", "T(np.arange(26).reshape(2, 13) * 1.0)", "T(np.arange(98).reshape(2, 7, 7))",
    "T(np.arange(14).reshape(7, 2))", "T(np.arange(16).reshape(8, 1, 2))", "T(np.arange(12).reshape(2, 6))", "T(-0.0)",
    "T(np.arange(20) % 2 == 0)", "T(np.arange(1000) % 10)", "T([0.1, 1 / 3], 'bfloat16')", "T([[1.5, -2.25, 1e10]], 'bfloat16')",
]  # fmt: skip
