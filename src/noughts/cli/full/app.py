"""The app: shows a session, and turns keys and clicks into its commands."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Input, Static

from noughts.cli.full.analysis import Analysis
from noughts.cli.full.background import Background, Called
from noughts.cli.full.board import Board
from noughts.cli.full.keys import KEYS, bindings, help_text
from noughts.cli.full.matches import Matches
from noughts.cli.full.panels import REFUSED, RESULT, AnalysisPanel, Messages, MoveList, Players, TitleBar
from noughts.cli.full.screens import Confirmation, TextScreen
from noughts.cli.full.themes import DARK, LIGHT, VARIABLES
from noughts.cli.full.turns import Turns
from noughts.cli.full.typed_input import TypedInput
from noughts.cli.full.view import View
from noughts.cli.saved_table import title_with_id
from noughts.cli.terminal.loop import Pace, thinking_status
from noughts.cli.terminal.output import describe_event
from noughts.cli.terminal.session import Answered, Asked, Event, LeaveReason, Refused, Session, TurnBegan
from noughts.cli.terminal.setup import Setup
from noughts.games import IllegalMove, Position, Side
from noughts.games.titles import title_of
from noughts.match import format_seconds
from noughts.match.events import Ended, Moved, OfferMade, PlayersChanged, Replayed, Started, TookBack

__all__ = ["FullApp"]

TICK_SECONDS = 0.1
BREAKPOINTS = [(0, "-narrow"), (64, "-normal"), (110, "-wide")]
"""The classes of the screen by its width in columns."""
LONG_LINES = 3
"""Answers with more lines get a screen of their own."""
DEFAULT_PACE = Pace()
POSITION_CHANGES = (Started, Moved, TookBack, Replayed, Ended, PlayersChanged)


class FullApp(App[list[Event]]):
    """The full-screen game. Returns the events of leaving."""

    CSS_PATH = "full.tcss"
    TITLE = "noughts"
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    BINDINGS: ClassVar[list[BindingType]] = [*bindings()]

    def __init__(
        self,
        session: Session,
        setup: Setup,
        pace: Pace = DEFAULT_PACE,
        asks_game: bool = False,
        is_light: bool = False,
        notices: Sequence[str] = (),
    ) -> None:
        """Show a session; ``setup`` has the settings for further matches, ``asks_game`` opens the chooser first.

        ``notices`` are shown as the first messages.
        """
        super().__init__()
        assert session.advisor is not None
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = (LIGHT if is_light else DARK).name
        self.session = session
        self._asks_game = asks_game
        self._notices = notices
        self._hint: int | None = None
        self.title_bar, self.players, self.move_list = TitleBar(), Players(), MoveList()
        self.board, self.panel, self.messages = Board(session.position), AnalysisPanel(), Messages()
        self.typed = Input(id="typed", compact=True)
        self.background = Background(self)
        self.view = View(session)
        self.turns = Turns(self, pace)
        self.lines = TypedInput(self)
        self.analysis = Analysis(session.advisor, self.background, self._show_analysis, self.refuse)
        self.matches = Matches(self, setup)

    # Widgets

    def compose(self) -> ComposeResult:
        """The title, the board and the panels, the messages, the line for typing, and the keys."""
        yield self.title_bar
        with Horizontal(id="table"):
            yield self.board
            with Vertical(id="side"):
                yield self.players
                yield Static("Moves", classes="heading moves")
                yield self.move_list
                with Vertical(id="analysis"):
                    yield Static("Analysis", classes="heading")
                    yield self.panel
        yield self.messages
        yield self.typed
        yield Footer(show_command_palette=False)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The inks of boards, for themes that do not define them."""
        return VARIABLES

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """All keys, as commands of the palette."""
        for key in KEYS:
            if "-1" not in key.action:
                yield SystemCommand(key.title, key.about, self._runner_of(key.action))
        yield from super().get_system_commands(screen)

    def _runner_of(self, action: str) -> Callable[[], None]:
        def run() -> None:
            self.call_later(self.run_action, action)

        return run

    def on_mount(self) -> None:
        """Begin the session."""
        self.board.focus()
        self.set_interval(TICK_SECONDS, self._tick)
        self._leave_on_signals()
        for text in self._notices:
            self.refuse(text)
        self.take(self.session.start())
        if self._asks_game:
            self.action_choose_game()

    def _leave_on_signals(self) -> None:
        """Leave in order when the terminal is closed or the process is asked to end."""
        for name in ("SIGHUP", "SIGTERM"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                with suppress(NotImplementedError, RuntimeError, ValueError):  # not in this thread, or not on Windows
                    asyncio.get_running_loop().add_signal_handler(number, self._leave, LeaveReason.HUNG_UP)

    @on(Called)
    def call_function(self, event: Called) -> None:
        event.function()

    # What is shown

    def show(self) -> None:
        """Show everything as it is now."""
        if self.session.is_left:
            return
        shown, match = self.view.position, self.session.match
        if not self.lines.is_busy:
            self.analysis.follow(shown, shown.is_over or self.view.is_end)
        self.board.show(shown, self.view.can_play, self.analysis.overlay(self._hint))
        self.move_list.show(match.position, match.undone_moves, self.view.ply)
        self._show_turn()
        self._show_analysis()

    def _show_turn(self) -> None:
        """Show whose turn it is, and the clocks."""
        game = self.session.position.game
        title = title_of(game) if "-narrow" in self.screen.classes else title_with_id(game.id)
        self.title_bar.show(title, self._status())
        match = self.session.match
        self.players.show(match.names, match.turn, self._clocks())

    def _status(self) -> str:
        session = self.session
        if not self.view.is_present:
            return f"move {self.view.ply} of {session.position.ply} · End returns · c continues here"
        if self.lines.is_busy:
            return "thinking about an answer …"
        if session.match.is_over:
            return "over: n new, v review, u undo"
        turn = session.match.turn
        if self.turns.is_thinking and turn is not None:
            return thinking_status(session.describe(turn), session.engines[turn])()
        if not session.people:
            return "paused: p continues" if self.turns.is_paused else "two engines play: p pauses"
        return session.describe_turn()

    def _clocks(self) -> dict[Side, str]:
        clock = self.session.match.clock
        if clock is None:
            return {}
        left = {side: clock.left(side) for side in Side if clock.is_timed(side)}
        turn = self.session.match.turn
        if turn in left:
            left[turn] = max(0.0, left[turn] - self.turns.seconds)
        return {side: format_seconds(seconds) for side, seconds in left.items()}

    def _tick(self) -> None:
        """Show what changes by itself: the clocks, and how far an engine is."""
        if self.session.is_left or not self.is_running:
            return
        if self.session.match.clock is not None:
            events = self.session.check_flag()
            if events:
                self.take(events)
        elif not self.turns.is_thinking:
            return
        self._show_turn()

    # Events of the session

    def take(self, events: Iterable[Event]) -> None:
        """Show events, and let the game continue."""
        for event in events:
            if isinstance(event, POSITION_CHANGES):
                self._forget_view()
            self._tell(event)
        self.show()
        self.turns.advance()
        self._show_turn()

    def _tell(self, event: Event) -> None:
        if isinstance(event, Started | TurnBegan | OfferMade):
            return
        text = describe_event(event, self.session.match.names)
        if isinstance(event, Asked):
            self.push_screen(Confirmation(text), lambda yes: self.lines.carry_out("yes" if yes else "no"))
        elif isinstance(event, Answered) and (event.command == "review" or len(text.splitlines()) > LONG_LINES):
            self.push_screen(TextScreen(event.command.capitalize(), text))
        elif text:
            self.messages.add(text, _mark_of(event))
        if isinstance(event, Answered) and event.command == "hint" and self.session.hints > 1:
            self._hint = event.answer.cell

    def tell(self, text: str) -> None:
        """Show a message, from any thread."""
        self.background.call(lambda: self.refuse(text))

    def refuse(self, text: str) -> None:
        self.messages.add(text, REFUSED)

    # Lines: commands and moves

    def action_line(self, line: str) -> None:
        self.lines.receive(line)

    def action_begin_again(self) -> None:
        self.lines.receive("new")

    def action_resign(self) -> None:
        """Resign, after a question."""
        if self.session.match.is_over or not self.session.people:
            self.lines.carry_out("resign")
        else:
            self.push_screen(
                Confirmation("Resign this game?"), lambda yes: self.lines.carry_out("resign") if yes else None
            )

    def action_type(self, text: str = "") -> None:
        """Open the line for typing."""
        self.typed.placeholder = f"{self.session.position.game.how_to_type}; or a command"
        self.typed.add_class("shown")
        self.typed.value = text
        self.typed.focus()
        self.typed.cursor_position = len(text)

    @on(Input.Submitted, "#typed")
    def submit_line(self, event: Input.Submitted) -> None:
        self._close_line()
        if event.value.strip():
            self._forget_view()
            self.lines.receive(event.value)

    def _close_line(self) -> None:
        self.typed.remove_class("shown")
        self.typed.value = ""
        self.board.focus()

    def key_escape(self) -> None:
        """Close the line for typing, the preview, or the view of an earlier position."""
        if self.typed.has_class("shown"):
            self._close_line()
        elif self.analysis.picked is not None:
            self.analysis.picked = None
            self.show()
        else:
            self._forget_view()
            self.show()

    # The board

    @on(Board.Chosen)
    def play_cell(self, event: Board.Chosen) -> None:
        """Play in a cell: in the present position, or continue from an earlier one."""
        session, shown, is_present = self.session, self.view.position, self.view.is_present
        if not session.people and session.match.turn is not None and is_present:
            self.turns.step()
        elif self.view.is_end:
            self.refuse("the game is over: n begins another, u takes the last move back")
        elif shown.turn is not None and shown.turn not in session.people:
            later = "is thinking" if is_present else "is to move here: c continues from here"
            self.refuse(f"{session.describe(shown.turn)} {later}")
        elif is_present:
            self.lines.carry_out(shown.format_move(event.cell))
        else:
            self._branch(shown, event.cell)

    def _branch(self, shown: Position, cell: int) -> None:
        try:
            shown.after(cell)
        except IllegalMove as error:
            self.refuse(str(error))
            return
        self._go_to(shown.ply)
        self.lines.carry_out(shown.format_move(cell))

    def _go_to(self, ply: int) -> None:
        """Take moves back, or replay them, up to a number of moves."""
        match, present = self.session.match, self.session.position.ply
        if ply < present:
            match.take_back(present - ply)
        elif ply > present:
            match.replay(ply - present)
        self.take(self.session.take_events())

    def action_continue_here(self) -> None:
        if self.view.is_present:
            self.refuse("this is the present position; , and [ lead back")
        else:
            self._go_to(self.view.ply)

    def action_toggle_lines(self) -> None:
        """Show or hide the lines through the cell under the cursor."""
        self.board.toggle_lines()

    # Looking back

    def action_step(self, step: int) -> None:
        """Show a position before or after the one shown."""
        self._hint = None
        self.view.step(step)
        self.show()

    @on(MoveList.Picked)
    def show_picked(self, event: MoveList.Picked) -> None:
        self._hint = None
        self.view.show(event.ply)
        self.show()

    def _forget_view(self) -> None:
        """Return to the present position, without a hint and a preview."""
        self.view.return_to_present()
        self._hint = self.analysis.picked = None

    # Watching two engines

    def action_pause(self) -> None:
        """Stop or continue two engines that play each other."""
        try:
            self.turns.toggle_pause()
        except ValueError as error:
            self.refuse(str(error))
        self._show_turn()

    # Analysis

    def action_toggle_analysis(self) -> None:
        self.analysis.toggle()
        self.screen_stack[0].set_class(self.analysis.is_on, "analysing")
        self.show()

    def _show_analysis(self) -> None:
        if not self.session.is_left:
            analysis = self.analysis
            self.panel.show(self.view.position, analysis.advice, analysis.is_running, analysis.picked)
            self.board.show_overlay(analysis.overlay(self._hint))

    def action_pick_line(self, number: int) -> None:
        """Preview a line of the analysis on the board, or end the preview."""
        try:
            self.analysis.pick(number)
        except ValueError as error:
            self.refuse(str(error))
        self._show_analysis()

    @on(AnalysisPanel.Picked)
    def pick_clicked(self, event: AnalysisPanel.Picked) -> None:
        self.action_pick_line(event.number + 1)

    # Other games

    def action_choose_game(self) -> None:
        self.matches.choose()

    def action_open_saved(self) -> None:
        self.matches.choose_saved()

    # The rest

    def action_help(self) -> None:
        self.push_screen(TextScreen("Help", help_text(self.session.position.game)))

    def action_toggle_theme(self) -> None:
        """Change between dark and light."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def action_leave(self) -> None:
        """Leave, after a question if the game would be lost."""
        self.matches.unless_lost(self._leave)

    async def action_quit(self) -> None:
        """Leave by Ctrl-Q."""
        self.action_leave()

    def action_help_quit(self) -> None:
        """Leave by Ctrl-C."""
        self.action_leave()

    def _leave(self, reason: LeaveReason = LeaveReason.QUIT) -> None:
        if self.session.is_left:
            return
        self.analysis.pause()
        events = self.session.leave(reason)
        self.turns.interrupt()
        self.exit(events)


def _mark_of(event: Event) -> str:
    """The mark of a message: refusals and results stand out."""
    return REFUSED if isinstance(event, Refused) else RESULT if isinstance(event, Ended) else ""
