"""The five steps of training, as a script for MindSpore: data, network, gradients, compile, run.

    ms-ext run tests/five_steps.py FOLDER MODE EPOCHS

FOLDER holds handwritten digits as MnistDataset reads them (`ms-ext data digits FOLDER`), MODE is
"eager" or "graph". Prints JSON: the loss of every step, and the share of held-out digits that the
network reads right, before and after its checkpoint was loaded into another one.
"""

import json
import sys

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn, ops
from mindspore.dataset import transforms, vision


class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()
        self.fc1 = nn.Dense(16 * 4 * 4, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, 10)

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.flatten(self.pool(self.relu(self.conv2(x))))
        return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))


def digits(folder, usage):
    data = ds.MnistDataset(folder, usage=usage)
    look = [vision.Rescale(1 / 255, 0), vision.Normalize((0.1307,), (0.3081,)), vision.HWC2CHW()]
    data = data.map(look, "image").map(transforms.TypeCast(ms.int32), "label")
    return data.batch(32)


def right(net, data):
    net.set_train(False)
    found = count = 0
    for x, y in data.create_tuple_iterator(num_epochs=1):
        found += int(ops.sum((net(x).argmax(1) == y).astype(ms.int32)))
        count += y.shape[0]
    return found / count


def trained(folder, epochs):
    net, loss_fn = LeNet5(), nn.CrossEntropyLoss()
    optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.01, momentum=0.9)

    def forward(x, y):
        return loss_fn(net(x), y)

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)

    def step(x, y):
        loss, gradients = gradient(x, y)
        optimizer(gradients)
        return loss

    losses = []
    net.set_train()
    for x, y in [each for _ in range(epochs) for each in digits(folder, "train")]:
        losses.append(float(step(x, y).asnumpy()))
    return net, losses


def main(folder, mode, epochs):
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    ms.set_seed(1)
    ds.config.set_seed(1)
    net, losses = trained(folder, int(epochs))
    held_out = digits(folder, "test")
    before = right(net, held_out)
    ms.save_checkpoint(net, f"{folder}/lenet_{mode}.ckpt")
    other = LeNet5()
    ms.load_param_into_net(other, ms.load_checkpoint(f"{folder}/lenet_{mode}.ckpt"))
    print(json.dumps({"losses": losses, "right": [before, right(other, held_out)]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
