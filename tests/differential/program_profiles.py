"""What random programs are made of: the kinds of their variables, how to get one from others.

``PLAIN`` has whole numbers in its tests, so that two ways to calculate a float cannot take two ways
through a program. ``SMOOTH`` programs have a gradient at nearly every point: they are of floats,
tested too, and what grows is kept small.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Profile:
    """Tables by kind. F, R and X are floats of shapes (2, 3), (3,) and ()."""

    kinds: dict  # kind -> shape
    arguments: dict  # name -> kind
    numbers: tuple  # Python numbers among the arguments
    unary: dict  # kind -> templates
    binary: dict  # kind -> templates
    made: dict  # kind -> (template, kinds of what is put in)
    leaves: dict  # kind -> what is there always
    statements: tuple  # (how likely this or an earlier one is, the method that writes it)
    assigned: str  # kinds of new variables, as often as they shall be
    written: dict  # kind -> the part that is written to
    loops: tuple  # how many turns
    weights: dict  # Parameters: name -> kind


#: F and R are Float32, I Int32, S a whole number without axes, B a Bool.
PLAIN = Profile(
    kinds={"F": (2, 3), "R": (3,), "I": (2, 3), "S": (), "B": (2, 3)},
    arguments={"a": "F", "b": "R", "c": "I", "d": "S"},
    numbers=("k", "m"),
    unary={
        "F": ("-{}", "ops.abs({})", "ops.tanh({})", "ops.floor({})", "ops.relu({})", "{}.exp()"),
        "R": ("-{}", "ops.abs({})", "ops.sin({})", "ops.square({})"),
        "I": ("-{}", "ops.abs({})", "ops.square({})"),
        "S": ("-{}", "ops.abs({})"),
        "B": ("ops.logical_not({})",),
    },
    binary={
        "F": ("{} + {}", "{} - {}", "{} * {}", "ops.maximum({}, {})", "ops.minimum({}, {})"),
        "R": ("{} + {}", "{} - {}", "{} * {}", "ops.maximum({}, {})"),
        "I": ("{} + {}", "{} - {}", "{} * {}", "ops.minimum({}, {})"),
        "S": ("{} + {}", "{} - {}"),
        "B": ("ops.logical_and({}, {})", "ops.logical_or({}, {})"),
    },
    made={
        "F": (
            ("{} + {}", "FR"), ("{} * {}", "FR"), ("ops.where({}, {}, {})", "BFF"),
            ("{}.astype(ms.float32) * 0.5", "I"), ("{}[:, ::-1]", "F"), ("{} * 0.5", "F"),
        ),
        "R": (("{}[0]", "F"), ("{}.sum(0)", "F"), ("{}[::-1]", "R"), ("{} / 2", "R")),
        "I": (
            ("ops.where({}, {}, {})", "BII"), ("{} * 2 + 1", "I"), ("{} + {}", "IS"),
            ("({} > 0).astype(ms.int32)", "F"), ("{} // 3", "I"),
        ),
        "S": (
            ("{}.sum().astype(ms.int32)", "I"), ("{}[1, 2]", "I"), ("{}.max()", "I"),
            ("{} % 7", "S"),
        ),
        "B": (("{} > {}", "II"), ("{} <= 1", "I"), ("{} != {}", "II")),
    },
    leaves={"B": "c > 0", "I": "c", "S": "d", "F": "a", "R": "b"},
    statements=(
        (0.45, "assign"), (0.6, "branch"), (0.72, "count"), (0.8, "repeat"), (0.88, "write"),
        (0.94, "define"), (1.0, "leave"),
    ),
    assigned="FFRIISB",
    written={"F": "[0, 1]", "R": "[2]", "I": "[1]"},
    loops=("3", "2", "20", "k"),
    weights={},
)  # fmt: skip

_FLOATS = (
    "-{}", "ops.tanh({})", "ops.sin({})", "ops.cos({})", "ops.sigmoid({})", "ops.silu({})",
    "ops.exp(-ops.square({}))", "ops.log(ops.square({}) + 1)", "ops.sqrt(ops.square({}) + 1)",
    "ops.rsqrt(ops.abs({}) + 1)", "ops.atan({})", "ops.erf({})", "ops.abs({})", "ops.relu({})",
    "ops.clamp({}, -1, 1)", "ops.floor({}) * 0.25", "1 / ({} ** 2 + 1)",
    "ops.exp(ops.tanh({}))",
)  # fmt: skip
_PAIRS = (
    "{} + {}", "{} - {}", "{} * {}", "ops.maximum({}, {})", "ops.minimum({}, {})",
    "{} / (ops.abs({}) + 1)", "({} + {}) * 0.5",
)  # fmt: skip

#: As PLAIN, with X a float without axes; the floats have the precision of the arguments.
SMOOTH = Profile(
    kinds={**PLAIN.kinds, "X": ()},
    arguments={"a": "F", "b": "R", "s": "X", "c": "I", "d": "S", "p": "B"},
    numbers=PLAIN.numbers,
    unary={
        **PLAIN.unary,
        "F": (
            *_FLOATS, "ops.softmax({}, -1)", "ops.log_softmax({}, -1)", "ops.cumsum({}, 1)",
            "ops.stop_gradient({})",
        ),
        "R": (*_FLOATS, "ops.softmax({}, 0)"),
        "X": _FLOATS,
    },
    binary={**PLAIN.binary, "F": _PAIRS, "R": _PAIRS, "X": _PAIRS},
    made={
        "F": (
            ("{} + {}", "FR"), ("{} * {}", "RF"), ("{} * {}", "FX"), ("{} - {}", "XF"),
            ("ops.where({}, {}, {})", "BFF"), ("{}.astype(FLOAT) * 0.5", "I"), ("{}[:, ::-1]", "F"),
            ("ops.matmul(ops.matmul({}, ops.swapaxes({}, 0, 1)), {}) * 0.3", "FFF"),
            ("ops.concat(({}[:1], {}[1:]), 0)", "FF"), ("ops.stack(({}, {}), 0)", "RR"),
            ("{} - {}.mean(1, keep_dims=True)", "FF"), ("ops.broadcast_to({}, (2, 3))", "R"),
            ("{}.reshape((3, 2)).swapaxes(0, 1)", "F"), ("ops.tile({}, (2, 1))", "R"),
            ("{} * {}.astype(FLOAT)", "FB"), ("ops.where({}, {}, {})", "BFR"),
            ("ops.masked_fill({}, {}, 0.5)", "FB"), ("ops.where({}, {}, {})", "BXF"),
        ),
        "R": (
            ("{}[0]", "F"), ("{}.sum(0)", "F"), ("{}[::-1]", "R"), ("{} * {}", "RX"),
            ("{}.mean(0)", "F"), ("ops.amax({}, 0)", "F"), ("{}[{} % 2]", "FS"),
            ("ops.matmul(ops.matmul({}, {}), {}) * 0.3", "FRF"),
            ("ops.gather({}, ops.abs({})[0] % 3, 0)", "RI"), ("ops.broadcast_to({}, (3,))", "X"),
            ("ops.concat(({}[0, 1:], {}[:1]), 0)", "FR"), ("{}[1] * {}", "FR"),
        ),
        "X": (
            ("{}.sum() * 0.25", "F"), ("{}.mean()", "F"), ("{}[0, 1]", "F"), ("{}[2]", "R"),
            ("ops.matmul({}, {})", "RR"), ("{}.max()", "F"), ("{}.min()", "R"), ("{}[-1]", "R"),
            ("{}.astype(FLOAT) * 0.2", "S"), ("ops.prod({})", "R"),
        ),
        "I": (*PLAIN.made["I"], ("ops.abs({}) % 4", "I")),
        "S": (*PLAIN.made["S"], ("({} > 0.2).astype(ms.int32)", "X"), ("ops.abs({}) % 3", "S")),
        "B": (*PLAIN.made["B"], ("{} > 0.1", "F"), ("{} < {}", "FF"), ("{} < {}", "FX")),
    },
    leaves={**PLAIN.leaves, "X": "s", "B": "p"},
    statements=(
        (0.34, "assign"), (0.45, "branch"), (0.54, "count"), (0.64, "repeat"), (0.74, "write"),
        (0.81, "define"), (0.85, "choose"), (0.89, "recur"), (0.92, "pair"), (0.95, "collect"),
        (0.975, "early"), (1.0, "leave"),
    ),
    assigned="FFFRRXXISB",
    written={"F": "[0, 1]", "R": "[2]", "I": "[1]"},
    loops=("2", "3", "4", "k", "20"),
    weights={"w": "R", "u": "F"},
)  # fmt: skip
