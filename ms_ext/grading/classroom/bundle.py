"""What does a teacher keep to themselves? A folder with a key, and extra checks for exercises.

The key draws the inputs: nobody who lacks it knows them. The extra checks stand in
``extra/NN_topic/<topic>.py`` as ``checks``, declared like those of the exercise itself.
"""

import hashlib
import inspect
import json
import secrets
from pathlib import Path
from typing import NamedTuple

from ms_ext.engine import errors
from ms_ext.grading import drawing, exercise
from ms_ext.grading.classroom import people

FORMAT = 1
ROOT = Path(__file__).resolve().parents[3]
MADE_BY_PYTHON = "__pycache__"


class Bundle(NamedTuple):
    """What a folder made by ``new`` holds; ``sha`` is a hash of all of it."""

    path: Path
    title: str
    key: str
    names: tuple  # the exercises that are graded with it
    sha: str

    def seed(self, learner, name):
        """Where the inputs of a learner's exercise come from."""
        return drawing.seeded(self.key, learner, name)

    def exercise(self, name):
        """The exercise with its extra checks behind the open ones."""
        found = exercise.load(name)
        path = self._extra(found.name)
        extra = _checks(path) if path.exists() else ()
        taken = {check.name for check in found.checks}
        for check in extra:
            if check.name in taken:
                raise errors.InvalidValue(
                    f"Two checks of {found.name} are called {check.name!r}.",
                    given=str(path),
                    hint="Give the extra check a name of its own.",
                )
            taken.add(check.name)
        hidden = tuple([check._replace(open=False) for check in extra])
        return found._replace(checks=(*found.checks, *hidden))

    def _extra(self, name):
        file = exercise.find(name)
        return self.path / "extra" / file.parent.name / file.name


def _checks(path):
    """The extra checks that a file declares."""
    try:
        made = exercise.imported(path, f"extra_{path.parent.name}_{path.stem}").checks
        if not all(isinstance(check, exercise.Check) for check in made):
            raise TypeError("`checks` holds something that is no Check")
        return tuple(made)
    except Exception as error:  # whatever a teacher's file does wrong
        raise errors.InvalidValue(
            "A file of extra checks does not work.",
            given=f"{path}: {type(error).__name__}: {error}",
            hint="It must define `checks`, a tuple of Check.",
        ) from error


def read(path, submissions=None):
    """The Bundle in a folder; it may not lie where learners could read it."""
    path = Path(path).resolve()
    _check_place(path, submissions)
    try:
        about = json.loads((path / "bundle.json").read_text(encoding="utf-8"))
        title, key, names = about["title"], about["key"], tuple(about["exercises"])
        known = about["format"] == FORMAT and len(key) >= 16
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise errors.InvalidValue(
            "This is no bundle of checks.",
            given=f"{path}: {people.plain(error)}",
            hint="ms-ext grade bundle new PATH makes one.",
        ) from None
    if not known:
        raise errors.InvalidValue(
            f"This bundle has another format than {FORMAT}.", given=f"{path}: {about['format']}"
        )
    return Bundle(path, title, key, names, _digest(path))


def _check_place(path, submissions=None):
    for folder, what in ((ROOT, "the repository"), (submissions, "the submissions")):
        folder = folder and Path(folder).resolve()
        if folder and (path == folder or folder in path.parents):
            raise errors.InvalidValue(
                f"A bundle must not lie inside {what}: learners would have it too.",
                given=str(path),
                hint="Keep it in a folder of your own.",
            )


def _digest(path):
    """A hash of the names and contents of all files."""
    seen = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        if file.is_file() and MADE_BY_PYTHON not in file.parts:
            content = file.read_bytes()
            seen.update(f"{file.relative_to(path).as_posix()}\0{len(content)}\0".encode())
            seen.update(content)
    return seen.hexdigest()


# a new one -----------------------------------------------------------------------------------


def new(path, names, title=""):
    """Make a folder with a fresh key and a working file of extra checks for each exercise."""
    path = Path(path).resolve()
    _check_place(path)
    if path.exists() and any(path.iterdir() if path.is_dir() else [path]):
        raise errors.InvalidValue(
            "There is something at this place already.",
            given=str(path),
            hint="A bundle gets a folder of its own; its key is never overwritten.",
        )
    texts = {exercise.find(name): _file_text(exercise.load(name)) for name in names}
    about = {"format": FORMAT, "title": title, "key": secrets.token_hex(32)}
    about["exercises"] = list(names)
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    for file, text in texts.items():
        extra = path / "extra" / file.parent.name / file.name
        extra.parent.mkdir(parents=True, exist_ok=True)
        extra.write_text(text, encoding="utf-8")
    text = json.dumps(about, indent=1, ensure_ascii=False) + "\n"
    secret = path / "bundle.json"
    secret.touch(mode=0o600)  # nobody else may read the key, not for a moment
    secret.write_text(text, encoding="utf-8")
    return read(path)


def _file_text(declared):
    rows = [
        f'#   {c.name}: {c.title} ({c.points:g} point{"s" * (c.points != 1)}, ask="{c.ask}")'
        for c in declared.checks
    ]
    more = "\n".join(f"# {line}".rstrip() for line in _more(declared.checks).splitlines())
    return _TEXT.format(name=declared.name, rows="\n".join(rows), more=more)


def _more(checks):
    """A check with a family of its own that works as it is, from the first drawn family."""
    for number, check in enumerate(checks):
        family = check.cases.families[0] if isinstance(check.cases, drawing.Drawn) else None
        parameters = list(inspect.signature(family).parameters.values())[1:] if family else []
        texts = [p.default is p.empty or set(map(type, p.default)) <= {str} for p in parameters]
        if all(texts) and any(each.default is each.empty for each in parameters):
            given = [f"{p.name}={p.name}{' + 1' * (p.default is p.empty)}" for p in parameters]
            return _FAMILY.format(
                number=number,
                family=family.__name__,
                parameters=", ".join(map(str, parameters)),
                given=", ".join(given),
                dtypes=" ".join(check.cases.dtypes),
                tile=check.cases.tile // 2,
            )
    return _NO_FAMILY


_FAMILY = '''from ms_ext.grading.drawing import drawn

open_check = exercise.checks[{number}]
{family} = open_check.cases.families[0]


def mine(draw, {parameters}):
    """each size one more"""
    return {family}(draw, {given})


checks += (
    open_check._replace(
        name="mine",
        title="on sizes of my own",
        points=1,
        cases=drawn(mine, dtypes="{dtypes}", tile={tile}),
        needs=(*open_check.needs, open_check.name),
    ),
)
'''
_NO_FAMILY = """again = bundle.again(exercise.checks[0], points=2)
checks += (again._replace(name="mine", title="a check of my own"),)
"""


_TEXT = '''"""Extra checks for {name}: no learner has this file."""

from ms_ext.grading.classroom import bundle
from ms_ext.grading.exercise import load

exercise = load("{name}")

# Every open check once more, on inputs that only your key draws and on other sizes.
checks = tuple(bundle.again(check, points=1) for check in exercise.checks)

# The open checks:
{rows}
#
# More of your own: take an open check and give it another name and other cases. A family is a
# function from `draw` and sizes to the operands of one call; those of exercises/ show how they are
# made. This works as it stands, without the "# " in front:
#
{more}
'''


def again(check, points=1):
    """A check once more: the same families of inputs, drawn anew and in other sizes.

    A learner who has looked at the open cases and answers only those does not pass it.
    """
    return check._replace(
        name=f"{check.name}-again",
        title=f"{check.title}, on other sizes",
        points=points,
        cases=_resized(check.cases),
        needs=(*check.needs, check.name),
    )


def _resized(cases):
    """Sizes around another tile; never larger ones, which a judge may refuse."""
    if isinstance(cases, drawing.Drawn):
        return drawing.Drawn(cases.families, cases.dtypes, cases.tile * 3 // 4)
    if isinstance(cases, drawing.Joined):
        return drawing.Joined(tuple(map(_resized, cases.parts)))
    return cases
