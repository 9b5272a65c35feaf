"""Layers with the same numbers here and in MindSpore: what they answer, and their gradients.

    python tests/layer_cases.py        # with a Python that has MindSpore 2.10

Writes tests/golden/layers_mindspore.json, which test_recurrent.py and test_transformer.py compare
with. A case is (an expression that makes the layer, its inputs by shape or value, its options).
"""

import json
from pathlib import Path

import numpy as np

GOLDEN = Path(__file__).parent / "golden" / "layers_mindspore.json"

LENGTHS = np.array([4, 2], np.int32)
CAUSAL = np.triu(np.ones((3, 3)), 1) == 1
PADDING = np.array([[False, False, False, True], [False, False, True, True]])
ENCODER = "nn.TransformerEncoderLayer(4, 2, 6, 0.0"
SEQUENCE, STATE = (4, 2, 3), (1, 2, 2)


def _recurrent():
    for kind in ("RNN", "LSTM", "GRU"):
        state = (STATE, STATE) if kind == "LSTM" else STATE
        yield f"{kind}", f"nn.{kind}(3, 2)", [SEQUENCE], {}
        yield f"{kind} state", f"nn.{kind}(3, 2)", [SEQUENCE, state], {}
        yield f"{kind} lengths", f"nn.{kind}(3, 2)", [SEQUENCE, None, LENGTHS], {}
        deep = f"nn.{kind}(3, 2, num_layers=2, bidirectional=True)"
        yield f"{kind} deep", deep, [SEQUENCE], {}
        yield f"{kind} deep lengths", deep, [SEQUENCE, None, LENGTHS], {}
        first = f"nn.{kind}(3, 2, 2, batch_first=True, has_bias=False)"
        yield f"{kind} batch first", first, [(2, 4, 3)], {}
        one = ((2, 2), (2, 2)) if kind == "LSTM" else (2, 2)
        yield f"{kind}Cell", f"nn.{kind}Cell(3, 2)", [(2, 3), one], {}
        yield f"{kind}Cell no bias", f"nn.{kind}Cell(3, 2, has_bias=False)", [(2, 3), one], {}
    yield "RNN relu", "nn.RNN(3, 2, nonlinearity='relu')", [SEQUENCE], {}
    yield "RNNCell relu", "nn.RNNCell(3, 2, nonlinearity='relu')", [(2, 3), (2, 2)], {}


def _attention():
    q, k = (3, 2, 4), (4, 2, 4)
    made = "nn.MultiheadAttention(4, 2"
    yield "attention", f"{made})", [q, k, k], {}
    yield "attention mask", f"{made})", [q, q, q], {"attn_mask": CAUSAL}
    added = np.where(CAUSAL, -3, 0.5).astype(np.float32)
    yield "attention added mask", f"{made})", [q, q, q], {"attn_mask": added}
    yield "attention padding", f"{made})", [q, k, k], {"key_padding_mask": PADDING}
    per_head = np.stack([np.roll(CAUSAL, i, 1) for i in (0, 1, 0, 1)]) & (np.arange(3) > 0)
    yield "attention mask of each head", f"{made})", [q, q, q], {"attn_mask": per_head}
    yield "attention heads apart", f"{made})", [q, k, k], {"average_attn_weights": False}
    yield "attention without weights", f"{made})", [q, k, k], {"need_weights": False}
    other = f"{made}, kdim=3, vdim=5)"
    yield "attention of other sizes", other, [q, (4, 2, 3), (4, 2, 5)], {}
    extra = f"{made}, add_bias_kv=True, add_zero_attn=True)"
    yield "attention extra", extra, [q, k, k], {"key_padding_mask": PADDING}
    yield "attention batch first", f"{made}, batch_first=True, has_bias=False)", [(2, 3, 4)] * 3, {}
    yield "attention of one", f"{made})", [(3, 4), (4, 4), (4, 4)], {}
    mask = {"src_mask": CAUSAL}
    yield "encoder layer", f"{ENCODER})", [q], mask
    yield "encoder layer norm first", f"{ENCODER}, norm_first=True, activation='gelu')", [q], mask
    yield "encoder layer batch first", f"{ENCODER}, batch_first=True)", [(2, 3, 4)], {}
    decoder = ENCODER.replace("Encoder", "Decoder")
    masks = {"tgt_mask": CAUSAL, "memory_key_padding_mask": PADDING}
    yield "decoder layer", f"{decoder})", [q, k], masks
    yield "decoder layer norm first", f"{decoder}, norm_first=True)", [q, k], masks
    yield "encoder", f"nn.TransformerEncoder({ENCODER}), 2, nn.LayerNorm((4,)))", [q], mask
    yield "decoder", f"nn.TransformerDecoder({decoder}), 2)", [q, k], masks
    yield "transformer", "nn.Transformer(4, 2, 1, 2, 6, 0.0)", [k, q], {"tgt_mask": CAUSAL}


def _others():
    yield "dense", "nn.Dense(3, 2, activation='tanh')", [(4, 3)], {}
    yield "bidense", "nn.BiDense(2, 3, 2)", [(4, 2), (4, 3)], {}
    ids = np.array([[1, 3], [1, 0]], np.int32)
    yield "embedding", "nn.Embedding(4, 3)", [ids], {}
    yield "embedding one hot", "nn.Embedding(4, 3, True)", [ids], {}
    yield "embedding padding", "nn.Embedding(4, 3, padding_idx=1)", [ids], {}


CASES = {name: rest for cases in (_recurrent, _attention, _others) for name, *rest in cases()}


def pattern(shape, start=0.0):
    """Numbers between -1 and 1, the same everywhere."""
    count = int(np.prod(shape))
    return np.sin(np.arange(count) * 1.7 + start).reshape(shape).astype(np.float32)


def inputs_of(ms, given, dtype=None):
    """The inputs as tensors: those that are given, or of these shapes."""
    found = []
    for number, each in enumerate(given):
        if isinstance(each, np.ndarray) or each is None:
            found.append(each if each is None else ms.Tensor(each))
        elif isinstance(each[0], tuple):
            found.append(tuple(inputs_of(ms, each, dtype)))
        else:
            found.append(ms.Tensor(pattern(each, number + 0.3), dtype or ms.float32))
    return found


def filled(ms, net):
    """The layer with a pattern of numbers in each Parameter, sorted by name; not in training."""
    named = sorted(net.parameters_dict().items())
    for number, (_, parameter) in enumerate(named):
        values = ms.Tensor(pattern(parameter.shape, number * 0.9) * 0.6, parameter.dtype)
        parameter.set_data(values)
    return net.set_train(False)


def tensors(value):
    """The tensors in a result."""
    if not isinstance(value, (tuple, list)):  # noqa: UP038  (read in graph mode too)
        return [value]
    found = []
    for item in value:
        found += tensors(item)
    return found


def answered(ms, name, dtype=None):
    """Results, gradients of the inputs, and of each Parameter (its product with a pattern)."""
    made, given, options = CASES[name]
    net = filled(ms, eval(made, {"nn": ms.nn}))
    inputs = inputs_of(ms, given, dtype)
    options = {k: ms.Tensor(v) if isinstance(v, np.ndarray) else v for k, v in options.items()}

    def loss(*inputs):
        results = tensors(net(*inputs, **options))
        weights = [ms.Tensor(pattern(r.shape, i + 0.7), r.dtype) for i, r in enumerate(results)]
        return sum([(r * w).sum() for r, w in zip(results, weights)])  # noqa: B905

    taken = [i for i, x in enumerate(inputs) if hasattr(x, "dtype") and "Float" in str(x.dtype)]
    weights = net.trainable_params()
    found = ms.grad(loss, tuple(taken) or None, tuple(weights))(*inputs)
    of_inputs, of_weights = found if taken else ((), found)
    of_inputs = [x.asnumpy() for x in tensors(of_inputs)]
    dots = {
        p.name: [list(p.shape), float((g.asnumpy() * pattern(g.shape, 0.4)).sum())]
        for p, g in zip(weights, of_weights)  # noqa: B905
    }
    results = [x.asnumpy() for x in tensors(net(*inputs, **options))]
    return {"results": results, "inputs": of_inputs, "weights": dots}


def main():
    """Ask MindSpore, write the answers."""
    import mindspore as ms

    ms.runtime.launch_blocking()
    rows = []
    for name in CASES:
        found = answered(ms, name)
        for part in ("results", "inputs"):
            found[part] = [np.round(x.astype(float), 6).tolist() for x in found[part]]
        found["weights"] = {k: [s, round(v, 5)] for k, (s, v) in found["weights"].items()}
        rows.append(f" {json.dumps(name)}: {json.dumps(found)}")
    GOLDEN.write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()
