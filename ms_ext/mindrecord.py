"""``ms.mindrecord``: MindSpore's own record files, which are neither written nor read here.

The names are here so that a program that imports them runs as far as it does without them; each
says so when it is made. What a dataset can be made of is in ``ms.dataset``.

>>> FileWriter("train.mindrecord")
Traceback (most recent call last):
    ...
ms_ext.engine.errors.NotRunnable: MindRecord files cannot be written here: there is no FileWriter.
    given: 'train.mindrecord'
    Keep arrays with np.savez, and make a dataset of them: dataset.NumpySlicesDataset.
"""

from .engine import errors

__all__ = ["FileReader", "FileWriter", "MindDataset"]

_WRITING = "Keep arrays with np.savez, and make a dataset of them: dataset.NumpySlicesDataset."
_READING = "Read the rows in Python, and make a dataset of them: dataset.GeneratorDataset."


def _refused(name, done, given, hint):
    return errors.NotRunnable(
        f"MindRecord files cannot be {done} here: there is no {name}.", given=repr(given), hint=hint
    )


class FileWriter:
    """Refused when it is made: MindRecord files are not written here.

    >>> FileWriter("train.mindrecord", 4)
    Traceback (most recent call last):
        ...
    ms_ext.engine.errors.NotRunnable: MindRecord files cannot be written here: there is no FileWriter.
        given: 'train.mindrecord'
        Keep arrays with np.savez, and make a dataset of them: dataset.NumpySlicesDataset.
    """  # noqa: E501

    def __init__(self, file_name, *options, **named):
        raise _refused("FileWriter", "written", file_name, _WRITING)


class FileReader:
    """Refused when it is made: MindRecord files are not read here.

    >>> FileReader("train.mindrecord")
    Traceback (most recent call last):
        ...
    ms_ext.engine.errors.NotRunnable: MindRecord files cannot be read here: there is no FileReader.
        given: 'train.mindrecord'
        Read the rows in Python, and make a dataset of them: dataset.GeneratorDataset.
    """

    def __init__(self, file_name, *options, **named):
        raise _refused("FileReader", "read", file_name, _READING)


class MindDataset:
    """Refused when it is made: MindRecord files are not read here.

    >>> MindDataset("train.mindrecord", columns_list=["image"])
    Traceback (most recent call last):
        ...
    ms_ext.engine.errors.NotRunnable: MindRecord files cannot be read here: there is no MindDataset.
        given: 'train.mindrecord'
        Read the rows in Python, and make a dataset of them: dataset.GeneratorDataset.
    """

    def __init__(self, dataset_files, *options, **named):
        raise _refused("MindDataset", "read", dataset_files, _READING)
