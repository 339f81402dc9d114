// Games, symmetries and positions. Only the methods that must be fast are here; noughts.games handles text.
#include <nanobind/stl/optional.h>

#include <chrono>

#include "boundary/answers.hpp"
#include "python/binding.hpp"

namespace noughts::python {
namespace {

std::shared_ptr<const Game> make_game(int cells, std::vector<std::pair<std::vector<int>, std::vector<int>>> lines,
                                      std::vector<std::vector<int>> rests_on, std::vector<int> block_of,
                                      std::vector<int> sends, std::vector<std::vector<int>> outer_lines, bool misere,
                                      bool counts_blocks, bool keeps_won_blocks_open, Weights weights,
                                      nb::bytes network) {
    GameData data;
    data.cells = cells;
    for (auto& [line, guards] : lines) data.lines.push_back({std::move(line), std::move(guards)});
    data.rests_on = std::move(rests_on);
    data.block_of = std::move(block_of);
    data.sends = std::move(sends);
    data.outer_lines = std::move(outer_lines);
    data.misere = misere;
    data.counts_blocks = counts_blocks;
    data.keeps_won_blocks_open = keeps_won_blocks_open;
    data.weights = std::move(weights);
    const auto* bytes = static_cast<const std::uint8_t*>(network.data());
    data.network.assign(bytes, bytes + network.size());
    return std::make_shared<const Game>(std::move(data));
}

// The cell that a move names; NO_CELL if the move is an integer but not a cell. Text is parsed by noughts.games.
int cell_of(nb::handle self, nb::handle move) {
    nb::object number;
    if (PyUnicode_Check(move.ptr())) {
        if (!nb::hasattr(self, "parse_move")) throw nb::type_error("expected a move as a cell number, got str");
        number = self.attr("parse_move")(move);
    } else if (PyBool_Check(move.ptr()) || !PyIndex_Check(move.ptr())) {
        const std::string kind = move.is_none() ? "None" : nb::type_name(move.type()).c_str();
        throw nb::type_error(("expected a move as a cell number or as text, got " + kind).c_str());
    } else {
        number = nb::steal(PyNumber_Index(move.ptr()));
    }
    if (!number.is_valid()) throw nb::python_error();
    int overflow = 0;
    const long cell = PyLong_AsLongAndOverflow(number.ptr(), &overflow);
    if (cell == -1 && overflow == 0 && PyErr_Occurred()) throw nb::python_error();
    return overflow != 0 || cell < 0 || cell >= MAX_CELLS ? NO_CELL : static_cast<int>(cell);
}

// The position in a Python object, which may be of any type.
Position& position_in(nb::handle self) {
    Position* position = nullptr;
    if (!nb::try_cast(self, position) || !position)
        throw nb::type_error("expected a position that was set up by Position.__init__");
    return *position;
}

bool is_legal(nb::handle self, nb::handle move) {
    const Position& position = position_in(self);
    if (PyUnicode_Check(move.ptr())) throw nb::type_error("expected a move as a cell number, got str");
    return position.is_legal(cell_of(self, move));
}

// Raises IllegalMove with the reason; noughts.games writes the message.
[[noreturn]] void refuse(nb::handle self, nb::handle move) {
    if (nb::hasattr(self, "_refuse")) self.attr("_refuse")(move);
    throw nb::value_error("illegal move");
}

void play(nb::handle self, nb::handle move) {
    Position& position = position_in(self);
    const int cell = cell_of(self, move);
    if (cell == NO_CELL || !position.is_legal(cell)) refuse(self, move);
    position.play(cell);
}

std::uint64_t perft(const Position& position, int depth) {
    const Position copy(position);
    Call call;
    return call.run([&] { return count_playthroughs(copy, depth, call.interrupt()); });
}

template <typename Fill>
nb::list int_list(Fill&& fill) {
    nb::list result;
    fill([&result](int value) { result.append(nb::int_(value)); });
    return result;
}

nb::list legal_moves(const Position& position) {
    return int_list([&](auto add) { position.for_each_legal(add); });
}

nb::list moves(const Position& position) {
    return int_list([&](auto add) {
        for (int ply = 0; ply < position.ply(); ++ply) add(position.move_at(ply));
    });
}

nb::list cells(const Position& position) {
    nb::list result;
    for (int cell = 0; cell < position.game().cells(); ++cell) result.append(side_object(position.at(cell)));
    return result;
}

nb::list blocks(const Position& position) {
    nb::list result;
    for (int block = 0; block < position.game().blocks(); ++block)
        result.append(side_object(winner_of(position.owner(block))));
    return result;
}

std::uint64_t canonical_hash(const Symmetry& symmetry, const Position& position) {
    require_symmetry_of(position, symmetry);
    return symmetry.canonical_hash(position);
}

nb::tuple least_image(const Symmetry& symmetry, const Position& position) {
    require_symmetry_of(position, symmetry);
    const Position copy(position);
    const auto image = Call().run([&] { return symmetry.least_image(copy); });
    return nb::make_tuple(image.marks, image.block_to_play, image.owners, symmetry.elements()[image.element]);
}

Symmetry find_symmetries(const Game& game, const std::vector<Permutation>& geometric, std::size_t limit) {
    require_range<std::size_t>("a limit", limit, 1, MAX_SYMMETRIES);
    Call call;
    return call.run([&] { return Symmetry(game, geometric, limit, call.interrupt()); });
}

void set_up(Position* self, std::shared_ptr<const Game> game, const std::vector<int>& marks, int turn,
            int block_to_play, const std::vector<int>& owners) {
    new (self) Position(std::move(game), marks, side_from(turn), block_to_play, owners);
}

// The seconds that it takes to play and take back the given playthroughs `repeats` times. Only for bench/, which
// measures the rules without the cost of calls from Python.
double time_playthroughs(const Position& from, const std::vector<std::vector<int>>& playthroughs, int repeats) {
    require(repeats >= 0, "expected repeats from 0, got " + std::to_string(repeats));
    Position position(from);
    for (const auto& playthrough : playthroughs) {
        for (int cell : playthrough) {
            require(position.is_legal(cell), "expected playthroughs of legal moves, got " + std::to_string(cell));
            position.play(cell);
        }
        for (std::size_t ply = 0; ply < playthrough.size(); ++ply) position.undo();
    }
    Call call;
    return call.run([&, interrupt = call.interrupt()] {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < repeats; ++i) {
            for (const auto& playthrough : playthroughs) {
                for (int cell : playthrough) position.play(cell);
                for (std::size_t ply = 0; ply < playthrough.size(); ++ply) position.undo();
            }
            if (i % 1024 == 1023 && interrupt()) throw Interrupted{};
        }
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
}

void bind_games(nb::module_& m) {
    nb::class_<Game>(m, "Game", "The compiled rules of a game; made by `make_game`.");
    m.def("make_game", &make_game, "cells"_a, "lines"_a, "rests_on"_a, "block_of"_a, "sends"_a, "outer_lines"_a,
          "misere"_a, "counts_blocks"_a, "keeps_won_blocks_open"_a, "weights"_a, "network"_a = nb::bytes("", 0),
          "Return a compiled game. Raises ValueError when the data contradict themselves or exceed a limit.");
    nb::class_<Weights>(m, "Weights", "Weights of the evaluation, see noughts.games.evaluation.")
        .def(
            "__init__",
            [](Weights* self, std::vector<int> line, std::vector<int> outer, int tempo, int block, int free_move,
               int exposed, int threatened, int lined_up) {
                new (self)
                    Weights{std::move(line), std::move(outer), tempo, block, free_move, exposed, threatened, lined_up};
            },
            "line"_a, "outer"_a, "tempo"_a, "block"_a, "free_move"_a, "exposed"_a, "threatened"_a, "lined_up"_a);
}

void bind_symmetry(nb::module_& m) {
    nb::class_<Symmetry>(m, "Symmetry", "The symmetries of a game, as permutations of its cells.")
        .def(
            "__init__",
            [](Symmetry* self, const Game& game, const std::vector<Permutation>& geometric, std::size_t limit) {
                new (self) Symmetry(find_symmetries(game, geometric, limit));
            },
            "game"_a, "geometric"_a, "limit"_a = MAX_SYMMETRIES,
            "Find the symmetries. If there are more than `limit`, those generated by `geometric` are used instead.")
        .def_prop_ro("orbit_sizes", &Symmetry::orbit_sizes,
                     "Factors of the order of the whole group; empty when it was not found.")
        .def_prop_ro("generators", &Symmetry::generators, "Permutations that generate the whole group.")
        .def_prop_ro("elements", &Symmetry::elements, "The permutations in use, the identity first.")
        .def_prop_ro(
            "size", [](const Symmetry& s) { return s.elements().size(); }, "The number of elements.")
        .def_prop_ro("note", &Symmetry::note, "Why only some symmetries are used; empty when all are.")
        .def_prop_ro("bytes", &Symmetry::bytes, "The memory in use.")
        .def("canonical_hash", &canonical_hash, "position"_a, "Return a hash that is equal for symmetric positions.")
        .def("least_image", &least_image, "position"_a,
             "Return the least of all images of a position: marks, block to play, owners, and the permutation from\n"
             "cells of the image to cells of the position.");
}

constexpr const char* PLAY =
    "Make a move: a cell number, or its text such as \"b2\".\n\n"
    "Raises IllegalMove, with the reason, for a number that is not a legal move, InvalidNotation for a text that\n"
    "names no cell (both are ValueErrors), and TypeError for anything else. The position is then unchanged.";
constexpr const char* PERFT =
    "Return the number of sequences of exactly `depth` moves from here: the usual test of a move generator.\n\n"
    "Sequences that end the game earlier are not counted. Ctrl-C ends a count that takes too long.";

void bind_position(nb::module_& m) {
    nb::class_<Position>(m, "Position", "The compiled part of noughts.Position.")
        .def(nb::init<std::shared_ptr<const Game>>(), "game"_a)
        .def(nb::init<const Position&>(), "other"_a)
        .def("__init__", &set_up, "game"_a, "cells"_a, "turn"_a, "block_to_play"_a, "owners"_a)
        .def("play", &play, "move"_a.none(), nb::sig("def play(self, move: int | str) -> None"), PLAY)
        .def("undo", &take_back, nb::sig("def undo(self) -> int"),
             "Take the last move back and return it. Raises ValueError when no move was made.")
        .def("is_legal", &is_legal, "move"_a.none(), nb::sig("def is_legal(self, move: int) -> bool"),
             "Return whether a cell number is a legal move now. Raises TypeError for text.")
        .def("perft", &perft, "depth"_a, nb::sig("def perft(self, depth: int) -> int"), PERFT)
        .def(
            "_completing",
            [](const Position& p, int side, bool playable) { return completing(p, side_from(side), playable); },
            "side"_a, "playable"_a)
        .def("_same", &same, "other"_a)
        .def_prop_ro("legal_moves", &legal_moves,
                     "The legal moves as cell numbers, in ascending order; none when the game is over.")
        .def_prop_ro("moves", &moves,
                     "The moves made since the start, or since the position was set up, as cell numbers.")
        .def_prop_ro("ply", &Position::ply,
                     "The number of moves made since the start, or since the position was set up.")
        .def_prop_ro(
            "last_move", [](const Position& p) { return p.ply() ? nb::object(nb::int_(+p.now().cell)) : nb::none(); },
            "The last move made, or None.")
        .def_prop_ro(
            "turn", [](const Position& p) { return p.is_over() ? nb::none() : side_object(p.turn()); },
            "The side to move, or None when the game is over.")
        .def_prop_ro(
            "side_to_move", [](const Position& p) { return side_object(p.turn()); },
            "The side to move; when the game is over, the side that would move.")
        .def_prop_ro("is_over", &Position::is_over, "Whether the game is over.")
        .def_prop_ro(
            "winner", [](const Position& p) { return side_object(p.winner()); },
            "The side that has won, or None for a draw and while the game is not over.")
        .def_prop_ro("_line_winner", [](const Position& p) { return side_object(p.line_winner()); })
        .def_prop_ro("cells", &cells, "The mark on each cell: Side.X, Side.O or None.")
        .def_prop_ro("blocks", &blocks,
                     "The owner of each block: Side.X, Side.O, or None if it is undecided or full without a line.")
        .def_prop_ro("open_blocks", &open_blocks,
                     "The blocks that can still be played in, regardless of where the last move sends.")
        .def_prop_ro("block_to_play", &block_to_play,
                     "The block the last move sends to, from 0, or None when any open block may be played in.")
        .def_prop_ro("hash", &Position::hash,
                     "A 64-bit hash, equal for equal positions of one game: a key for dictionaries.")
        .def_prop_ro("_key", &Position::key)
        .def_prop_ro("_score", &Position::score)
        .def_prop_ro("_winning_line", &Position::winning_line)
        .def_prop_ro("_bytes", &Position::bytes);
}

}  // namespace

void bind_game(nb::module_& m) {
    m.attr("MAX_CELLS") = MAX_CELLS;
    m.attr("MAX_LINES") = MAX_LINES;
    m.attr("MAX_LINE_LENGTH") = MAX_LINE_LENGTH;
    m.attr("MAX_GUARDS") = MAX_GUARDS;
    bind_games(m);
    bind_symmetry(m);
    bind_position(m);
    m.def("_time_playthroughs", &time_playthroughs, "position"_a, "playthroughs"_a, "repeats"_a,
          "Return the seconds to play and take back playthroughs. Only for bench/.");
}

}  // namespace noughts::python
