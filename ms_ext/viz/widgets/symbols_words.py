"""The sentences of ``viz.symbols``: what a file is, who finds a name, and where it is."""

import difflib
import re

from ...engine.custom.loading import clinic, contents

#: Role of an exported name -> what finds it.
FOUND_BY = {
    "kernel": 'func="{file}:{name}"; nobody can see its arguments',
    "companion": "the loader, beside its kernel",
    "module": "import {module}",
    "C++": 'C++ code alone: no loader finds it as "{plain}"',
}
_NM = {"kernel": "T", "companion": "T", "module": "T", "C++": "T", "inline": "W", "data": "D"}


def count(number, noun):
    """A number of things.

    >>> count(1, "library"), count(2, "library"), count(0, "function")
    ('1 library', '2 libraries', '0 functions')
    """
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else many}"


def title(found):
    """One sentence that says all that matters."""
    own = [each for role in FOUND_BY for each in found.of(role)]
    kernels, entries = found.of("kernel"), found.of("module")
    parts = [f"exports {count(len(own), 'function')} of its own"]
    parts += [f"{count(len(kernels), 'kernel')} among them"] * bool(kernels)
    parts += [f"Python imports it as {module(each.name)}" for each in entries]
    file = f"the library of {found.source}" if found.source else f"{found.file}, {found.kind}"
    return f"{file}: {', '.join(parts)}; {_missing(found)}"


def _missing(found):
    if found.kind.startswith("an object"):
        names = count(len(found.nobodys), "name")
        return f"the linker has to find {names} elsewhere" if found.nobodys else "ready to link"
    lacking = [f"{name} is not found" for name in found.absent]
    if found.nobodys:
        number = len(found.nobodys)
        lacking.append(f"{count(number, 'needed name')} {'is' if number == 1 else 'are'} nobody's")
    return ", ".join(lacking) or "nothing is missing"


def module(entry):
    """What Python calls a module, by the name of its entry.

    >>> module("PyInit_cpu_add")
    'cpu_add'
    """
    return entry.removeprefix("PyInit_")


def letter(role):
    """The letter that ``nm`` writes: T a function, W one of several alike, D data."""
    return _NM[role]


def use(found, each):
    """Who finds an exported name."""
    file = f"./{found.file}"
    plain = clinic.plain_name(each.name) or each.shown
    words = {"file": file, "name": each.name, "module": module(each.name), "plain": plain}
    return FOUND_BY[each.role].format(**words)


def provider(label, found):
    """Who offers needed names."""
    if label == contents.NOBODY:
        is_object = found.kind.startswith("an object")
        return "not here: the linker looks in the other files" if is_object else "nobody offers it"
    return "Python itself" if label == contents.PYTHON else label


def hint(found, name):
    """What a needed name that nobody offers suggests, or ""."""
    plain = clinic.plain_name(name)
    if found.absent:
        return f"perhaps {' or '.join(found.absent)} has it, which the loader does not find"
    if found.kind.startswith("an object") or not re.match(r"_Z\d", name) or plain is None:
        return ""
    if plain in {each.name for each in found.exported}:
        return f'the C function {plain} is here: declare it extern "C" where it is called too'
    return f'defined in C? Then it is declared without extern "C": it would be {plain}'


def answer(found, name):
    """What became of a name that was looked for."""
    exported = {each.name: each for each in found.exported}
    if name in exported:
        each = exported[name]
        by = use(found, each) if each.role in FOUND_BY else "C++ of headers, or data"
        return f"{name!r} is exported: {by}."
    if cxx := [e for e in found.exported if clinic.plain_name(e.name) == name]:
        return (
            f"{name!r} is not exported; C++ made {cxx[0].name} of it. "
            'extern "C" keeps a name as it is.'
        )
    if cxx := [e for e in found.of("C++") if clinic.plain_name(e.name) == clinic.plain_name(name)]:
        return f"{name!r} is not exported; {cxx[0].name} is, for other types of arguments."
    wanted = [e for names in found.needs.values() for e in names]
    if hit := [e for e in wanted if name in (e, clinic.plain_name(e))]:
        label = next(label for label, names in found.needs.items() if hit[0] in names)
        return f"{name!r} is needed, not exported: {provider(label, found)}."
    near = _nearest(name, found, wanted)
    said = f"did you mean {' or '.join(near)}?" if near else "no name is near."
    if found.of("module"):
        said += " (What m.def binds is no symbol: dir(module) has it.)"
    return f"{name!r} is neither exported nor needed; {said}"


def _nearest(name, found, wanted):
    own = [e.name for e in found.exported if e.role in FOUND_BY]
    own = [clinic.plain_name(each) or each for each in own]
    close = difflib.get_close_matches(name, own, n=2)
    close = close or [each for each in own if name in each or each in name][:2]
    return close or difflib.get_close_matches(name, wanted, n=2)
