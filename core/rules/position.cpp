#include "rules/position.hpp"

#include <algorithm>
#include <stdexcept>

namespace noughts {
namespace {

[[noreturn]] void refuse(const std::string& message) { throw std::invalid_argument(message); }

const char* name_of(Side side) { return side == X ? "X" : "O"; }

}  // namespace

Position::Position(std::shared_ptr<const Game> game) : game_(std::move(game)), words_(game_->words()) {
    allocate();
    Frame& frame = frames_[0];
    frame = Frame{};
    frame.hash = frame.key = game_->start_key;
    frame.block_to_play = frame.cell = -1;
    frame.free = static_cast<std::int16_t>(game_->cells());
    frame.winner = frame.decided = NOBODY;
    for (std::size_t i = 0; i < outer_.size(); ++i)
        for (Side side : {X, O})
            if (lacks_one(outer_[i], side)) frame.outer_completing[side] |= Word{1} << sum_of_empties(outer_[i]);
    find_completing();
    find_pairs();
}

// Reads the completing sets off the lines; play and undo then keep them.
void Position::find_completing() {
    for (auto& set : completing_) set.assign(words_, 0);
    for (LineState line : lines_)
        for (Side side : {X, O})
            if (lacks_one(line, side))
                completing_[side][sum_of_empties(line) / 64] |= Word{1} << (sum_of_empties(line) % 64);
}

void Position::find_pairs() {
    if (!game_->keeps_pairs()) return;
    for (auto& set : pairs_) set.assign((lines_.size() + 63) / 64, 0);
    for (std::size_t i = 0; i < lines_.size(); ++i)
        for (Side side : {X, O})
            if (lacks_two(lines_[i], side)) toggle_pair(static_cast<int>(i), side);
}

void Position::allocate() {
    const Game& game = *game_;
    lines_ = game.start_lines;
    outer_ = game.start_outer;
    for (auto& marks : marks_) marks.assign(words_, 0);
    decided_.assign(words_, 0);
    closed_.assign(words_, 0);
    ready_.assign(words_, 0);
    for (int cell = 0; cell < game.cells(); ++cell)
        if (game.supports[cell] == 0) ready_[cell / 64] |= Word{1} << (cell % 64);
    missing_supports_ = game.supports;
    owners_.assign(game.blocks(), NOBODY);
    block_scores_.assign(game.blocks(), 0);
    for (int block = 0; block < game.blocks(); ++block)
        free_in_.push_back(static_cast<std::int16_t>(game.cells_of[block].size()));
    frames_.resize(game.cells() + 1);
    // A line comes to lack one cell at most once on the way to a full board, and is spoiled by a guard at most once.
    changes_.resize(2 * lines_.size());
    // So does it come to lack two of either side's, and no longer to.
    if (game.keeps_pairs()) pair_changes_.resize(2 * lines_.size());
    for (auto& set : completing_) set.assign(words_, 0);
}

// A mark on a guard takes the line from its owner: the cell it lacked may no longer complete anything.
void Position::mark_guards(int cell, Side side, Frame& frame) {
    const LineState delta = guard_delta(side);
    const std::int16_t* scores = game_->line_scores.data();
    int gain = 0;
    for (int i : game_->guarded_by[cell]) {
        const LineState before = lines_[i], after = before + delta;
        lines_[i] = after;
        gain += scores[after & CLASS_MASK] - scores[before & CLASS_MASK];
        if (game_->keeps_pairs() && lacks_two(before, side)) note_pair(i, side, frame);
        if (!lacks_one(before, side)) continue;
        const int last = sum_of_empties(before);
        if (completes_elsewhere(last, side)) continue;
        toggle_completing(last, side);
        changes_[frame.changes++] = static_cast<std::uint16_t>(last * 2 + side);
    }
    const int block = game_->block_of(cell);
    block_scores_[block] += gain;
    if (owners_[block] == NOBODY) frame.score += gain;
}

bool Position::completes_elsewhere(int cell, Side side) const {
    return std::ranges::any_of(game_->lines_of[cell], [&](int i) { return lacks_one(lines_[i], side); });
}

void Position::mark_outer(int block, int owner, Frame& frame) {
    const LineState empty = ONE_EMPTY + (static_cast<LineState>(block) << SUM_SHIFT);
    // A dead block counts as a mark of both sides, which kills the line for both.
    const LineState delta = (owner == DEAD ? 1u + (1u << O_SHIFT) : 1u << (owner * O_SHIFT)) - empty;
    const std::int16_t* scores = game_->outer_scores.data();
    frame.outer_completing[X] &= ~(Word{1} << block);
    frame.outer_completing[O] &= ~(Word{1} << block);
    for (int i : game_->outer_lines_of[block]) {
        const LineState before = outer_[i], after = before + delta;
        outer_[i] = after;
        frame.score += scores[after & CLASS_MASK] - scores[before & CLASS_MASK];
        if (owner == DEAD) continue;
        if (lacks_one(after, owner)) frame.outer_completing[owner] |= Word{1} << sum_of_empties(after);
        if (is_complete(after, owner)) frame.winner = static_cast<std::int8_t>(game_->misere() ? 1 - owner : owner);
    }
}

void Position::decide(int block, int owner, Frame& frame) {
    const Game& game = *game_;
    frame.decided = static_cast<std::int8_t>(owner);
    owners_[block] = static_cast<std::int8_t>(owner);
    if (game.blocks() == 1) {
        if (owner != DEAD) frame.winner = static_cast<std::int8_t>(game.misere() ? 1 - owner : owner);
        return;
    }
    frame.score -= block_scores_[block];
    const auto mask = game.block_mask(block);
    if (game.keeps_won_blocks_open()) {
        // Cells do not tell who completed a line first, so the owner is part of the position.
        frame.hash ^= game.owner_keys[block][owner];
        frame.key ^= game.owner_keys[block][owner];
    } else {
        frame.free -= free_in_[block];
        frame.key ^= game.owner_keys[block][owner];
        for (int cell : game.cells_of[block])
            if (Side side = at(cell); side != NOBODY) frame.key ^= game.cell_key(side, cell);
        for (int w = 0; w < words_; ++w) closed_[w] |= mask[w];
    }
    for (int w = 0; w < words_; ++w) decided_[w] |= mask[w];
    if (owner != DEAD) {
        frame.won[owner] |= Word{1} << block;
        frame.score += owner == X ? game.data().weights.block : -game.data().weights.block;
    }
    mark_outer(block, owner, frame);
}

void Position::reopen(int block, int owner) {
    const Game& game = *game_;
    owners_[block] = NOBODY;
    if (game.blocks() == 1) return;
    const auto mask = game.block_mask(block);
    for (int w = 0; w < words_; ++w) {
        decided_[w] &= ~mask[w];
        closed_[w] &= ~mask[w];
    }
    const LineState empty = ONE_EMPTY + (static_cast<LineState>(block) << SUM_SHIFT);
    const LineState delta = (owner == DEAD ? 1u + (1u << O_SHIFT) : 1u << (owner * O_SHIFT)) - empty;
    for (int i : game.outer_lines_of[block]) outer_[i] -= delta;
}

Side Position::winner() const {
    const Frame& frame = now();
    const int more = std::popcount(frame.won[X]) - std::popcount(frame.won[O]);
    if (frame.winner != NOBODY || frame.free > 0 || !game_->counts_blocks() || more == 0) return frame.winner;
    return more > 0 ? X : O;
}

int Position::count_legal() const {
    if (is_over()) return 0;
    int count = 0;
    for (int w = 0; w < words_; ++w) count += std::popcount(legal_word(w));
    return count;
}

std::vector<int> Position::winning_line() const {
    if (now().winner == NOBODY) return {};
    const Side owner = game_->misere() ? 1 - now().winner : now().winner;
    const auto& data = game_->data();
    if (game_->blocks() > 1) {
        for (std::size_t i = 0; i < outer_.size(); ++i)
            if (is_complete(outer_[i], owner)) return data.outer_lines[i];
        return {};
    }
    for (std::size_t i = 0; i < lines_.size(); ++i)
        if (is_complete(lines_[i], owner)) return data.lines[i].cells;
    return {};
}

std::size_t Position::bytes() const {
    auto size = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
    return sizeof *this + size(lines_) + size(outer_) + size(marks_[X]) + size(marks_[O]) + size(ready_) +
           size(decided_) + size(closed_) + size(completing_[X]) + size(completing_[O]) + size(changes_) +
           size(pairs_[X]) + size(pairs_[O]) + size(pair_changes_) + size(frames_) + size(missing_supports_) +
           size(owners_) + size(free_in_) + size(block_scores_);
}

// --- positions set up from outside -------------------------------------------------------------------------------

Position::Position(std::shared_ptr<const Game> game, std::span<const int> cells, Side turn, int block_to_play,
                   std::span<const int> owners)
    : Position(std::move(game)) {
    check_setup(cells, turn, block_to_play, owners);
    place_marks(cells);
    check_support();
    settle_blocks(owners, 1 - turn);
    turn_ = turn;
    Frame& frame = frames_[0];
    if (turn == O) frame.key ^= TURN_KEY;
    if (frame.winner == NOBODY && frame.free > 0 && block_to_play >= 0) {
        if (block_to_play >= game_->blocks() || game_->blocks() == 1)
            refuse("expected a block of this game to play in");
        if (!can_be_sent_to(block_to_play))
            refuse("expected an open block to play in, but block " + std::to_string(block_to_play + 1) + " is closed");
        frame.block_to_play = static_cast<std::int16_t>(block_to_play);
        frame.hash ^= game_->send_keys[block_to_play];
        frame.key ^= game_->send_keys[block_to_play];
    }
}

void Position::check_setup(std::span<const int> cells, Side turn, int block_to_play,
                           std::span<const int> owners) const {
    const auto is_side_or_nobody = [](int side) { return side == X || side == O || side == NOBODY; };
    if (static_cast<int>(cells.size()) != game_->cells()) refuse("expected a mark or nothing for every cell");
    if (!std::ranges::all_of(cells, is_side_or_nobody)) refuse("expected each cell as 0 (X), 1 (O) or -1 (empty)");
    if (turn != X && turn != O) refuse("expected the side to move as 0 (X) or 1 (O)");
    if (std::ranges::count(cells, X) - std::ranges::count(cells, O) != turn)
        refuse("expected marks that fit the side to move");
    if (block_to_play < -1) refuse("expected a block of this game to play in");
    if (!game_->keeps_won_blocks_open()) return;
    if (static_cast<int>(owners.size()) != game_->blocks()) refuse("expected an owner or none for every block");
    if (!std::ranges::all_of(owners, is_side_or_nobody)) refuse("expected each owner as 0 (X), 1 (O) or -1 (none)");
}

void Position::place_marks(std::span<const int> cells) {
    Frame& frame = frames_[0];
    for (int cell = 0; cell < game_->cells(); ++cell) {
        const Side side = cells[cell];
        if (side == NOBODY) continue;
        for (int i : game_->lines_of[cell]) lines_[i] += mark_delta(side, cell);
        for (int i : game_->guarded_by[cell]) lines_[i] += guard_delta(side);
        marks_[side][cell >> 6] |= Word{1} << (cell & 63);
        ready_[cell >> 6] &= ~(Word{1} << (cell & 63));
        for (int above : game_->carries[cell])
            if (--missing_supports_[above] == 0) ready_[above >> 6] |= Word{1} << (above & 63);
        frame.hash ^= game_->cell_key(side, cell);
        frame.key ^= game_->cell_key(side, cell);
        --frame.free;
        --free_in_[game_->block_of(cell)];
    }
    find_completing();
    find_pairs();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const int worth = game_->line_scores[lines_[i] & CLASS_MASK];
        block_scores_[game_->block_of(game_->data().lines[i].cells.front())] += worth;
        frame.score += worth;
    }
    for (int w = 0; w < words_; ++w) ready_[w] &= ~(marks_[X][w] | marks_[O][w]);
}

void Position::check_support() const {
    for (int cell = 0; cell < game_->cells(); ++cell)
        if (missing_supports_[cell] > 0 && at(cell) != NOBODY)
            refuse("expected marks to rest on others, but one floats in the air");
}

// Who has completed lines in a block: bit 0 for X, bit 1 for O.
int Position::completed_in(int block) const {
    int sides = 0;
    const auto& data = game_->data();
    for (std::size_t i = 0; i < lines_.size(); ++i)
        if (game_->block_of(data.lines[i].cells.front()) == block)
            for (Side side : {X, O})
                if (is_complete(lines_[i], side)) sides |= 1 << side;
    return sides;
}

int Position::owner_in_setup(int block, std::span<const int> owners) const {
    const int sides = completed_in(block);
    if (game_->keeps_won_blocks_open()) {
        const int claimed = owners[block];
        if (claimed == NOBODY ? sides != 0 : !(sides & 1 << claimed))
            refuse("expected the owner of block " + std::to_string(block + 1) + " to be who has a line there");
        if (claimed != NOBODY) return claimed;
    } else {
        if (sides == 3) refuse("expected at most one side with a complete line, but both X and O have one");
        if (sides != 0) return sides == 1 ? X : O;
    }
    return free_in_[block] == 0 ? DEAD : NOBODY;
}

void Position::settle_blocks(std::span<const int> owners, Side last_mover) {
    Frame& frame = frames_[0];
    for (int block = 0; block < game_->blocks(); ++block)
        if (const int owner = owner_in_setup(block, owners); owner != NOBODY) decide(block, owner, frame);
    frame.decided = NOBODY;
    for (Side side : {X, O}) {
        bool complete = std::ranges::any_of(outer_, [&](LineState line) { return is_complete(line, side); });
        if (game_->blocks() == 1) complete = owners_[0] == side;
        if (complete && side != last_mover)
            refuse(std::string("expected a game that stopped when ") + name_of(side) + " completed a line, but " +
                   name_of(last_mover) + " moved after it");
    }
}

namespace {

std::uint64_t count_leaves(Position& position, int depth, WorkLimit& limit) {
    if (depth == 0) return 1;
    if (position.is_over()) return 0;
    if (depth == 1) return static_cast<std::uint64_t>(position.count_legal());
    limit.count_node();
    if (limit.must_end()) return 0;
    std::uint64_t leaves = 0;
    for (int w = 0; w < position.game().words(); ++w)
        for_each_bit(position.legal_word(w), w * 64, [&](int cell) {
            ScopedMove move(position, cell);
            leaves += count_leaves(position, depth - 1, limit);
        });
    return leaves;
}

}  // namespace

std::uint64_t perft(Position& position, int depth, const Interrupt& interrupt) {
    WorkLimit limit({}, interrupt);
    const std::uint64_t leaves = count_leaves(position, depth, limit);
    if (limit.is_spent()) throw Interrupted{};
    return leaves;
}

}  // namespace noughts
