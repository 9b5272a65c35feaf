"""Who is the learner of a folder, in the words of a gradebook elsewhere?

A mapping file is a CSV with a column ``learner`` (the folder's name) and any of ``FIELDS``.
"""

import csv
import hashlib
import re
from typing import NamedTuple

from ms_ext.engine import errors

#: What may be said of a learner, and what it is called in the gradebooks that want it.
FIELDS = {
    "name": "the full name, as in a class list",
    "email": "the e-mail address (Moodle)",
    "id": "the number in the gradebook: Canvas' ID, Moodle's ID number",
    "login": "the name to log in with: Canvas' SIS Login ID, Moodle's username",
    "sis_id": "Canvas' SIS User ID",
    "section": "the group (Canvas)",
}
UNIQUE = ("email", "id", "login", "sis_id")


class Person(NamedTuple):
    """What is known of a learner; "" for what is not."""

    learner: str
    name: str = ""
    email: str = ""
    id: str = ""
    login: str = ""
    sis_id: str = ""
    section: str = ""


def plain(error):
    """Why a file could not be read, without its path.

    >>> plain(FileNotFoundError(2, "No such file or directory", "people.csv"))
    'no such file or directory'
    """
    said = getattr(error, "strerror", None)
    return f"{said[:1].lower()}{said[1:]}" if said else str(error)


def read(path):
    """The people of a mapping file, by learner."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            lines = csv.DictReader(file, skipinitialspace=True)
            _check_columns(path, lines.fieldnames or ())
            rows = [(lines.line_num, _person(row)) for row in lines if any(_texts(row))]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        hint = "It must be a CSV in UTF-8 with a first line such as: learner,name,email"
        raise errors.InvalidValue(
            "The file of people cannot be read.", given=f"{path}: {plain(error)}", hint=hint
        ) from None
    _check_unique(path, rows)
    return {person.learner: person for _, person in rows}


def _check_columns(path, columns):
    unknown = [name for name in columns if name not in ("learner", *FIELDS)]
    if "learner" not in columns:
        raise errors.InvalidValue(
            "The file of people has no column 'learner'.",
            given=f"{path}: {', '.join(map(str, columns)) or 'no columns'}",
            hint="The first line names the columns: learner (the folder), then any of "
            + ", ".join(FIELDS),
        )
    if unknown:
        hint = errors.did_you_mean(unknown[0], FIELDS) or f"Known are {', '.join(FIELDS)}."
        raise errors.InvalidValue(
            f"The file of people has a column {unknown[0]!r}.", given=str(path), hint=hint
        )


def _texts(row):
    return [value.strip() for value in row.values() if isinstance(value, str)]


def _person(row):
    return Person(**{name: (row.get(name) or "").strip() for name in Person._fields})


def _check_unique(path, rows):
    """No learner twice, and no two learners with one address or number."""
    for field in ("learner", *UNIQUE):
        first = {}
        for line, person in rows:
            value = getattr(person, field)
            key = value.casefold()
            if not value and field != "learner":
                continue
            if not value or key in first:
                what = f"is the same as in line {first[key]}" if value else "is empty"
                raise errors.InvalidValue(
                    f"The {field} in line {line} of the file of people {what}.",
                    given=f"{path}, line {line}: {value or person.name}",
                    hint="Every line stands for one learner.",
                )
            first[key] = line


def of(learners, people):
    """A Person for each of ``learners``; without a mapping only the folder's name is known.

    >>> of(["anna"], None)
    [Person(learner='anna', name='', email='', id='', login='', sis_id='', section='')]
    """
    if people is None:
        return [Person(learner) for learner in learners]
    strangers = [learner for learner in learners if learner not in people]
    if strangers:
        who = "learner is" if len(strangers) == 1 else "learners are"
        raise errors.InvalidValue(
            f"{len(strangers)} graded {who} not in the file of people.",
            given=", ".join(strangers[:10]),
            hint=errors.did_you_mean(strangers[0], people)
            or "Add a line for each: their grades would be lost otherwise.",
        )
    return [people[learner] for learner in learners]


def without_work(learners, people):
    """Those of the file of people who have no grades: nothing of theirs was handed in."""
    return sorted(set(people or ()) - set(learners))


def file_name(learner):
    """A file name for a learner, whatever the folder is called; two learners never share one.

    >>> file_name("anna-m"), file_name("<script>")
    ('anna-m', 'script-5b63e5b2')
    """
    plain = re.sub(r"[^\w.-]+", "_", learner).strip("._-")[:80]
    if plain == learner and not re.fullmatch(r"(?i)(con|prn|aux|nul|(com|lpt)\d|index)", plain):
        return plain
    return f"{plain}-{hashlib.sha256(learner.encode()).hexdigest()[:8]}"
