"""Studying games and searches: traces, trees, comparisons and grading."""

from noughts.study.trace import Node, Trace, TraceTooLarge, record
from noughts.study.trace_json import load_trace, trace_from_json, trace_to_json

__all__ = ["Node", "Trace", "TraceTooLarge", "load_trace", "record", "trace_from_json", "trace_to_json"]
