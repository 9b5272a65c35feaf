"""How is the tree written in C? Each statement is one of C's, in a function ``run``.

``hybrid_words.h`` has the rest: what comes in from outside, and what happens if an index is wrong.
"""

from . import kinds
from .c_values import Expressions, size
from .c_words import converted, element_type, identifier, narrow, value_type
from .tree import Allocate, Assign, Constant, For, If, Size, Store, Tensor


def written(tree):
    """(text, places): the C of a Tree, and what each number of a fault is about.

    A place is a pair: "index", "size", "step", "zero", "power" or "result", and a Where.
    """
    writing = Writing(tree)
    return writing.text(), writing.expressions.places


class Writing:
    """Writes one tree."""

    def __init__(self, tree):
        self.tree, self.lines, self.expressions = tree, [], Expressions()
        self.alone = self.expressions.alone
        buffers = [t.name for t in tree.tensors.values() if t.source == "buffer"]
        self.slots = {name: slot for slot, name in enumerate(buffers)}

    def text(self):
        """The whole file."""
        self._parameters()
        self._locals()
        self._block(self.tree.body, 1)
        self._results()
        head = [
            f"/* {self.tree.name}, as ms_ext wrote it for {_inputs(self.tree)} */",
            f"#define BUFFERS {len(self.slots)}",
            '#include "hybrid_words.h"',
            "",
            "static void run(struct call *call, void **arrays, const int64_t *const *shapes)",
            "{",
        ]
        return "\n".join([*head, *self.lines, "}", ""])

    # around the statements ------------------------------------------------------------------------

    def _say(self, depth, text):
        self.lines.append("    " * depth + text)

    def _parameters(self):
        for place, given in enumerate(self.tree.inputs):
            name = identifier(given.name)
            if isinstance(given, Tensor):
                self._pointer(given, f"arrays[{place}]")
                self._sizes(given, place)
            else:
                read = f"*({value_type(given.kind)} *)arrays[{place}]"
                kind = self.tree.variables[given.name]
                self._say(1, f"{value_type(kind)} {name} = {converted(read, given, kind)};")

    def _pointer(self, tensor, given):
        self._say(1, f"{element_type(tensor.kind)} *{identifier(tensor.name)} = {given};")

    def _sizes(self, tensor, place):
        if tensor.rank:
            sizes = [f"{size(tensor.name, n)} = shapes[{place}][{n}]" for n in range(tensor.rank)]
            self._say(1, f"const int64_t {', '.join(sizes)};")

    def _locals(self):
        """Results, buffers and numbers; the function gives each its value before it is used."""
        count, placed = len(self.tree.inputs), {}
        for position, name in enumerate(self.tree.results):
            placed.setdefault(name, count + position)
        for tensor in self.tree.tensors.values():
            if tensor.source == "output":
                self._pointer(tensor, f"arrays[{placed[tensor.name]}]")
                self._sizes(tensor, placed[tensor.name])
            elif tensor.source == "buffer":
                self._pointer(tensor, "NULL")
                for axis in range(tensor.rank):
                    self._say(1, f"int64_t {size(tensor.name, axis)} = 0;")
        parameters = {each.name for each in self.tree.inputs}
        for name, kind in self.tree.variables.items():
            if name not in parameters:
                self._say(1, f"{value_type(kind)} {identifier(name)} = 0;")
        self._say(0, "")

    def _results(self):
        """Results that are inputs, or are returned twice, are copied to their places."""
        count, seen = len(self.tree.inputs), set()
        for position, name in enumerate(self.tree.results):
            tensor = self.tree.tensors[name]
            if tensor.source == "input" or name in seen:
                for axis in range(tensor.rank):
                    given = f"shapes[{count + position}][{axis}]"
                    self._promise(tensor, axis, given, None, 1)
                self._say(1, f"memmove(arrays[{count + position}], {identifier(name)}, "
                             f"{self._bytes(tensor)});")  # fmt: skip
            seen.add(name)

    def _promise(self, tensor, axis, given, where, depth):
        place = self.expressions.place("result", where)
        self._say(depth, f"promised(call, {size(tensor.name, axis)}, {given}, {axis}, {place});")

    def _bytes(self, tensor):
        sizes = [size(tensor.name, axis) for axis in range(tensor.rank)]
        return " * ".join([*[f"(size_t){s}" for s in sizes], f"sizeof *{identifier(tensor.name)}"])

    # statements -----------------------------------------------------------------------------------

    def _block(self, statements, depth):
        rules = {Assign: self._assign, Store: self._store, Allocate: self._allocate,
                 For: self._for, If: self._if}  # fmt: skip
        for each in statements:
            rules[type(each)](each, depth)

    def _assign(self, statement, depth):
        value = self.alone(statement.value, self.tree.variables[statement.name], statement.where)
        self._say(depth, f"{identifier(statement.name)} = {value};")

    def _store(self, statement, depth):
        target = statement.target
        value = self.expressions.stored(statement.value, target.kind, target.where)
        if narrow(target.kind):
            value = f"to_{narrow(target.kind)}({value})"
        self._say(depth, f"{self.expressions.spot(target)} = {value};")

    def _allocate(self, statement, depth):
        tensor, name = self.tree.tensors[statement.tensor], identifier(statement.tensor)
        lengths = [self.alone(each, int) for each in statement.sizes]
        names = [size(tensor.name, axis) for axis in range(tensor.rank)]
        if tensor.source == "output":
            for axis, (length, given) in enumerate(zip(lengths, names, strict=True)):
                place = self.expressions.place("result", statement.where)
                self._say(depth, f"promised(call, {length}, {given}, {axis}, {place});")
            self._say(depth, f"memset({name}, 0, {self._bytes(tensor)});")
            return
        place = self.expressions.place("size", statement.where)
        for length, given in zip(lengths, names, strict=True):
            self._say(depth, f"{given} = size_of(call, {length}, {place});")
        count, slot = " * ".join(names or ["1"]), self.slots[tensor.name]
        self._say(depth, f"{name} = zeros(call, {slot}, {count}, sizeof *{name}, {place});")

    def _for(self, loop, depth):
        name, note = (
            identifier(loop.variable),
            "" if loop.word == "range" else f" /* {loop.word} */",
        )
        first, stop, step = [self.alone(each, int) for each in (loop.first, loop.stop, loop.step)]
        end = stop if isinstance(loop.stop, Constant | Size) else f"{name}_end_"
        until = "" if end == stop else f", {end} = {stop}"
        if isinstance(loop.step, Constant) and loop.step.value:
            sign = "<" if loop.step.value > 0 else ">"
            self._say(depth, f"for (int64_t {name} = {first}{until}; {name} {sign} {end}; "
                             f"{name} += {step}) {{{note}")  # fmt: skip
        else:
            place = self.expressions.place("step", loop.where)
            self._say(depth, f"int64_t {name}_first_ = {first}, {name}_step_ = {step};")
            self._say(depth, f"int64_t {name}_left_ = times(call, {name}_first_, {stop}, "
                             f"{name}_step_, {place});")  # fmt: skip
            self._say(depth, f"for (int64_t {name} = {name}_first_; {name}_left_-- > 0; "
                             f"{name} += {name}_step_) {{{note}")  # fmt: skip
        self._block(loop.body, depth + 1)
        self._say(depth, "}")

    def _if(self, statement, depth):
        self._say(depth, f"if ({self.alone(statement.test, statement.test.kind)}) {{")
        self._block(statement.body, depth + 1)
        if statement.orelse:
            self._say(depth, "} else {")
            self._block(statement.orelse, depth + 1)
        self._say(depth, "}")


def _inputs(tree):
    return ", ".join([
        f"{each.name} {kinds.named(each.kind)}"
        + (f"[{', '.join('n' * each.rank)}]" if isinstance(each, Tensor) else "")
        for each in tree.inputs
    ])  # fmt: skip
