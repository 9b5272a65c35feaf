"""Cells in graph mode: methods, attributes, other Cells, classes that are inherited from."""

import mindspore as ms
from arguments import matrix, vector
from cases import Named, case
from mindspore import Parameter, Tensor, nn, ops


class Inner(nn.Cell):
    def __init__(self, by):
        super().__init__()
        self.by = by
        self.weight = Parameter(Tensor([1.0, 1.0, 1.0]), name="weight")

    def construct(self, x):
        return x * self.by + self.weight

    def method(self, x, y=1):
        return x + y


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.second = Inner(2), Inner(3)
        self.layers = nn.CellList([Inner(1), Inner(2)])
        self.row = nn.SequentialCell(nn.ReLU(), Inner(4))
        self.table = {"a": 5}
        self.op = ops.Add()

    def construct(self, x):
        x = self.first(x)
        for layer in self.layers:
            x = layer(x)
        return self.row(x), self.second.method(x, y=2)


outer = Outer()


@case(vector, eager=True)
def cell_of_cells(x):
    return ms.jit(outer)(x)


@case(vector)
def cell_called_by_a_function(x):
    return outer(x)[0]


@case(vector)
def method_of_a_cell(x):
    return outer.first.method(x), outer.first.by, outer.table["a"]


@case(vector)
def primitive_of_a_cell(x):
    return outer.op(x, x)


@case(vector)
def layers_by_number(x):
    return outer.layers[1](x), len(outer.layers)


@case(vector)
def parameter_of_a_cell(x):
    return outer.first.weight + x, outer.first.weight.shape


@case(vector)
def attribute_that_a_cell_lacks(x):
    return outer.nosuch


class Parent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.k = 3

    def construct(self, x):
        return x * self.k

    def other(self, x):
        return x + self.k


class Child(Parent):
    def construct(self, x):
        return super().construct(x) + super(Child, self).other(x)  # noqa: UP008


child = Child()


@case(vector, eager=True)
def super_in_construct(x):
    return ms.jit(child)(x)


class Decorated(nn.Cell):
    def __init__(self):
        super().__init__()
        self.k = 2

    @ms.jit
    def construct(self, x, y=None, *rest, by=1, **more):
        z = x * self.k * by
        if y is not None:
            z = z + y
        return z, len(rest), more

    @staticmethod
    def fixed(x):
        return x + 1

    @classmethod
    def of_class(cls, x):
        return x + 2

    @property
    def double(self):
        return self.k * 2

    @ms.jit
    def calls_static(self, x):
        return self.fixed(x)

    @ms.jit
    def calls_class(self, x):
        return self.of_class(x)

    @ms.jit
    def reads_property(self, x):
        return x * self.double

    @ms.jit
    def reads_what_is_not_there(self, x):
        return x + self.nosuch

    @ms.jit
    def calls_what_is_not_there(self, x):
        return self.nosuch(x)


decorated = Decorated()


@case(
    vector, lambda: (*vector(), *vector()), lambda: (*vector(), *vector(), 1, 2),
    lambda: (*vector(), Named(by=3)), lambda: (*vector(), Named(z=3, y=vector()[0])), eager=True,
)  # fmt: skip
def arguments_of_construct(*args, **kwargs):
    return decorated(*args, **kwargs)


@case(vector, eager=True)
def static_method(x):
    return decorated.calls_static(x)


@case(vector, eager=True)
def class_method(x):
    return decorated.calls_class(x)


@case(vector, eager=True)
def property_of_a_cell(x):
    return decorated.reads_property(x)


@case(vector, eager=True)
def own_attribute_that_is_not_there(x):
    return decorated.reads_what_is_not_there(x)


@case(vector, eager=True)
def own_method_that_is_not_there(x):
    return decorated.calls_what_is_not_there(x)


@case(eager=True)
def construct_without_arguments():
    return decorated()


@case(vector, eager=True)
def cell_class_decorated(x):
    @ms.jit
    class Net(nn.Cell):
        def construct(self, x):
            return x * 7

    return Net()(x)


class Open(nn.Cell):
    @ms.jit
    def construct(self, x):
        return x * 2 + x.sum()


opened = Open()
opened.set_inputs(Tensor(shape=[None], dtype=ms.float32))


@case(
    vector,
    lambda: (Tensor([1.0, 2.0]),),
    lambda: (Tensor([[1.0]]),),
    eager=True,
    says="must be the same as expected, but got expected: ",
)
def inputs_of_any_length(x):
    return opened(x)


@case(vector)
def cell_made_inside(x):
    return Inner(2)(x)


@case(vector)
def layers_of_nn(x):
    return nn.ReLU()(x)


@case(vector, eager=True)
def gradient_of_a_cell(x):
    return ms.grad(outer.first)(x)


@case(vector)
def gradient_inside(x):
    return ms.grad(lambda y: (y * y).sum())(x)


def cube(x):
    return (x * x * x).sum()


@case(vector)
def gradient_of_a_function_inside(x):
    return ms.grad(cube)(x), ms.value_and_grad(cube)(x)


@case(vector)
def gradient_operation(x):
    return ops.GradOperation()(cube)(x), ops.GradOperation(get_all=True)(cube)(x)


@case(matrix)
def vmap_inside(m):
    return ops.vmap(lambda row: row * row.sum())(m)


@case(vector, eager=True)
def gradient_of_compiled_code(x):
    return ms.grad(ms.jit(cube))(x)
