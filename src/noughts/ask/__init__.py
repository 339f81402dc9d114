"""The table of questions: everything that can be asked about games, in one shape for every interface.

>>> from noughts.ask import QUESTIONS, ask, read
>>> question = QUESTIONS["analyse"]
>>> answer = ask(question, read(question.request, {"game": "3x3", "moves": ["b2", "b3"], "nodes": 1000}))
>>> answer.moves[0].move, answer.moves[0].text
('a3', 'win in 3 moves')
"""

from noughts.ask.question import Context, Job, Question, Stopped, ask
from noughts.ask.table import QUESTIONS
from noughts.schema import InvalidData, encode, read

__all__ = ["QUESTIONS", "Context", "InvalidData", "Job", "Question", "Stopped", "ask", "encode", "read"]
