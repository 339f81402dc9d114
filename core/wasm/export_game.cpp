// Games, symmetries and positions.
#include <memory>

#include "envs/planes.hpp"
#include "wasm/boundary.hpp"

using namespace noughts;
using namespace noughts::wasm;

namespace {

Weights read_weights(Input& input) {
    Weights weights;
    weights.line = input.list();
    weights.outer = input.list();
    for (int* each :
         {&weights.tempo, &weights.block, &weights.free_move, &weights.exposed, &weights.threatened, &weights.lined_up})
        *each = input.number();
    return weights;
}

GameData read_game(Input& input) {
    GameData data;
    data.cells = input.number();
    data.lines.resize(static_cast<std::size_t>(input.number()));
    for (LineData& line : data.lines) {
        line.cells = input.list();
        line.guards = input.list();
    }
    data.rests_on = input.lists();
    data.block_of = input.list();
    data.sends = input.list();
    data.outer_lines = input.lists();
    data.misere = input.number() != 0;
    data.counts_blocks = input.number() != 0;
    data.keeps_won_blocks_open = input.number() != 0;
    data.weights = read_weights(input);
    data.network = input.bytes();
    return data;
}

std::vector<Permutation> read_permutations(Input& input) {
    std::vector<Permutation> found;
    for (const auto& each : input.lists()) {
        for (const int cell : each) require_range("cells of a permutation", cell, 0, MAX_CELLS - 1);
        found.emplace_back(each.begin(), each.end());
    }
    return found;
}

template <typename Fill>
void output_cells(Fill&& fill) {
    std::vector<int> cells;
    fill([&cells](int cell) { cells.push_back(cell); });
    Output().list(cells);
}

}  // namespace

// --- games --------------------------------------------------------------------------------------------------------

NOUGHTS_EXPORT(make_game) SharedGame* make_game() {
    return call([] {
        Input input;
        return new SharedGame(std::make_shared<const Game>(read_game(input)));
    });
}

NOUGHTS_EXPORT(game_free) void game_free(SharedGame* game) { delete game; }
NOUGHTS_EXPORT(planes_of) int game_planes(const SharedGame* game) { return planes_of(**game); }

// --- symmetries ---------------------------------------------------------------------------------------------------

NOUGHTS_EXPORT(symmetry_new) SharedSymmetry* symmetry_new(const SharedGame* game, int limit) {
    return call([=] {
        require_range<int>("a limit", limit, 1, MAX_SYMMETRIES);
        Input input;
        return new SharedSymmetry(std::make_shared<const Symmetry>(**game, read_permutations(input),
                                                                   static_cast<std::size_t>(limit), interrupt()));
    });
}

NOUGHTS_EXPORT(symmetry_free) void symmetry_free(SharedSymmetry* symmetry) { delete symmetry; }

NOUGHTS_EXPORT(symmetry_orbit_sizes) void symmetry_orbit_sizes(const SharedSymmetry* symmetry) {
    Output().list((*symmetry)->orbit_sizes());
}
NOUGHTS_EXPORT(symmetry_generators) void symmetry_generators(const SharedSymmetry* symmetry) {
    Output().lists((*symmetry)->generators());
}
NOUGHTS_EXPORT(symmetry_elements) void symmetry_elements(const SharedSymmetry* symmetry) {
    Output().lists((*symmetry)->elements());
}
NOUGHTS_EXPORT(symmetry_size) std::size_t symmetry_size(const SharedSymmetry* symmetry) {
    return (*symmetry)->elements().size();
}
NOUGHTS_EXPORT(symmetry_note) void symmetry_note(const SharedSymmetry* symmetry) {
    Output().bytes((*symmetry)->note());
}
NOUGHTS_EXPORT(symmetry_bytes) std::size_t symmetry_bytes(const SharedSymmetry* symmetry) {
    return (*symmetry)->bytes();
}

NOUGHTS_EXPORT(symmetry_canonical_hash)
std::uint64_t symmetry_canonical_hash(const SharedSymmetry* symmetry, const Position* position) {
    return call([=] {
        require_symmetry_of(*position, **symmetry);
        return (*symmetry)->canonical_hash(*position);
    });
}

NOUGHTS_EXPORT(symmetry_least_image)
void symmetry_least_image(const SharedSymmetry* symmetry, const Position* position) {
    call([=] {
        require_symmetry_of(*position, **symmetry);
        const auto image = (*symmetry)->least_image(*position);
        Output output;
        output.list(image.marks);
        output.number(image.block_to_play);
        output.list(image.owners);
        output.list((*symmetry)->elements()[image.element]);
    });
}

// --- positions ----------------------------------------------------------------------------------------------------

NOUGHTS_EXPORT(position_new) Position* position_new(const SharedGame* game) {
    return call([=] { return new Position(*game); });
}

NOUGHTS_EXPORT(position_copy) Position* position_copy(const Position* other) {
    return call([=] { return new Position(*other); });
}

NOUGHTS_EXPORT(position_set_up) Position* position_set_up(const SharedGame* game, int turn, int block_to_play) {
    return call([=] {
        Input input;
        const auto cells = input.list(), owners = input.list();
        return new Position(*game, cells, side_from(turn), block_to_play, owners);
    });
}

NOUGHTS_EXPORT(position_free) void position_free(Position* position) { delete position; }

// Plays the move if it is legal; returns whether it was.
NOUGHTS_EXPORT(position_play) bool position_play(Position* position, int cell) {
    if (!position->is_legal(cell)) return false;
    position->play(cell);
    return true;
}

NOUGHTS_EXPORT(position_undo) int position_undo(Position* position) {
    return call([=] { return take_back(*position); });
}
NOUGHTS_EXPORT(position_is_legal) bool position_is_legal(const Position* position, int cell) {
    return position->is_legal(cell);
}
NOUGHTS_EXPORT(position_perft) double position_perft(const Position* position, int depth) {
    return call([=] { return static_cast<double>(count_playthroughs(*position, depth, interrupt())); });
}
NOUGHTS_EXPORT(position_completing) void position_completing(const Position* position, int side, bool playable) {
    call([=] { Output().list(completing(*position, side_from(side), playable)); });
}
NOUGHTS_EXPORT(position_same) bool position_same(const Position* a, const Position* b) { return same(*a, *b); }

NOUGHTS_EXPORT(position_legal_moves) void position_legal_moves(const Position* position) {
    output_cells([=](auto add) { position->for_each_legal(add); });
}
NOUGHTS_EXPORT(position_moves) void position_moves(const Position* position) {
    output_cells([=](auto add) {
        for (int ply = 0; ply < position->ply(); ++ply) add(position->move_at(ply));
    });
}
NOUGHTS_EXPORT(position_cells) void position_cells(const Position* position) {
    output_cells([=](auto add) {
        for (Cell cell = 0; cell < position->game().cells(); ++cell) add(index(position->at(cell)));
    });
}
NOUGHTS_EXPORT(position_blocks) void position_blocks(const Position* position) {
    output_cells([=](auto add) {
        for (Block block = 0; block < position->game().blocks(); ++block) add(index(winner_of(position->owner(block))));
    });
}
NOUGHTS_EXPORT(position_open_blocks) void position_open_blocks(const Position* position) {
    Output().list(open_blocks(*position));
}
NOUGHTS_EXPORT(position_winning_line) void position_winning_line(const Position* position) {
    Output().list(position->winning_line());
}

// Sides are 0 for X, 1 for O and -1 for none; cells and blocks are -1 for none.
NOUGHTS_EXPORT(position_ply) int position_ply(const Position* position) { return position->ply(); }
NOUGHTS_EXPORT(position_last_move) int position_last_move(const Position* position) {
    return position->ply() > 0 ? position->now().cell : NO_CELL;
}
NOUGHTS_EXPORT(position_side_to_move) int position_side_to_move(const Position* position) {
    return index(position->turn());
}
NOUGHTS_EXPORT(position_is_over) bool position_is_over(const Position* position) { return position->is_over(); }
NOUGHTS_EXPORT(position_winner) int position_winner(const Position* position) { return index(position->winner()); }
NOUGHTS_EXPORT(position_line_winner) int position_line_winner(const Position* position) {
    return index(position->line_winner());
}
NOUGHTS_EXPORT(position_block_to_play) int position_block_to_play(const Position* position) {
    return block_to_play(*position).value_or(NO_BLOCK);
}
NOUGHTS_EXPORT(position_hash) std::uint64_t position_hash(const Position* position) { return position->hash(); }
NOUGHTS_EXPORT(position_key) std::uint64_t position_key(const Position* position) { return position->key(); }
NOUGHTS_EXPORT(position_score) int position_score(const Position* position) { return position->score(); }
NOUGHTS_EXPORT(position_bytes) std::size_t position_bytes(const Position* position) { return position->bytes(); }
