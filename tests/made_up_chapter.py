"""A small chapter that keeps every rule, in a book of its own; tests break it in one place."""

import json

import pytest

CHAPTER = """---
file_format: mystnb
kernelspec:
  name: python3
  display_name: Python 3 (ipykernel)
title: Two small exercises
---

# Two small exercises

## Goal

Sums and differences.

+++ {"lang": "zh"}

# 两个小练习

## 目标

和与差。

```{code-cell} ipython3
:tags: [portable]

import numpy as np

import ms_ext as ms
```

## Try it

How many?

+++ {"lang": "zh"}

## 试一试

几个？

```{code-cell} ipython3
:tags: [predict]

guess = 3
```

## Idea

Write less.

+++ {"lang": "zh"}

## 想法

少写。

```{code-cell} ipython3
:tags: [portable]

x = ms.Tensor([1.0, 2.0])
values = {"x": x}
```

## Build

Guess again.

+++ {"lang": "zh"}

## 动手

再猜。

```{code-cell} ipython3
:tags: [predict]

guess = 4
```

## Break it

What if?

+++ {"lang": "zh"}

## 弄坏它

如果呢？

```{code-cell} ipython3
:tags: [predict]

guess = 5
```

## Exercises

### Double

Twice.

+++ {"lang": "zh"}

## 练习

### 加倍

两倍。

```{code-cell} ipython3
def double(x):
    # region solution
    # stub: return x
    return x * 2
    # endregion
```

```{code-cell} ipython3
ms.check("98.double")
```

### Repair: both

Mend it.

+++ {"lang": "zh"}

### 修复：两者

修好它。

```{code-cell} ipython3
def both(x, y):
    # region solution
    # stub: return x, y
    return x + y, x - y
    # endregion
```

```{code-cell} ipython3
ms.check("98.both")
```

## On real MindSpore

Its answers.

+++ {"lang": "zh"}

## 在真正的 MindSpore 上

它的答案。

```{code-cell} ipython3
from ms_ext.book import recorded

recorded.compare("98", values)
```

## Recap

Read on.

+++ {"lang": "zh"}

## 回顾

继续读。
"""


@pytest.fixture
def made_up(small_course):
    """A function from a text to the path of its chapter, in a course that declares its exercises.

    The record of MindSpore is of the text above, whatever the text is.
    """
    from ms_ext.book import recorded, source

    path = small_course / "book" / "98_small" / "chapter.md"
    path.write_text(CHAPTER, encoding="utf-8")
    digest = recorded.digest(source.read("98"))
    values = {"x": {"dtype": "Float32", "shape": [2], "first": [1.0, 2.0], "size": 3.0}}
    kept = {"version": "2.10.0", "program": digest, "values": values}
    path.with_name("mindspore.json").write_text(json.dumps(kept))
    later = small_course / "book" / "99_later" / "chapter.md"
    later.parent.mkdir()
    later.write_text("# Later\n")

    def write(text=CHAPTER):
        path.write_text(text, encoding="utf-8")
        return path

    return write
