"""The table of questions by REST."""

from __future__ import annotations

import time

from fastapi import APIRouter, Request
from starlette.responses import Response

from noughts.ask.question import AnyQuestion
from noughts.ask.table import QUESTIONS
from noughts.schema import read
from noughts.web.about import AboutAnswer, describe_server
from noughts.web.context import Context, RequestContext
from noughts.web.network import address_in_network
from noughts.web.responses import documented, json_response, read_json

router = APIRouter()


@router.get("/about", tags=["games"], **documented(None, AboutAnswer))
async def about(context: Context) -> Response:
    """Return the version, features and limits of this server."""
    context.services.warm_up()  # the first request of the page
    settings = context.services.settings
    address = address_in_network(settings, context.port)
    return json_response(describe_server(settings.is_local, has_lobby=settings.lobby, network_address=address))


async def _respond(context: RequestContext, question: AnyQuestion, data: object) -> Response:
    request = read(question.request, data)
    began = time.monotonic()
    return json_response(await context.answer(question, request), time.monotonic() - began)


def _add_route(question: AnyQuestion) -> None:
    async def ask(context: Context, request: Request) -> Response:
        return await _respond(context, question, await read_json(request))

    async def ask_by_query(context: Context, request: Request) -> Response:
        return await _respond(context, question, dict(request.query_params))

    router.add_api_route(
        f"/{question.name}",
        ask_by_query if question.reads_query else ask,
        methods=["GET" if question.reads_query else "POST"],
        name=question.name,
        description=question.about,
        tags=[question.tag],
        **documented(question.request, question.answer, is_query=question.reads_query),
    )


for _question in QUESTIONS.values():
    _add_route(_question)
