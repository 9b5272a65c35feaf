"""Are the arguments of a dataset what they must be? The kinds of errors are MindSpore's.

>>> of_type(3, int, "count"), column_list("x", "columns")
(3, ['x'])
"""

import inspect

from ..engine import errors
from ..engine.data import settings

INT32 = 2**31 - 1
FEWEST_ALLOWED = 16  # so many workers are allowed on small machines, too


def of_type(value, kinds, name):
    """The value, if it is of one of the types; True is no number."""
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    wrong_bool = isinstance(value, bool) and bool not in kinds and object not in kinds
    if isinstance(value, kinds) and not wrong_bool:
        return value
    listing = " or ".join("None" if k is type(None) else k.__name__ for k in kinds)
    raise errors.InvalidType(
        f"Argument {name} must be {listing}.", given=f"{value!r:.60} of type {type(value).__name__}"
    )


def within(value, low, high, name):
    """The value, if it is a whole number of this range."""
    of_type(value, int, name)
    if not low <= value <= high:
        raise errors.InvalidValue(
            f"Input {name} is not within the required interval of [{low}, {high}].", given=value
        )
    return value


def count_or_all(value, name):
    """A count of at least 1, or -1 for all."""
    of_type(value, int, name)
    if value != -1 and not 1 <= value <= INT32:
        raise errors.InvalidValue(
            f"{name} should be either -1 or a positive integer of at most {INT32}.", given=value
        )
    return value


def column_list(value, name):
    """Names of columns as a list; one alone may stand without brackets."""
    of_type(value, (list, str), name)
    names = [value] if isinstance(value, str) else value
    if not names:
        raise errors.InvalidValue(f"{name} should not be empty.")
    for place, each in enumerate(names):
        of_type(each, str, f"{name}[{place}]")
        if not each:
            raise errors.InvalidValue(f"{name}[{place}] should not be empty.")
    if len(set(names)) < len(names):
        raise errors.InvalidValue(
            f"Every column name should not be same with others in {name}.", given=names
        )
    return list(names)


def worker_count(value):
    """How many workers: the number given, or what config says; one while debugging."""
    if value is None:
        return settings.settings.workers
    most = max(settings.usable_cores(), FEWEST_ALLOWED)
    if not 1 <= of_type(value, int, "num_parallel_workers") <= most:
        raise errors.InvalidValue(
            f"num_parallel_workers exceeds the boundary between 1 and {most}!", given=value
        )
    return value


def known_options(options, allowed, where):
    """Refuse keywords that an operation does not have."""
    for name in options:
        if name not in allowed:
            raise errors.InvalidType(
                f"{where} got an unexpected keyword argument {name!r}.",
                hint=errors.did_you_mean(name, allowed),
            )


def shard(num_shards, shard_id):
    """Both or none, and the second below the first."""
    if (num_shards is None) != (shard_id is None):
        raise errors.InvalidValue(
            "num_shards and shard_id need to be passed in together.",
            given=f"num_shards={num_shards}, shard_id={shard_id}",
        )
    if num_shards is not None:
        within(num_shards, 1, INT32, "num_shards")
        of_type(shard_id, int, "shard_id")
        if shard_id >= num_shards:
            raise errors.InvalidValue(
                "shard_id should be less than num_shards.", given=f"{shard_id} and {num_shards}"
            )


def fraction(value, name):
    """A number from 0 to 1."""
    of_type(value, (int, float), name)
    if not 0 <= value <= 1:
        raise errors.InvalidValue(
            f"Input {name} is not within the required interval of [0.0, 1.0].", given=value
        )
    return float(value)


def batch_count(value):
    """How many rows a batch has: at least 1, or a function of one argument."""
    if callable(value):
        if len(inspect.signature(value).parameters) != 1:
            raise errors.InvalidValue("callable batch_size should take one parameter (BatchInfo).")
    elif not isinstance(value, int):
        raise errors.InvalidType(
            "batch_size should either be an int or a callable.", given=f"{value!r:.60}"
        )
    elif value == -1:  # MindSpore says so when rows are asked for
        raise errors.NotRunnable(
            "Batch size cannot be -1 without using batch sampler.",
            hint="All rows in one batch: .batch(data.get_dataset_size()).",
        )
    else:
        within(int(value), 1, INT32, "batch_size")


def nothing_of(options, names, where):
    """Refuse what MindSpore has and this package has not, instead of doing without."""
    for name in names:
        if options.get(name) is not None:
            raise errors.InvalidValue(
                f"{where}: {name} is not there in this package.",
                given=f"{options[name]!r:.60}",
                hint="Leave it out; the rows are the same without it.",
            )
