"""Patterns: what is looked for, what is written instead, and what is told about it."""

from .editor import Editor, prune
from .matching import compiled
from .pattern import Call, Const, Rest, Var
from .records import Match, Record, Refusal
from .rewriting import rewrite, rewrite_at
from .rule import Rule, Site, rule

__all__ = [
    "Call", "Const", "Editor", "Match", "Record", "Refusal", "Rest", "Rule", "Site", "Var",
    "compiled", "prune", "rewrite", "rewrite_at", "rule",
]  # fmt: skip
