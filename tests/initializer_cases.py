"""First numbers after ms.set_seed(1), by rule and shape, here and in MindSpore.

    python tests/initializer_cases.py        # with a Python that has MindSpore 2.10

Writes tests/golden/initializers_mindspore.json, which test_initializers.py compares with.
"""

import importlib
import json
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden" / "initializers_mindspore.json"
SHAPES = {"Dirac": (4, 2, 3), "XavierUniform": (3, 4, 2), "HeNormal": (3, 4, 2, 2), "Normal": (7,)}
RULES = (
    "Zero()", "One()", "Constant(0.5)", "Identity()", "Dirac()", "Dirac(2)", "Sparse(0.4)",
    "Orthogonal()", "Orthogonal(2.0)", "Normal()", "Normal(0.5, 1.0)", "TruncatedNormal()",
    "TruncatedNormal(1.0, 0.5, -1.0, 1.5)", "Uniform()", "Uniform(3)", "XavierNormal()",
    "XavierNormal(2)", "XavierUniform()", "XavierUniform(0.5)", "HeNormal()", "HeUniform()",
    "HeUniform(0.3, 'fan_out')", "HeNormal(0, 'fan_in', 'tanh')", "HeUniform(0, 'fan_in', 'relu')",
    "VarianceScaling(distribution='uniform')",
    "VarianceScaling(2.0, 'fan_avg', 'untruncated_normal')", "VarianceScaling(1.0, 'fan_out', "
    "'uniform')",
)  # fmt: skip
#: What draws in order: a network's Parameters, and NumPy behind them.
NETS = (
    "nn.Dense(3, 2)", "nn.LayerNorm((3,))", "nn.Embedding(4, 2)", "nn.LSTM(2, 2, 1)",
    "nn.GRU(2, 1, 2, bidirectional=True)", "nn.MultiheadAttention(4, 2, add_bias_kv=True)",
    "nn.BiDense(2, 2, 1)", "nn.SequentialCell(nn.Dense(2, 2), nn.ReLU(), nn.Dense(2, 1))",
    "nn.TransformerEncoderLayer(4, 2, 3)",
)  # fmt: skip


def first_numbers(ms, rule, dtype=None):
    """What the rule makes."""
    rules = importlib.import_module(f"{ms.__name__}.common.initializer")
    ms.set_seed(1)
    made = eval(rule, vars(rules))
    shape = SHAPES.get(rule.partition("(")[0], (3, 4))
    return rules.initializer(made, shape, dtype or ms.float32).init_data().asnumpy()


def parameters(ms, net):
    """name -> first numbers, and what NumPy draws next."""
    import numpy as np

    ms.set_seed(1)
    made = eval(net, {"nn": ms.nn})
    found = {name: p.asnumpy() for name, p in made.parameters_dict().items()}
    return found | {"next": np.random.rand(1)}


def main():
    """Ask MindSpore, write the answers."""
    import mindspore as ms

    rows = [(rule, first_numbers(ms, rule).astype(float).round(6).tolist()) for rule in RULES]
    for net in NETS:
        found = parameters(ms, net)
        rows.append((net, {k: v.astype(float).round(6).tolist() for k, v in found.items()}))
    lines = [f" {json.dumps(name)}: {json.dumps(found)}" for name, found in rows]
    GOLDEN.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
