"""Values: each expression of C becomes a function of the frame it is asked in."""

from collections.abc import Callable
from typing import NamedTuple

from .arithmetic import FUNCTIONS, LEVELS, computed
from .memory import KINDS, NULL, Fault, Pointer, as_kind, word
from .tokens import NotRead

QUALIFIERS = {
    "const", "static", "inline", "constexpr", "volatile", "register", "restrict", "__restrict__",
    "__restrict", "signed", "unsigned",
}  # fmt: skip
CASTS = ("static_cast", "reinterpret_cast", "const_cast")
ASSIGNING = ("=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=")
SIZES = {"float64": 8, "int64": 8, "uint64": 8, "int32": 4, "uint32": 4, "float32": 4,
         "int16": 2, "uint16": 2}  # fmt: skip
#: One value with a sign before it.
SIGNS = {
    "-": lambda v: -v if isinstance(v, float) else computed("-", 0, v),
    "+": lambda v: v,
    "!": lambda v: int(not true(v)),
    "~": lambda v: ~v,
}


class Value(NamedTuple):
    """An expression: how it is read, and how it is written if it is a place."""

    load: Callable  # frame -> value
    store: Callable | None = None  # (frame, value) -> None


class Expressions:
    """Reads expressions; ``self.tokens`` and ``self.at`` are where the reading is."""

    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0
        self.kinds = {}  # of the variables that may be named here: name -> (kind, depth)

    # the words that come next ---------------------------------------------------------------------

    @property
    def token(self):
        """The next one."""
        return self.tokens[self.at]

    def take(self, *texts):
        """The next token if it is one of these signs or words, else None."""
        token = self.token
        if token.text in texts and token.kind in ("sign", "word"):
            self.at += 1
            return token
        return None

    def need(self, text):
        """The next token, which must be this one."""
        return self.take(text) or self.stop(f"here should stand '{text}'")

    def stop(self, words):
        """The text cannot be read on."""
        found = f", not {self.token.text!r}" if self.token.text else ", and the text ends"
        raise NotRead(words + found, self.token.line)

    # types ----------------------------------------------------------------------------------------

    def is_type(self):
        """Whether a type begins here."""
        return self.token.kind == "word" and self.token.text in QUALIFIERS | KINDS.keys()

    def base(self):
        """A type without its stars."""
        names, unsigned = [], False
        while self.is_type():
            unsigned |= self.token.text == "unsigned"
            names.append(self.token.text)
            self.at += 1
        names = [name for name in names if name not in QUALIFIERS] or ["int"]
        kind = KINDS["long" if "long" in names and "double" not in names else names[-1]]
        return f"u{kind}" if unsigned and not kind.startswith("u") else kind

    def stars(self):
        """How many stars follow."""
        depth = 0
        while self.take("*"):
            depth += 1
            while self.take("const", "restrict", "__restrict__", "__restrict"):
                pass
        return depth

    # expressions ----------------------------------------------------------------------------------

    def expression(self):
        """One expression, commas included."""
        value = self.assignment()
        while self.take(","):
            first, second = value.load, self.assignment().load
            value = Value(lambda f, a=first, b=second: (a(f), b(f))[1])
        return value

    def assignment(self):
        """``place op= value``, or whatever binds more."""
        place = self.choice()
        sign = self.take(*ASSIGNING)
        if not sign:
            return place
        if place.store is None:
            self.stop("what stands left of = can take no value")
        load, store, given, op = place.load, place.store, self.assignment().load, sign.text[:-1]

        def assigned(f):
            value = computed(op, load(f), given(f)) if op else given(f)
            store(f, value)
            return value

        return Value(assigned)

    def choice(self):
        """``a ? b : c``."""
        asked = self.level(0)
        if not self.take("?"):
            return asked
        yes = self.assignment().load
        self.need(":")
        no, test = self.choice().load, asked.load
        return Value(lambda f: yes(f) if true(test(f)) else no(f))

    def level(self, number):
        """The signs of one level of binding and above."""
        if number == len(LEVELS):
            return self.prefixed()
        value = self.level(number + 1)
        while sign := self.take(*LEVELS[number]):
            value = _between(sign.text, value.load, self.level(number + 1).load)
        return value

    def prefixed(self):
        """``-x``, ``!x``, ``*p``, ``++x``, ``(float)x``."""
        if sign := self.take("-", "+", "!", "~", "*", "&", "++", "--"):
            return self._signed(sign.text, self.prefixed())
        if self.take("sizeof"):
            return self._size()
        if self.token.text == "(" and self._type_follows():
            self.at += 1
            kind, depth = self.base(), self.stars()
            self.need(")")
            return _cast(kind, depth, self.prefixed())
        return self.followed(self.primary())

    def _type_follows(self):
        self.at += 1
        found = self.is_type()
        self.at -= 1
        return found

    def _signed(self, sign, value):
        load, store = value
        if sign == "*":
            return Value(lambda f: address(load(f)).load(),
                         lambda f, new: address(load(f)).store(new))  # fmt: skip
        if sign in ("++", "--"):
            return self._counted(value, sign, after=False)
        if sign == "&":
            self.stop("& of a place is not read by the checker")
        made = SIGNS[sign]
        return Value(lambda f: made(load(f)))

    def _counted(self, value, sign, after):
        if value.store is None:
            self.stop(f"{sign} needs a place")
        load, store = value

        def count(f):
            old = load(f)
            new = computed(sign[0], old, 1)
            store(f, new)
            return old if after else new

        return Value(count)

    def _size(self):
        self.need("(")
        if not self.is_type():
            self.stop("sizeof of a type is read by the checker, sizeof of a value is not")
        kind, depth = self.base(), self.stars()
        self.need(")")
        return Value(lambda f: 8 if depth else SIZES.get(kind, 1))

    def followed(self, value):
        """``p[i]``, ``x++``."""
        while sign := self.take("[", "++", "--", ".", "->"):
            if sign.text == "[":
                value = _element(value.load, self.expression().load)
                self.need("]")
            elif sign.text in ("++", "--"):
                value = self._counted(value, sign.text, after=True)
            else:
                self.stop("objects with fields are not read by the checker")
        return value

    def primary(self):
        """A number, a name, a call, or something in brackets."""
        token = self.token
        self.at += 1
        if token.kind in ("number", "letter"):
            return Value(lambda f: token.value)
        if token.kind == "text":
            text = word(token.value)
            return Value(lambda f: text)
        if token.text == "(":
            value = self.expression()
            self.need(")")
            return value
        if token.text in CASTS:
            return self._named_cast()
        if token.kind != "word":
            self.at -= 1
            self.stop("here should stand a value")
        return self._named(token)

    def _named_cast(self):
        self.need("<")
        kind, depth = self.base(), self.stars()
        self.need(">")
        self.need("(")
        value = self.expression()
        self.need(")")
        return _cast(kind, depth, value)

    def _named(self, token):
        name = token.text
        if name in ("nullptr", "NULL"):
            return Value(lambda f: NULL)
        if name in ("true", "false"):
            return Value(lambda f: int(name == "true"))
        if self.take("("):
            return self._call(token)
        if name not in self.kinds:
            raise NotRead(f"{name} has not been declared", token.line)
        kind, depth = self.kinds[name]

        def store(f, value):
            f.values[name] = as_kind(kind, depth, value)

        return Value(lambda f: f.read(name), store)

    def _call(self, token):
        name, given = token.text, []
        while not self.take(")"):
            given.append(self.assignment().load)
            if not self.take(","):
                self.need(")")
                break
        if name in KINDS:  # float(x)
            return _cast(KINDS[name], 0, Value(given[0]))
        if name in FUNCTIONS:
            return Value(lambda f: FUNCTIONS[name](*[each(f) for each in given]))
        if name not in self.known:
            words = f"the function {name} is not known to the checker"
            raise NotRead(words, token.line)
        return Value(lambda f: f.program.run(name, [each(f) for each in given]))


def true(value):
    """Whether a value counts as true."""
    return value.memory is not None if isinstance(value, Pointer) else value != 0


def address(value):
    """A value that is used as an address."""
    if not isinstance(value, Pointer):
        raise Fault("no-pointer", "a number is used as an address")
    return value


def _between(sign, one, other):
    if sign == "||":
        return Value(lambda f: int(true(one(f)) or true(other(f))))
    if sign == "&&":
        return Value(lambda f: int(true(one(f)) and true(other(f))))
    return Value(lambda f: computed(sign, one(f), other(f)))


def _element(base, index):
    return Value(
        lambda f: address(base(f)).moved(index(f)).load(),
        lambda f, new: address(base(f)).moved(index(f)).store(new),
    )


def _cast(kind, depth, value):
    load = value.load
    return Value(lambda f: as_kind(kind, depth, load(f), cast=True))
