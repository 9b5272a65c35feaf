"""A training step: MLP 784-512-512-10, batch 64, forward, backward and SGD, against others.

Each takes part where it is installed, in turns with ours: NumPy by hand, torch (eager), jax.jit
and MindSpore. Set OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 for one thread each. 205 MFLOP of
products are the limit of a step.
"""

import importlib.util

import numpy as np

import ms_ext
from benchmarks import measure

BATCH, SIZES, RATE = 64, (784, 512, 512, 10), 0.01
FLOPS = 2 * BATCH * (3 * (784 * 512 + 512 * 512 + 5120) - 784 * 512)  # no gradient of the data


def data():
    """Weights (in, out), biases, images and labels."""
    rng = np.random.default_rng(0)
    pairs = list(zip(SIZES, SIZES[1:], strict=False))
    weights = [(rng.standard_normal(p) * (2 / p[0]) ** 0.5).astype(np.float32) for p in pairs]
    images = rng.standard_normal((BATCH, SIZES[0])).astype(np.float32)
    labels = rng.integers(0, 10, BATCH).astype(np.int32)
    return weights, [np.zeros(p[1], np.float32) for p in pairs], images, labels


def cells(ms, graph_mode):
    """A step by Cells, ``value_and_grad`` and ``nn.SGD``: of ms_ext, or of MindSpore itself."""
    nn, (weights, biases, images, labels) = ms.nn, data()
    net = nn.SequentialCell(
        nn.Dense(784, 512), nn.ReLU(), nn.Dense(512, 512), nn.ReLU(), nn.Dense(512, 10)
    )
    layers = [layer for layer in net if hasattr(layer, "weight")]
    for layer, weight, bias in zip(layers, weights, biases, strict=True):
        layer.weight.set_data(ms.Tensor(np.ascontiguousarray(weight.T)))
        layer.bias.set_data(ms.Tensor(bias))
    loss, optimizer = nn.CrossEntropyLoss(), nn.SGD(net.trainable_params(), RATE)
    gradient = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)

    def train(x, y):
        value, gradients = gradient(x, y)
        optimizer(gradients)
        return value

    x, y = ms.Tensor(images), ms.Tensor(labels)
    if graph_mode:
        train = ms.jit(train)
    return lambda: float(train(x, y).asnumpy())


def by_hand():
    """The same in NumPy, every gradient written out."""
    (w1, w2, w3), (b1, b2, b3), x, y = data()
    rows, share, rate = np.arange(BATCH), np.float32(1 / BATCH), np.float32(RATE)

    def step():
        a = np.maximum(x @ w1 + b1, 0)
        b = np.maximum(a @ w2 + b2, 0)
        z = b @ w3 + b3
        z = z - z.max(1, keepdims=True)
        e = np.exp(z)
        s = e.sum(1, keepdims=True)
        loss = float((np.log(s[:, 0]) - z[rows, y]).mean())
        g = e / s
        g[rows, y] -= 1
        g *= share
        g2 = (g @ w3.T) * (b > 0)
        g1 = (g2 @ w2.T) * (a > 0)
        changes = [b.T @ g, g.sum(0), a.T @ g2, g2.sum(0), x.T @ g1, g1.sum(0)]
        for parameter, change in zip((w3, b3, w2, b2, w1, b1), changes, strict=True):
            parameter -= rate * change
        return loss

    return step


def torch_step():
    """torch, eager, with its own SGD."""
    import torch

    weights, biases, images, labels = data()
    torch.set_num_threads(1)
    net = torch.nn.Sequential(
        torch.nn.Linear(784, 512), torch.nn.ReLU(), torch.nn.Linear(512, 512), torch.nn.ReLU(),
        torch.nn.Linear(512, 10),
    )  # fmt: skip
    with torch.no_grad():
        for layer, weight, bias in zip(net[::2], weights, biases, strict=True):
            layer.weight.copy_(torch.from_numpy(weight.T))
            layer.bias.copy_(torch.from_numpy(bias))
    optimizer = torch.optim.SGD(net.parameters(), lr=RATE)
    x, y = torch.from_numpy(images), torch.from_numpy(labels).long()

    def step():
        loss = torch.nn.functional.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


def jax_step():
    """jax.jit of the whole step."""
    import jax
    import jax.numpy as jnp

    weights, biases, images, labels = data()
    x, y = jnp.asarray(images), jnp.asarray(labels)
    held = [[jnp.array(each) for each in (*weights, *biases)]]

    def loss_of(parameters):
        w1, w2, w3, b1, b2, b3 = parameters
        scores = jax.nn.relu(jax.nn.relu(x @ w1 + b1) @ w2 + b2) @ w3 + b3
        return -jnp.take_along_axis(jax.nn.log_softmax(scores), y[:, None], 1).mean()

    @jax.jit
    def train(parameters):
        loss, gradients = jax.value_and_grad(loss_of)(parameters)
        pairs = zip(parameters, gradients, strict=True)
        return loss, [parameter - RATE * gradient for parameter, gradient in pairs]

    def step():
        loss, held[0] = train(held[0])
        return float(loss)

    return step


def mindspore_step(graph_mode):
    """MindSpore itself."""
    import mindspore

    mindspore.set_device("CPU")
    return cells(mindspore, graph_mode)


def programs():
    """Every step that can run here, by name."""
    found = {
        "eager": cells(ms_ext, False),
        "graph": cells(ms_ext, True),
        "numpy, by hand": by_hand(),
    }
    others = {
        "torch": ("torch", torch_step),
        "jax.jit": ("jax", jax_step),
        "MindSpore, eager": ("mindspore", lambda: mindspore_step(False)),
        "MindSpore, graph": ("mindspore", lambda: mindspore_step(True)),
    }
    for name, (package, make) in others.items():
        if importlib.util.find_spec(package) is not None:
            found[name] = make()
    return found


def main(rounds=25):
    """Print the table; the first losses show that all do the same."""
    steps = programs()
    losses = {name: round(step(), 4) for name, step in steps.items()}
    print("first losses: " + ", ".join(f"{name} {loss}" for name, loss in losses.items()))
    found = measure.interleaved(steps, rounds, burst=0.03)
    measure.table("a training step", found, "torch" if "torch" in found else "numpy, by hand")
    for name, timing in found.items():
        print(f"- {name}: {FLOPS / timing.least / 1e9:.0f} GFLOP/s")


if __name__ == "__main__":
    main()
