"""Predictions and exercises of a notebook: what a student predicted, and whether an exercise is done."""

from __future__ import annotations

from collections.abc import Callable
from types import EllipsisType

from noughts.teaching.grading import Grade

__all__ = ["check", "reveal"]

FAR_OFF = 1.2
"""A number that is this many times as large as the prediction is far off."""


def reveal(prediction: object, answer: object, subject: str = "") -> None:
    """Print the answer to a question beside the prediction; ``...`` stands for a prediction that was not made.

    With a ``subject``, several answers of one cell can be told apart.

    >>> reveal(100_000, 549_946)
    You predicted 100,000. It is 549,946, 5.5 times as much.
    >>> reveal("corner", "centre")
    You predicted corner. It is centre.
    >>> reveal(..., 18_297, "alpha-beta")
    alpha-beta: You made no prediction. It is 18,297.
    """
    print(f"{subject}: " if subject else "", end="")
    if isinstance(prediction, EllipsisType):
        print(f"You made no prediction. It is {_format(answer)}.")
    elif prediction == answer:
        print(f"You predicted {_format(prediction)}. Right!")
    else:
        print(f"You predicted {_format(prediction)}. It is {_format(answer)}{_ratio(prediction, answer)}.")


def _format(answer: object) -> str:
    if isinstance(answer, bool) or not isinstance(answer, int | float):
        return str(answer)
    return f"{answer:,}" if isinstance(answer, int) else f"{answer:,.3g}"


def _ratio(prediction: object, answer: object) -> str:
    """Return how far off a prediction of a positive number is, if it is far off."""
    if not (isinstance(prediction, int | float) and isinstance(answer, int | float)) or min(prediction, answer) <= 0:
        return ""
    if answer > FAR_OFF * prediction:
        return f", {answer / prediction:,.2g} times as much"
    return f"; your prediction is {prediction / answer:,.2g} times as much" if prediction > FAR_OFF * answer else ""


def check(claim: str, test: Callable[[], bool | Grade]) -> None:
    """Print whether a claim about an exercise holds. A grade holds if it is passed; otherwise its report is printed.

    An exercise that raises NotImplementedError is not done yet; any other exception is reported as a failure.

    >>> check("the empty board is a draw", lambda: 1 + 1 == 2)
    ✓ the empty board is a draw
    >>> check("the empty board is a draw", lambda: 1 / 0 == 2)
    ✗ the empty board is a draw: ZeroDivisionError: division by zero
    """
    try:
        result = test()
    except NotImplementedError:
        print(f"· not done yet: {claim}")
    except Exception as error:  # a finding about the exercise, not an error of ours
        print(f"✗ {claim}: {type(error).__name__}: {error}")
    else:
        _print_result(claim, result)


def _print_result(claim: str, result: bool | Grade) -> None:
    if not isinstance(result, Grade):
        print(f"{'✓' if result else '✗'} {claim}")
    elif result.passed:
        print(f"✓ {claim}: {len(result.checked)} properties hold on {result.positions} positions of {result.game}")
    elif any("NotImplementedError" in failure.message for failure in result.failures.values()):
        print(f"· not done yet: {claim}")
    else:
        print(f"✗ {claim}\n\n{result}")
