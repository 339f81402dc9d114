"""The app: shows a session, and turns keys and clicks into its commands."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Input, Static

from noughts.cli.full.background import Background, Called, EngineRunner, LiveAnalysis, Result
from noughts.cli.full.board import Board, Overlay
from noughts.cli.full.chooser import WATCH, Choice, GameChooser, SavedChooser
from noughts.cli.full.keys import KEYS, bindings, help_text
from noughts.cli.full.panels import REFUSED, RESULT, AnalysisPanel, Messages, MoveList, Players, TitleBar
from noughts.cli.full.screens import Confirmation, TextScreen
from noughts.cli.full.themes import DARK, LIGHT, VARIABLES
from noughts.cli.output import format_table
from noughts.cli.saved_table import HEADERS, summary_row
from noughts.cli.terminal.commands import find_command, receive, seat
from noughts.cli.terminal.loop import Pace, thinking_status
from noughts.cli.terminal.menu import assign_sides
from noughts.cli.terminal.output import describe_event
from noughts.cli.terminal.session import Answered, Asked, Event, LeaveReason, Refused, Session, TurnBegan, open_engine
from noughts.cli.terminal.setup import Engines, Setup
from noughts.games import IllegalMove, Position, Side, find_game
from noughts.match import Match, Question, TimeControl, format_seconds
from noughts.match.events import Ended, Moved, OfferMade, PlayersChanged, Replayed, Started, TookBack
from noughts.players import HostedPlayer
from noughts.store import Store, StoreError

if TYPE_CHECKING:
    from noughts.study.advice import Advice

__all__ = ["FullApp"]

TICK_SECONDS = 0.1
BREAKPOINTS = [(0, "-narrow"), (64, "-normal"), (110, "-wide")]
"""The classes of the screen by its width in columns."""
LONG_LINES = 3
"""Answers with more lines get a screen of their own."""
MAX_SAVED = 200
MIN_PAUSE_SECONDS = 0.01
DEFAULT_PACE = Pace()
SAVED_WIDTH = 78
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
        self.session = session
        self._setup = setup
        self._pace = pace
        self._asks_game = asks_game
        self._is_light = is_light
        self._notices = notices
        self._ply: int | None = None
        """The number of moves of an earlier position that is shown; None for the present one."""
        self._advice: list[Advice] = []
        self._is_analysing = False
        self._picked: int | None = None
        self._hint: int | None = None
        self._busy_with: str | None = None
        """The command that waits for advice."""
        self._is_paused = pace.waits_for_enter
        self._asked_at = 0.0
        self._analysed: tuple[Match, list[int]] | None = None
        self.title_bar, self.players, self.move_list = TitleBar(), Players(), MoveList()
        self.board, self.panel, self.messages = Board(session.position), AnalysisPanel(), Messages()
        self.typed = Input(id="typed", compact=True)
        self.background = Background(self)
        self.runner = EngineRunner(session, self.background, self._receive_answer)
        self.analysis = LiveAnalysis(session.advisor, self.background, self._show_advice)

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
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = (LIGHT if self._is_light else DARK).name
        self.board.focus()
        self.set_interval(TICK_SECONDS, self._tick)
        self._leave_on_signals()
        for text in self._notices:
            self._refuse(text)
        self._take(self.session.start())
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
        """Call a function that another thread has sent."""
        event.function()

    # What is shown

    @property
    def shown(self) -> Position:
        """The position shown: the present one, or an earlier or undone one."""
        match, position = self.session.match, self.session.position.copy()
        if self._ply is None:
            return position
        while position.ply > self._ply:
            position.undo()
        for move in match.undone_moves[: self._ply - match.position.ply]:
            position.play(move)
        return position

    def _refresh(self) -> None:
        """Show everything as it is now."""
        if self.session.is_left:
            return
        shown, match = self.shown, self.session.match
        self._update_analysis(shown)
        self.board.show(shown, self._can_play(shown), self._overlay())
        self.move_list.show(match.position, match.undone_moves, shown.ply)
        self._show_turn()
        self._show_panel()

    def _can_play(self, shown: Position) -> bool:
        return shown.turn is not None and shown.turn in self.session.people and not self._is_ended_here

    @property
    def _is_ended_here(self) -> bool:
        """Whether the present position is shown, and the match is over."""
        return self._ply is None and self.session.match.is_over

    def _overlay(self) -> Overlay:
        candidates = tuple(advice.move for advice in self._advice) if self._is_analysing else ()
        line = tuple(self._advice[self._picked].pv) if self._picked is not None and self._advice else ()
        return Overlay(() if line else candidates, line, self._hint)

    def _show_turn(self) -> None:
        """Show whose turn it is, and the clocks."""
        game = self.session.position.game
        title = game.name if game.name == game.id else f"{game.name} · {game.id}"
        self.title_bar.show(title, self._status())
        match = self.session.match
        self.players.show(match.names, match.turn, self._clocks())

    def _status(self) -> str:
        session = self.session
        if self._ply is not None:
            return f"move {self.shown.ply} of {session.position.ply}: . and End lead back, c continues here"
        if self._busy_with:
            return "thinking about an answer …"
        if session.match.is_over:
            return "over: n new, v review, u undo"
        turn = session.match.turn
        if self.runner.is_thinking and turn is not None:
            return thinking_status(session.describe(turn), session.engines[turn])()
        if not session.people:
            return "paused: p continues" if self._is_paused else "two engines play: p pauses"
        return session.describe_turn()

    def _clocks(self) -> dict[Side, str]:
        clock = self.session.match.clock
        if clock is None:
            return {}
        left = {side: clock.left(side) for side in Side if clock.is_timed(side)}
        question = self.runner.question
        if question is not None and self.runner.is_thinking and question.side in left:
            left[question.side] = max(0.0, left[question.side] - (monotonic() - self._asked_at))
        return {side: format_seconds(seconds) for side, seconds in left.items()}

    def _tick(self) -> None:
        if self.session.is_left or not self.is_running:
            return
        if self.session.match.clock is not None:
            events = self.session.check_flag()
            if events:
                self._take(events)
        self._show_turn()

    # Events of the session

    def _take(self, events: Iterable[Event]) -> None:
        """Show events, and let the game continue."""
        for event in events:
            if isinstance(event, POSITION_CHANGES):
                self._ply = self._hint = self._picked = None
            self._tell(event)
        self._refresh()
        self._advance()

    def _tell(self, event: Event) -> None:
        if isinstance(event, Started | TurnBegan | OfferMade):
            return
        text = describe_event(event, self.session.match.names)
        if isinstance(event, Asked):
            self.push_screen(Confirmation(text), lambda yes: self._carry_out("yes" if yes else "no"))
        elif isinstance(event, Answered) and (event.command == "review" or len(text.splitlines()) > LONG_LINES):
            self.push_screen(TextScreen(event.command.capitalize(), text))
        elif text:
            self.messages.add(text, _mark_of(event))
        if isinstance(event, Answered) and event.command == "hint" and "move" in event.data:
            self._hint = self.session.position.game.parse_cell(event.data["move"])

    def tell(self, text: str) -> None:
        """Show a message, from any thread."""
        self.background.call(lambda: self._refuse(text))

    def _refuse(self, text: str) -> None:
        self.messages.add(text, REFUSED)

    def _advance(self) -> None:
        """Let an engine move if it is its turn."""
        session = self.session
        if session.is_left or not session.waits_for_engine:
            return
        if session.people:
            self._ask_engine()
        elif not self._is_paused:
            session.match.pause()
            number = session.position.ply, session.match
            pause = max(self._pace.pause_seconds, MIN_PAUSE_SECONDS)
            self.set_timer(pause, lambda: self._continue_watching(*number))

    def _continue_watching(self, ply: int, match: Match) -> None:
        session = self.session
        if session.match is match and session.position.ply == ply and session.waits_for_engine and not self._is_paused:
            match.resume()
            self._ask_engine()

    def _ask_engine(self) -> None:
        self._asked_at = monotonic()
        self.runner.ask()
        self._show_turn()

    def _receive_answer(self, question: Question, result: Result[int]) -> None:
        session = self.session
        if session.is_left:
            return
        is_wanted = question.match is session.match and session.engines.get(question.side) is question.player
        if not is_wanted or question.is_stale:
            self._advance()
            return
        try:
            events = session.settle(question, result)
        except Exception as error:
            self._refuse(f"{session.describe(question.side)} failed: {error}")
            return
        self._take(events)

    # Lines: commands and moves

    def _receive(self, line: str) -> None:
        """Carry out a line: at once, or after the advice that it needs has been computed."""
        command, argument = find_command(line.strip())
        name = "" if command is None else command.usage.split()[0]
        if name == "quit":
            self.action_leave()
        elif name == "level" and argument:
            self._change_level(argument)
        elif name in ("new", "load"):
            self._unless_lost(lambda: self._carry_out(line))
        else:
            work = None if command is None else command.ahead(self.session)
            if work is None:
                self._carry_out(line)
            else:
                self._carry_out_later(line, work)

    def _carry_out(self, line: str) -> None:
        try:
            events = receive(self.session, line)
        except (ValueError, OSError) as error:
            self._refuse(str(error))
        else:
            self._take(events)

    def _carry_out_later(self, line: str, work: Callable[[], object]) -> None:
        if self._busy_with is not None:
            self._refuse("one moment: another answer is being computed")
            return
        if self.runner.is_thinking:
            self._refuse("it is not your turn")
            return
        self._busy_with = line
        before = self.session.match, list(self.session.position.moves)
        self._pause_analysis()

        def receive_advice(result: Result[object]) -> None:
            self._busy_with = None
            try:
                result()
            except (ValueError, OSError, RuntimeError) as error:
                self._refuse(str(error))
            else:
                if before == (self.session.match, list(self.session.position.moves)) and not self.session.is_left:
                    self._carry_out(line)
            self._refresh()

        self.background.run(work, receive_advice)
        self._show_turn()

    def _change_level(self, name: str) -> None:
        session = self.session

        def take_seat(result: Result[HostedPlayer | None]) -> None:
            try:
                engine = result()
            except ValueError as error:
                self._refuse(str(error))
                return
            seat(session, name, engine)
            self._take(session.take_events())

        game = session.position.game
        self.background.run(lambda: open_engine(name, game, book=session.uses_book, network=session.network), take_seat)

    def action_line(self, line: str) -> None:
        """Carry out a command."""
        self._receive(line)

    def action_begin_again(self) -> None:
        """Begin another playthrough of the same game."""
        self._receive("new")

    def action_resign(self) -> None:
        """Resign, after a question."""
        if self.session.match.is_over or not self.session.people:
            self._carry_out("resign")
        else:
            self.push_screen(Confirmation("Resign this game?"), lambda yes: self._carry_out("resign") if yes else None)

    def action_type(self, text: str = "") -> None:
        """Open the line for typing."""
        self.typed.placeholder = f"{self.session.position.game.how_to_type}; or a command"
        self.typed.add_class("shown")
        self.typed.value = text
        self.typed.focus()
        self.typed.cursor_position = len(text)

    @on(Input.Submitted, "#typed")
    def submit_line(self, event: Input.Submitted) -> None:
        """Carry out a line that was typed."""
        self._close_line()
        if event.value.strip():
            self._return_to_present()
            self._receive(event.value)

    def _close_line(self) -> None:
        self.typed.remove_class("shown")
        self.typed.value = ""
        self.board.focus()

    def key_escape(self) -> None:
        """Close the line for typing, the preview, or the view of an earlier position."""
        if self.typed.has_class("shown"):
            self._close_line()
        elif self._picked is not None:
            self._picked = None
            self._refresh()
        else:
            self._return_to_present()

    # The board

    @on(Board.Chosen)
    def play_cell(self, event: Board.Chosen) -> None:
        """Play in a cell: in the present position, or continue from an earlier one."""
        session, shown = self.session, self.shown
        if not session.people and session.match.turn is not None and self._ply is None:
            self._step_watching()
        elif self._is_ended_here:
            self._refuse("the game is over: n begins another, u takes the last move back")
        elif shown.turn is not None and shown.turn not in session.people:
            later = "is thinking" if self._ply is None else "is to move here: c continues from here"
            self._refuse(f"{session.describe(shown.turn)} {later}")
        elif self._ply is None:
            self._carry_out(shown.format_move(event.cell))
        else:
            self._branch(shown, event.cell)

    def _branch(self, shown: Position, cell: int) -> None:
        try:
            shown.after(cell)
        except IllegalMove as error:
            self._refuse(str(error))
            return
        self._go_to(shown.ply)
        self._carry_out(shown.format_move(cell))

    def _go_to(self, ply: int) -> None:
        """Take moves back, or replay them, up to a number of moves."""
        match, present = self.session.match, self.session.position.ply
        if ply < present:
            match.take_back(present - ply)
        elif ply > present:
            match.replay(ply - present)
        self._take(self.session.take_events())

    def action_continue_here(self) -> None:
        """Continue from the position shown."""
        if self._ply is None:
            self._refuse("this is the present position; , and [ lead back")
        else:
            self._go_to(self._ply)

    def action_toggle_lines(self) -> None:
        """Show or hide the lines through the cell under the cursor."""
        self.board.toggle_lines()

    # Looking back

    def action_step(self, step: int) -> None:
        """Show a position before or after the one shown."""
        match = self.session.match
        present = match.position.ply
        at = present if self._ply is None else self._ply
        self._show_ply(min(max(at + step, 0), present if at <= present else present + match.can_replay))

    @on(MoveList.Picked)
    def show_picked(self, event: MoveList.Picked) -> None:
        """Show the position after a move that was clicked."""
        match = self.session.match
        self._show_ply(min(event.ply, match.position.ply + match.can_replay))

    def _show_ply(self, ply: int) -> None:
        self._ply = None if ply == self.session.position.ply else ply
        self._hint = self._picked = None
        self._refresh()

    def _return_to_present(self) -> None:
        if self._ply is not None:
            self._show_ply(self.session.position.ply)

    # Watching two engines

    def _step_watching(self) -> None:
        if self._is_paused and self.session.waits_for_engine:
            self.session.match.resume()
            self._ask_engine()

    def action_pause(self) -> None:
        """Stop or continue two engines that play each other."""
        if self.session.people:
            self._refuse("only two engines that play each other can be paused")
            return
        self._is_paused = not self._is_paused
        self._advance()
        self._show_turn()

    # Analysis

    def action_toggle_analysis(self) -> None:
        """Show or hide the analysis."""
        self._is_analysing = not self._is_analysing
        self.screen_stack[0].set_class(self._is_analysing, "analysing")
        if not self._is_analysing:
            self._pause_analysis()
        self._refresh()

    def _update_analysis(self, shown: Position) -> None:
        """Analyse the position shown, unless that is going on already."""
        key = self.session.match, list(shown.moves)
        if not self._is_analysing or self._busy_with or key == self._analysed:
            return
        self._advice, self._picked, self._analysed = [], None, key
        if shown.is_over or self._is_ended_here:
            self.analysis.stop()
        else:
            self.analysis.start(shown)

    def _pause_analysis(self) -> None:
        self.analysis.stop()
        self._analysed = None

    def _show_advice(self, found: list[Advice], is_running: bool) -> None:
        if self._is_analysing and not self.session.is_left:
            self._advice = found
            self._show_panel(is_running)
            self.board.show_overlay(self._overlay())

    def _show_panel(self, is_running: bool = True) -> None:
        is_running = is_running and not self._is_ended_here and not self.shown.is_over
        self.panel.show(self.shown, self._advice, is_running, self._picked)

    def action_pick_line(self, number: int) -> None:
        """Preview a line of the analysis on the board, or end the preview."""
        if not self._is_analysing:
            self._refuse("there is no analysis; a begins one")
        elif number > len(self._advice):
            self._refuse(f"the analysis has {len(self._advice)} lines")
        else:
            self._picked = None if self._picked == number - 1 else number - 1
            self._refresh()

    @on(AnalysisPanel.Picked)
    def pick_clicked(self, event: AnalysisPanel.Picked) -> None:
        """Preview a line that was clicked."""
        self.action_pick_line(event.number + 1)

    # Other games

    def action_choose_game(self) -> None:
        """Ask for another game."""
        self.push_screen(GameChooser(self._present_choice()), self._begin_choice)

    def _present_choice(self) -> Choice:
        names, person = self.session.match.names, self.session.only_person
        clock = self.session.match.clock
        time = "" if clock is None else str(clock.controls[Side.X])
        if not self.session.people:
            return Choice("", names[Side.O], WATCH, time)
        opponent = names[Side.O] if person in (None, Side.X) else names[Side.X]
        return Choice("", opponent, "opponent" if person is Side.O else "you", time)

    def _begin_choice(self, choice: Choice | None) -> None:
        if choice is not None:
            self._unless_lost(lambda: self._open_choice(choice))

    def _open_choice(self, choice: Choice) -> None:
        try:
            position = find_game(choice.game).start()
        except (ValueError, OSError) as error:
            self._refuse(str(error))
            return
        if choice.first == WATCH:
            names = dict.fromkeys(Side, choice.opponent)
        else:
            names = assign_sides(choice.opponent, choice.first, self._setup.seed)
        control = TimeControl.parse(choice.clock) if choice.clock else None
        self._setup = replace(self._setup, position=position, names=names, control=control)
        self._open_match(self._setup.open)

    def _open_match(self, work: Callable[[], tuple[Match, Engines]], before: Callable[[], None] = lambda: None) -> None:
        """Begin another match, whose engines are opened in a thread; ``before`` is called when they are."""

        def begin(result: Result[tuple[Match, Engines]]) -> None:
            try:
                match, engines = result()
            except (ValueError, OSError) as error:
                self._refuse(str(error))
                return
            self.session.match.suspend()
            before()
            self.messages.clear()
            self.session.begin(match, engines)
            self._take(self.session.take_events())

        self.background.run(work, begin)

    def action_open_saved(self) -> None:
        """Show the kept playthroughs."""
        try:
            with Store(read_only=True) as store:
                found = store.list(limit=MAX_SAVED)
        except StoreError as error:
            self._refuse(str(error))
            return
        head, *lines = format_table(HEADERS, [summary_row(each) for each in found], SAVED_WIDTH).splitlines()
        self.push_screen(SavedChooser(head, list(zip(found, lines, strict=True))), self._open_saved)

    def _open_saved(self, number: int | None) -> None:
        if number is not None:
            self._unless_lost(lambda: self._load_saved(number))

    def _load_saved(self, number: int) -> None:
        try:
            with Store(read_only=True) as store:
                saved = store.get(number)
        except (StoreError, ValueError) as error:
            self._refuse(str(error))
            return
        recorder = self.session.recorder
        if saved.summary.outcome is not None:
            names = {Side.X: saved.summary.x, Side.O: saved.summary.o}
            match = Match(saved.position(), names, outcome=saved.summary.outcome)
            self._open_match(lambda: (match, self._setup.open_engines(match)))
        else:
            before = (lambda: None) if recorder is None else (lambda: recorder.resume(saved))
            self._open_match(lambda: self._setup.resume(saved), before)

    def _unless_lost(self, act: Callable[[], None]) -> None:
        """Act, but ask first if an unfinished playthrough would be lost."""
        session = self.session
        if session.saved_as is None and session.position.ply and not session.match.is_over:
            question = "This game is not saved. Leave it?"
            self.push_screen(Confirmation(question, "Leave", "Stay"), lambda yes: act() if yes else None)
        else:
            act()

    # The rest

    def action_help(self) -> None:
        """Show all keys."""
        self.push_screen(TextScreen("Help", help_text(self.session.position.game)))

    def action_toggle_theme(self) -> None:
        """Change between dark and light."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def action_leave(self) -> None:
        """Leave, after a question if the playthrough would be lost."""
        self._unless_lost(self._leave)

    async def action_quit(self) -> None:
        """Leave by Ctrl-Q."""
        self.action_leave()

    def action_help_quit(self) -> None:
        """Leave by Ctrl-C."""
        self.action_leave()

    def _leave(self, reason: LeaveReason = LeaveReason.QUIT) -> None:
        if self.session.is_left:
            return
        self.analysis.stop()
        events = self.session.leave(reason)
        self.runner.interrupt()
        self.exit(events)


def _mark_of(event: Event) -> str:
    """The mark of a message: refusals and results stand out."""
    return REFUSED if isinstance(event, Refused) else RESULT if isinstance(event, Ended) else ""
