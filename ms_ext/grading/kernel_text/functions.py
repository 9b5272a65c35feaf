"""Statements and functions of C: what is read once, and can be called."""

from .expressions import Expressions, true
from .memory import as_kind
from .program import BREAK, CONTINUE, NEXT, RETURN, Frame, Function, Program
from .tokens import tokens


def read(text):
    """The Program of a text; NotRead where it is no C, or more of it than is read here."""
    return _Reader(tokens(text)).program_of()


class _Reader(Expressions):
    """Statements and declarations, on top of expressions."""

    def __init__(self, made):
        super().__init__(made)
        self.program = Program()
        self.known = self.program.functions

    def program_of(self):
        """The whole text."""
        while self.token.kind != "end":
            self._outermost(plain=False)
        return self.program

    def _outermost(self, plain):
        if self.take("extern"):
            if self.token.text != '"C"':
                self.stop('after extern should stand "C"')
            self.at += 1
            if self.take("{"):
                while not self.take("}"):
                    self._outermost(plain=True)
                return
            plain = True
        if self.take("using", "namespace"):
            while not self.take(";"):
                self.at += 1
            return
        if not self.take(";"):
            self._declared_outside(plain)

    def _declared_outside(self, plain):
        if not self.is_type():
            self.stop("a function or a constant should begin here")
        hidden = any(t.text == "static" for t in self.tokens[self.at : self.at + 3])
        base = self.base()
        depth, name = self.stars(), self._name()
        if not self.take("("):
            self._variables(base, depth, name, outside=True)
            return
        kinds = self.kinds
        self.kinds = dict(kinds)
        parameters = self._parameters()
        if not self.take(";"):
            line = self.token.line
            self.known[name.text] = Function(
                name.text, (base, depth), parameters, None, not hidden, plain, line
            )
            self.need("{")
            body, end = self._block()
            whole = Function(name.text, (base, depth), parameters, body, not hidden, plain, end)
            self.known[name.text] = whole
        self.kinds = kinds

    def _parameters(self):
        made = []
        while not self.take(")"):
            base = self.base()
            depth = self.stars()
            name = self.token.text if self.token.kind == "word" else f"nameless {len(made)}"
            self.at += self.token.kind == "word"
            if self.take("["):
                self.need("]")
                depth += 1
            if (base, depth) != ("void", 0):
                made.append((name, (base, depth)))
                self.kinds[name] = (base, depth)
            if not self.take(","):
                self.need(")")
                break
        return tuple(made)

    def _name(self):
        token = self.token
        if token.kind != "word":
            self.stop("a name should stand here")
        self.at += 1
        return token

    # statements -----------------------------------------------------------------------------------

    def _block(self):
        """Statements up to }: (what runs them, the line of the })."""
        kinds, self.kinds = self.kinds, dict(self.kinds)
        inside = []
        while not self.take("}"):
            if self.token.kind == "end":
                self.stop("a { is not closed")
            inside.append(self.statement())
        self.kinds = kinds
        line = self.tokens[self.at - 1].line

        def run(f):
            for each in inside:
                if how := each(f):
                    return how
            return NEXT

        return run, line

    def statement(self):
        """One statement, as a function of a frame: NEXT, BREAK, CONTINUE or RETURN."""
        line, token = self.token.line, self.take(*_STATEMENTS)
        if token:
            made = getattr(self, _STATEMENTS[token.text])()
        elif self.is_type():
            base = self.base()
            depth = self.stars()
            made = self._variables(base, depth, self._name())
        else:
            value = self.expression().load
            self.need(";")
            made = lambda f: value(f) and NEXT or NEXT  # noqa: E731

        def run(f):
            f.program.passed(line)
            return made(f)

        return run

    def _braces(self):
        return self._block()[0]

    def _nothing(self):
        return lambda f: NEXT

    def _variables(self, base, depth, name, outside=False):
        """``int a = 1, *b = p;``."""
        made = []
        while True:
            if self.token.text in ("[", "{", "("):
                self.stop("arrays and objects of your own are not read by the checker")
            self.kinds[name.text] = (base, depth)
            if self.take("="):
                made.append((name.text, (base, depth), self.assignment().load))
            if not self.take(","):
                break
            depth = self.stars()
            name = self._name()
        self.need(";")

        def run(f):
            for each, kind, value in made:
                f.values[each] = as_kind(*kind, value(f))
            return NEXT

        if outside:
            frame = Frame(self.program)
            run(frame)
            self.program.globals = frame.values
        return run

    def _if(self):
        test = self._asked()
        yes = self.statement()
        no = self.statement() if self.take("else") else self._nothing()
        return lambda f: yes(f) if true(test(f)) else no(f)

    def _asked(self):
        self.need("(")
        test = self.expression().load
        self.need(")")
        return test

    def _while(self):
        test = self._asked()
        return _loop(test, self.statement(), lambda f: None)

    def _do(self):
        body = self.statement()
        self.need("while")
        test = self._asked()
        self.need(";")
        again = _loop(test, body, lambda f: None)
        return lambda f: how if (how := body(f)) == RETURN else NEXT if how == BREAK else again(f)

    def _for(self):
        kinds, self.kinds = self.kinds, dict(self.kinds)
        self.need("(")
        first = self.statement()
        test = (lambda f: 1) if self.token.text == ";" else self.expression().load
        self.need(";")
        step = (lambda f: None) if self.token.text == ")" else self.expression().load
        self.need(")")
        loop = _loop(test, self.statement(), step)
        self.kinds = kinds

        def run(f):
            first(f)
            return loop(f)

        return run

    def _return(self):
        value = (lambda f: None) if self.token.text == ";" else self.expression().load
        self.need(";")

        def run(f):
            f.result = value(f)
            return RETURN

        return run

    def _break(self):
        self.need(";")
        return lambda f: BREAK

    def _continue(self):
        self.need(";")
        return lambda f: CONTINUE


_STATEMENTS = {
    "{": "_braces", ";": "_nothing", "if": "_if", "while": "_while", "do": "_do", "for": "_for",
    "return": "_return", "break": "_break", "continue": "_continue",
}  # fmt: skip


def _loop(test, body, step):
    def run(f):
        while true(test(f)):
            f.program.passed(f.program.line)
            how = body(f)
            if how in (BREAK, RETURN):
                return RETURN if how == RETURN else NEXT
            step(f)
        return NEXT

    return run
