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
    frame.hash = frame.key = game_->fingerprint();
    frame.block_to_play = NO_BLOCK;
    frame.cell = NO_CELL;
    frame.free = static_cast<std::int16_t>(game_->cells());
    frame.winner = NO_SIDE;
    frame.decided = Owner::UNDECIDED;
    for (LineState line : outer_)
        for (Side side : BOTH_SIDES)
            if (lacks_one(line, side)) frame.outer_completing[side] |= bit(sum_of_empties(line));
    find_completing();
    find_pairs();
}

// Computes the completing sets from the lines; play and undo update them afterwards.
void Position::find_completing() {
    for (auto& set : completing_) set.clear();
    for (LineState line : lines_)
        for (Side side : BOTH_SIDES)
            if (lacks_one(line, side)) completing_[side].insert(sum_of_empties(line));
}

void Position::find_pairs() {
    if (!game_->keeps_pairs()) return;
    for (auto& set : pairs_) set = CellSet(game_->lines());
    for (int i = 0; i < game_->lines(); ++i)
        for (Side side : BOTH_SIDES)
            if (lacks_two(lines_[i], side)) pairs_[side].insert(i);
}

void Position::allocate() {
    const Game& game = *game_;
    lines_ = game.start_lines();
    outer_ = game.start_outer_lines();
    for (CellSet* set : {&marks_[X], &marks_[O], &completing_[X], &completing_[O], &decided_, &closed_, &ready_})
        *set = CellSet(game.cells());
    for (Cell cell = 0; cell < game.cells(); ++cell)
        if (game.supports(cell) == 0) ready_.insert(cell);
    missing_supports_ = game.supports();
    owners_.assign(game.blocks(), Owner::UNDECIDED);
    block_scores_.assign(game.blocks(), 0);
    for (int block = 0; block < game.blocks(); ++block)
        free_in_.push_back(static_cast<std::int16_t>(game.cells_of(block).size()));
    frames_.resize(game.cells() + 1);
    // Until the board is full, each line comes to lack one cell at most once, and is spoiled by a guard at most once.
    changes_.resize(2 * lines_.size());
    // Likewise, each line enters and leaves the set of pairs at most once.
    if (game.keeps_pairs()) pair_changes_.resize(2 * lines_.size());
}

// Frames and logs of later plies are not cleared: play overwrites them.
void Position::rewind(const Position& start) {
    assert(start.ply_ == 0 && start.game_ == game_ && start.hash() == frames_[0].hash);
    ply_ = 0;
    turn_ = start.turn_;
    lines_ = start.lines_;
    outer_ = start.outer_;
    marks_ = start.marks_;
    ready_ = start.ready_;
    decided_ = start.decided_;
    closed_ = start.closed_;
    completing_ = start.completing_;
    pairs_ = start.pairs_;
    missing_supports_ = start.missing_supports_;
    owners_ = start.owners_;
    free_in_ = start.free_in_;
    block_scores_ = start.block_scores_;
}

// A mark on a guard spoils the line for its owner, so the cell that the line lacked may no longer complete a line.
void Position::mark_guards(int cell, Side side, Frame& frame) {
    const LineState delta = guard_delta(side);
    const std::int16_t* scores = game_->line_scores();
    int gain = 0;
    for (int i : game_->guarded_by(cell)) {
        const LineState before = lines_[i], after = before + delta;
        lines_[i] = after;
        gain += scores[after & CLASS_MASK] - scores[before & CLASS_MASK];
        if (game_->keeps_pairs() && lacks_two(before, side)) note_pair(i, side, frame);
        if (!lacks_one(before, side)) continue;
        const int last = sum_of_empties(before);
        if (completes_elsewhere(last, side)) continue;
        completing_[side].erase(last);
        changes_[frame.changes++] = {last, side};
    }
    const int block = game_->block_of(cell);
    block_scores_[block] += gain;
    if (!is_decided(block)) frame.score += gain;
}

bool Position::completes_elsewhere(int cell, Side side) const {
    return std::ranges::any_of(game_->lines_of(cell), [&](int i) { return lacks_one(lines_[i], side); });
}

namespace {

// A dead block counts as a mark of both sides, which makes the outer line useless for both.
LineState outer_delta(Block block, Owner owner) {
    const LineState marks = owner == Owner::DEAD ? one_mark(X) + one_mark(O) : one_mark(winner_of(owner));
    return marks - ONE_EMPTY - (static_cast<LineState>(block) << SUM_SHIFT);
}

}  // namespace

void Position::mark_outer(Block block, Owner owner, Frame& frame) {
    const LineState delta = outer_delta(block, owner);
    const Side side = winner_of(owner);
    const std::int16_t* scores = game_->outer_scores();
    for (Word& completing : frame.outer_completing) completing &= ~bit(block);
    for (int i : game_->outer_lines_of(block)) {
        const LineState before = outer_[i], after = before + delta;
        outer_[i] = after;
        frame.score += scores[after & CLASS_MASK] - scores[before & CLASS_MASK];
        if (side == NO_SIDE) continue;
        if (lacks_one(after, side)) frame.outer_completing[side] |= bit(sum_of_empties(after));
        if (is_complete(after, side)) frame.winner = game_->misere() ? opponent(side) : side;
    }
}

void Position::decide(Block block, Owner owner, Frame& frame) {
    const Game& game = *game_;
    const Side side = winner_of(owner);
    frame.decided = owner;
    owners_[block] = owner;
    if (game.has_one_block()) {
        if (side != NO_SIDE) frame.winner = game.misere() ? opponent(side) : side;
        return;
    }
    frame.score -= block_scores_[block];
    frame.key ^= game.owner_key(block, owner);
    if (game.keeps_won_blocks_open()) {
        // The marks do not show which side completed a line first, so the owner is part of the position.
        frame.hash ^= game.owner_key(block, owner);
    } else {
        frame.free -= free_in_[block];
        for (Cell cell : game.cells_of(block))
            if (const Side mark = at(cell); mark != NO_SIDE) frame.key ^= game.cell_key(mark, cell);
        closed_ |= game.block_mask(block);
    }
    decided_ |= game.block_mask(block);
    if (side != NO_SIDE) {
        frame.won[side] |= bit(block);
        frame.score += side == X ? game.data().weights.block : -game.data().weights.block;
    }
    mark_outer(block, owner, frame);
}

void Position::reopen(Block block, Owner owner) {
    const Game& game = *game_;
    owners_[block] = Owner::UNDECIDED;
    if (game.has_one_block()) return;
    decided_ -= game.block_mask(block);
    closed_ -= game.block_mask(block);
    for (int i : game.outer_lines_of(block)) outer_[i] -= outer_delta(block, owner);
}

Side Position::winner() const {
    const Frame& frame = now();
    const int more = std::popcount(frame.won[X]) - std::popcount(frame.won[O]);
    if (frame.winner != NO_SIDE || frame.free > 0 || !game_->counts_blocks() || more == 0) return frame.winner;
    return more > 0 ? X : O;
}

std::vector<int> Position::winning_line() const {
    if (now().winner == NO_SIDE) return {};
    const Side owner = game_->misere() ? opponent(now().winner) : now().winner;
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
    std::size_t bytes = sizeof *this + ready_.bytes() + decided_.bytes() + closed_.bytes();
    for (Side side : BOTH_SIDES) bytes += marks_[side].bytes() + completing_[side].bytes() + pairs_[side].bytes();
    return bytes + size(lines_) + size(outer_) + size(changes_) + size(pair_changes_) + size(frames_) +
           size(missing_supports_) + size(owners_) + size(free_in_) + size(block_scores_);
}

// --- positions set up from outside -------------------------------------------------------------------------------

Position::Position(std::shared_ptr<const Game> game, std::span<const int> cells, Side turn, Block block_to_play,
                   std::span<const int> owners)
    : Position(std::move(game)) {
    check_setup(cells, turn, block_to_play, owners);
    place_marks(cells);
    check_support();
    settle_blocks(owners, opponent(turn));
    turn_ = turn;
    Frame& frame = frames_[0];
    if (turn == O) frame.key ^= TURN_KEY;
    if (frame.winner == NO_SIDE && frame.free > 0 && block_to_play >= 0) {
        if (block_to_play >= game_->blocks() || game_->blocks() == 1)
            refuse("expected a block of this game to play in");
        if (!can_be_sent_to(block_to_play))
            refuse("expected an open block to play in, but block " + std::to_string(block_to_play + 1) + " is closed");
        frame.block_to_play = static_cast<std::int16_t>(block_to_play);
        frame.hash ^= game_->send_key(block_to_play);
        frame.key ^= game_->send_key(block_to_play);
    }
}

void Position::check_setup(std::span<const int> cells, Side turn, Block block_to_play,
                           std::span<const int> owners) const {
    const auto is_side_or_nobody = [](int code) { return index(NO_SIDE) <= code && code <= index(O); };
    if (static_cast<int>(cells.size()) != game_->cells()) refuse("expected a mark or nothing for every cell");
    if (!std::ranges::all_of(cells, is_side_or_nobody)) refuse("expected each cell as 0 (X), 1 (O) or -1 (empty)");
    if (turn == NO_SIDE) refuse("expected X or O to move");
    if (std::ranges::count(cells, index(X)) - std::ranges::count(cells, index(O)) != index(turn))
        refuse("expected marks that fit the side to move");
    if (block_to_play < -1) refuse("expected a block of this game to play in");
    if (!game_->keeps_won_blocks_open()) return;
    if (static_cast<int>(owners.size()) != game_->blocks()) refuse("expected an owner or none for every block");
    if (!std::ranges::all_of(owners, is_side_or_nobody)) refuse("expected each owner as 0 (X), 1 (O) or -1 (none)");
}

void Position::place_marks(std::span<const int> cells) {
    Frame& frame = frames_[0];
    for (Cell cell = 0; cell < game_->cells(); ++cell) {
        const Side side = static_cast<Side>(cells[cell]);
        if (side == NO_SIDE) continue;
        for (int i : game_->lines_of(cell)) lines_[i] += mark_delta(side, cell);
        for (int i : game_->guarded_by(cell)) lines_[i] += guard_delta(side);
        marks_[side].insert(cell);
        for (Cell above : game_->carries(cell))
            if (--missing_supports_[above] == 0) ready_.insert(above);
        frame.hash ^= game_->cell_key(side, cell);
        frame.key ^= game_->cell_key(side, cell);
        --frame.free;
        --free_in_[game_->block_of(cell)];
    }
    find_completing();
    find_pairs();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const int worth = game_->line_scores()[lines_[i] & CLASS_MASK];
        block_scores_[game_->block_of(game_->data().lines[i].cells.front())] += worth;
        frame.score += worth;
    }
    for (Side side : BOTH_SIDES) ready_ -= marks_[side];
}

void Position::check_support() const {
    for (int cell = 0; cell < game_->cells(); ++cell)
        if (missing_supports_[cell] > 0 && at(cell) != NO_SIDE)
            refuse("expected marks to rest on others, but one floats in the air");
}

// For each side, whether it has completed a line in the block.
PerSide<bool> Position::completed_in(Block block) const {
    PerSide<bool> completed;
    const auto& data = game_->data();
    for (std::size_t i = 0; i < lines_.size(); ++i)
        if (game_->block_of(data.lines[i].cells.front()) == block)
            for (Side side : BOTH_SIDES) completed[side] |= is_complete(lines_[i], side);
    return completed;
}

Owner Position::owner_in_setup(Block block, std::span<const int> owners) const {
    const PerSide<bool> completed = completed_in(block);
    if (game_->keeps_won_blocks_open()) {
        const Side claimed = static_cast<Side>(owners[block]);
        if (claimed == NO_SIDE ? completed[X] || completed[O] : !completed[claimed])
            refuse("expected the owner of block " + std::to_string(block + 1) + " to have a line there");
        if (claimed != NO_SIDE) return owned_by(claimed);
    } else {
        if (completed[X] && completed[O])
            refuse("expected at most one side with a complete line, but both X and O have one");
        if (completed[X] || completed[O]) return completed[X] ? Owner::X : Owner::O;
    }
    return free_in_[block] == 0 ? Owner::DEAD : Owner::UNDECIDED;
}

void Position::settle_blocks(std::span<const int> owners, Side last_mover) {
    Frame& frame = frames_[0];
    for (Block block = 0; block < game_->blocks(); ++block)
        if (const Owner owner = owner_in_setup(block, owners); owner != Owner::UNDECIDED) decide(block, owner, frame);
    frame.decided = Owner::UNDECIDED;
    for (Side side : BOTH_SIDES) {
        bool complete = std::ranges::any_of(outer_, [&](LineState line) { return is_complete(line, side); });
        if (game_->has_one_block()) complete = owners_[0] == owned_by(side);
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
    position.legal_cells().for_each([&](Cell cell) {
        const ScopedMove move(position, cell);
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
