// A position of any game: play and undo update it incrementally, without rescans or allocation.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rules/game.hpp"
#include "support/work_limit.hpp"

namespace noughts {

class Position {
  public:
    // The part of the state that is stored for every ply, because copying it is cheaper than reverting it.
    struct Frame {
        std::uint64_t hash;  // of all marks, the block to play and, where the marks do not determine them, the owners
        // For the tables of a search: like the hash, without the marks in closed blocks. Includes the side to move,
        // which the remaining marks do not determine.
        std::uint64_t key;
        PerSide<Word> outer_completing;  // blocks with which each side would complete an outer line
        PerSide<Word> won;               // blocks won by each side
        std::int32_t score;              // for X: lines of undecided blocks plus outer lines
        std::int32_t old_block_score;    // score of the block of the last move, before that move
        std::uint32_t changes;           // length of the log of completing cells, see completing_changes()
        std::uint32_t pair_changes;      // length of the log of lines that lack two cells
        std::int16_t block_to_play;      // NO_BLOCK if any block may be played
        std::int16_t cell;               // the last move
        std::int16_t free;               // empty cells in blocks that can still be played in
        Side winner;                     // by a line, or NO_SIDE
        Owner decided;                   // new state of the block of the last move; UNDECIDED if it did not change
    };

    explicit Position(std::shared_ptr<const Game> game);

    // Sets up a position without earlier moves. `cells` holds 0 for X, 1 for O and -1 for an empty cell; `owners` does
    // the same for blocks, and is read only in games where won blocks stay open. Throws std::invalid_argument if no
    // playthrough could lead to the position.
    Position(std::shared_ptr<const Game> game, std::span<const int> cells, Side turn, Block block_to_play,
             std::span<const int> owners);

    const Game& game() const { return *game_; }
    const std::shared_ptr<const Game>& shared_game() const { return game_; }

    // Precondition: is_legal(cell).
    void play(Cell cell);
    // Precondition: ply() > 0.
    void undo();

    // Takes back all moves at once. `start` must be the position from which they were made, without moves of its own.
    void rewind(const Position& start);

    // Gives the turn to the other side; a second call reverts it. Not a legal move: searches in games of one block use
    // it to find out what the other side could do.
    void pass() {
        turn_ = opponent(turn_);
        frames_[ply_].key ^= TURN_KEY;
    }

    int ply() const { return ply_; }  // moves played since the position was set up
    Cell move_at(int ply) const { return frames_[ply + 1].cell; }
    Side turn() const { return turn_; }  // if the game is over, the side that would be next
    const Frame& now() const { return frames_[ply_]; }
    std::uint64_t hash() const { return now().hash; }
    std::uint64_t key() const { return now().key; }
    // The key after a move, if the move does not decide a block. Only a hint, for prefetching.
    std::uint64_t likely_key_after(Cell cell) const {
        const CellInfo& info = game_->cell_info(cell);
        std::uint64_t after = now().key ^ info.keys[turn_] ^ TURN_KEY;
        if (game_->has_one_block()) return after;
        if (now().block_to_play >= 0) after ^= game_->send_key(now().block_to_play);
        return info.sends >= 0 && can_be_sent_to(info.sends) ? after ^ game_->send_key(info.sends) : after;
    }
    int score() const { return now().score; }
    bool is_over() const { return now().winner != NO_SIDE || now().free == 0; }
    Side line_winner() const { return now().winner; }  // by a line (in misère, by the opponent's line)
    Side winner() const;                               // by a line or, in games that count blocks, by counting
    Block block_to_play() const { return now().block_to_play; }
    Owner owner(Block block) const { return owners_[block]; }
    bool is_decided(Block block) const { return owners_[block] != Owner::UNDECIDED; }

    Side at(Cell cell) const {
        if (marks_[X].contains(cell)) return X;
        return marks_[O].contains(cell) ? O : NO_SIDE;
    }

    // Sets of cells. All are exact and do not depend on the side to move.
    const CellSet& marks(Side side) const { return marks_[side]; }
    auto empty_cells() const {
        return CellView(
            words_, [this](int w) { return ~(marks_[X].word(w) | marks_[O].word(w)) & game_->all_cells().word(w); });
    }
    // The cells that may be filled, regardless of the block to which the last move sends.
    auto playable_cells() const {
        return CellView(words_, [this](int w) { return ready_.word(w) & ~closed_.word(w); });
    }
    // The playable cells in the block to play. The game must not be over.
    auto legal_cells() const {
        return CellView(words_, [this, block = block_to_play()](int w) {
            const Word playable = ready_.word(w) & ~closed_.word(w);
            return block < 0 ? playable : playable & game_->block_mask(block).word(w);
        });
    }
    // The empty cells of undecided blocks that complete a line of `side`.
    auto completing_cells(Side side) const {
        return CellView(words_, [this, completing = &completing_[side]](int w) {
            return completing->word(w) & ~decided_.word(w) & ~(marks_[X].word(w) | marks_[O].word(w));
        });
    }
    bool is_legal(Cell cell) const {
        return cell >= 0 && cell < game_->cells() && !is_over() && legal_cells().contains(cell);
    }
    template <typename Visit>
    void for_each_legal(Visit&& visit) const {
        if (!is_over()) legal_cells().for_each(visit);
    }
    int count_legal() const { return is_over() ? 0 : legal_cells().count(); }

    // The changes of the completing sets by the last move. Without guards, these are the cells that it made completing.
    std::span<const SidedCell> completing_changes() const {
        return {changes_.data() + frames_[ply_ - 1].changes, changes_.data() + frames_[ply_].changes};
    }
    // A pair is a line that lacks two cells of `side` and has no mark of the other, so that one mark makes a threat.
    // For games of one block.
    bool has_pairs(Side side) const {
        if (game_->keeps_pairs()) return !pairs_[side].is_empty();
        return std::any_of(lines_.begin(), lines_.end(), [side](LineState line) { return lacks_two(line, side); });
    }
    // Calls `visit(line)` for each pair, in ascending order.
    template <typename Visit>
    void for_each_pair(Side side, Visit&& visit) const {
        if (game_->keeps_pairs())
            pairs_[side].for_each(visit);
        else
            for (std::size_t i = 0; i < lines_.size(); ++i)
                if (lacks_two(lines_[i], side)) visit(static_cast<int>(i));
    }
    LineState line(int index) const { return lines_[index]; }
    LineState outer_line(int index) const { return outer_[index]; }
    std::span<const LineState> lines() const { return lines_; }  // in the order of the game
    std::span<const LineState> outer_lines() const { return outer_; }
    int free_in(Block block) const { return free_in_[block]; }

    // The cells of a complete line of the winner (in misère: of the loser), or with several blocks, the blocks of an
    // outer line. Empty if there is none.
    std::vector<int> winning_line() const;
    std::size_t bytes() const;  // memory that the position uses

  private:
    void allocate();
    template <bool KEEP_PAIRS>
    bool mark_lines(Cell cell, Side side, Frame& frame);
    void mark_guards(Cell cell, Side side, Frame& frame);
    void note_completing(Cell cell, Side side, Frame& frame);
    void note_pair(int line, Side side, Frame& frame) {
        pairs_[side].toggle(line);
        pair_changes_[frame.pair_changes++] = {line, side};
    }
    void find_completing();
    void find_pairs();
    bool completes_elsewhere(Cell cell, Side side) const;
    void decide(Block block, Owner owner, Frame& frame);
    void reopen(Block block, Owner owner);
    void mark_outer(Block block, Owner owner, Frame& frame);
    void send(Cell cell, Frame& frame);
    bool can_be_sent_to(Block block) const {
        return game_->keeps_won_blocks_open() ? free_in_[block] > 0 : !is_decided(block);
    }

    void check_setup(std::span<const int> cells, Side turn, Block block_to_play, std::span<const int> owners) const;
    void place_marks(std::span<const int> cells);
    void settle_blocks(std::span<const int> owners, Side last_mover);
    PerSide<bool> completed_in(Block block) const;
    Owner owner_in_setup(Block block, std::span<const int> owners) const;
    void check_support() const;

    std::shared_ptr<const Game> game_;
    int words_;
    int ply_ = 0;
    Side turn_ = X;
    std::vector<LineState> lines_, outer_;
    PerSide<CellSet> marks_;
    CellSet ready_;                   // empty cells that gravity allows to be filled
    CellSet decided_, closed_;        // all cells of decided blocks, and of blocks that can no longer be played in
    PerSide<CellSet> completing_;     // a cell stays a member when it is filled, so that undo need not add it again
    std::vector<SidedCell> changes_;  // log of cells that entered or, because of a guard, left a completing set
    PerSide<CellSet> pairs_;          // sets of lines; empty if the game does not maintain them
    std::vector<SidedLine> pair_changes_;  // log of lines that entered or left a set of pairs
    std::vector<Frame> frames_;
    std::vector<std::uint8_t> missing_supports_;  // by cell; only with gravity
    std::vector<Owner> owners_;
    std::vector<std::int16_t> free_in_;
    std::vector<std::int32_t> block_scores_;
};

inline void Position::note_completing(Cell cell, Side side, Frame& frame) {
    if (completing_[side].contains(cell)) return;
    completing_[side].insert(cell);
    changes_[frame.changes++] = {cell, side};
}

template <bool KEEP_PAIRS>
inline bool Position::mark_lines(Cell cell, Side side, Frame& frame) {
    const Block block = game_->block_of(cell);
    const LineState delta = mark_delta(side, cell), mask = RIVAL_MASK[side];
    const std::int16_t* scores = game_->line_scores();
    LineState* lines = lines_.data();
    int gain = 0;
    bool complete = false;
    for (const std::uint16_t index : game_->lines_of(cell)) {
        const LineState before = lines[index], after = before + delta;
        lines[index] = after;
        gain += scores[after & CLASS_MASK] - scores[before & CLASS_MASK];
        const LineState rest = after & mask;
        if constexpr (KEEP_PAIRS) {
            if (lacks_two(before, opponent(side))) note_pair(index, opponent(side), frame);
            if (rest == TWO_EMPTY) note_pair(index, side, frame);
        }
        if (rest == ONE_EMPTY) {
            note_completing(sum_of_empties(after), side, frame);
            if constexpr (KEEP_PAIRS) note_pair(index, side, frame);
        }
        complete |= rest == 0;
    }
    frame.old_block_score = block_scores_[block];
    block_scores_[block] += gain;
    // Lines of a decided block that is still open no longer count.
    if (!is_decided(block)) frame.score += gain;
    return complete;
}

inline void Position::send(Cell cell, Frame& frame) {
    std::uint64_t change = frame.block_to_play >= 0 ? game_->send_key(frame.block_to_play) : 0;
    Block block = game_->sends(cell);
    const bool over = frame.winner != NO_SIDE || frame.free == 0;
    if (block >= 0 && (over || !can_be_sent_to(block))) block = NO_BLOCK;
    if (block >= 0) change ^= game_->send_key(block);
    frame.block_to_play = static_cast<std::int16_t>(block);
    frame.hash ^= change;
    frame.key ^= change;
}

inline void Position::play(Cell cell) {
    assert(is_legal(cell));
    const Game& game = *game_;
    const CellInfo& info = game.cell_info(cell);
    const Side side = turn_;
    const Frame& last = frames_[ply_];
    Frame& frame = frames_[++ply_];
    // Field by field: copying the whole frame would wait for the small stores of the last move.
    frame.hash = last.hash ^ info.keys[side];
    frame.key = last.key ^ info.keys[side] ^ TURN_KEY;
    frame.outer_completing[X] = last.outer_completing[X];
    frame.outer_completing[O] = last.outer_completing[O];
    frame.score = last.score;
    frame.changes = last.changes;
    frame.pair_changes = last.pair_changes;
    frame.block_to_play = last.block_to_play;
    frame.cell = static_cast<std::int16_t>(cell);
    frame.free = static_cast<std::int16_t>(last.free - 1);
    frame.winner = NO_SIDE;
    frame.decided = Owner::UNDECIDED;
    frame.won[X] = last.won[X];
    frame.won[O] = last.won[O];
    marks_[side].insert(cell);
    ready_.erase(cell);
    const int free_in_block = --free_in_[info.block];
    const bool complete =
        game.keeps_pairs() ? mark_lines<true>(cell, side, frame) : mark_lines<false>(cell, side, frame);
    if (game.has_guards()) mark_guards(cell, side, frame);
    if (game.has_gravity())
        for (Cell above : game.carries(cell))
            if (--missing_supports_[above] == 0) ready_.insert(above);
    if ((complete || free_in_block == 0) && !is_decided(info.block))
        decide(info.block, complete ? owned_by(side) : Owner::DEAD, frame);
    if (!game.has_one_block()) send(cell, frame);
    turn_ = opponent(side);
}

inline void Position::undo() {
    assert(ply_ > 0);
    const Game& game = *game_;
    const Frame& frame = frames_[ply_--];
    for (std::uint32_t i = frame.changes; i > frames_[ply_].changes; --i)
        completing_[changes_[i - 1].side()].toggle(changes_[i - 1].number());
    for (std::uint32_t i = frame.pair_changes; i > frames_[ply_].pair_changes; --i)
        pairs_[pair_changes_[i - 1].side()].toggle(pair_changes_[i - 1].number());
    const Cell cell = frame.cell;
    const Block block = game.block_of(cell);
    const Side side = turn_ = opponent(turn_);
    if (frame.decided != Owner::UNDECIDED) reopen(block, frame.decided);
    if (game.has_gravity())
        for (Cell above : game.carries(cell))
            if (missing_supports_[above]++ == 0) ready_.erase(above);
    const LineState delta = mark_delta(side, cell);
    LineState* lines = lines_.data();
    for (const std::uint16_t index : game.lines_of(cell)) lines[index] -= delta;
    if (game.has_guards())
        for (const std::uint16_t index : game.guarded_by(cell)) lines[index] -= guard_delta(side);
    block_scores_[block] = frame.old_block_score;
    ++free_in_[block];
    marks_[side].erase(cell);
    ready_.insert(cell);
}

// Plays a move on construction and takes it back on destruction.
class ScopedMove {
  public:
    ScopedMove(Position& position, Cell cell) : position_(position) { position_.play(cell); }
    ~ScopedMove() { position_.undo(); }
    ScopedMove(const ScopedMove&) = delete;
    ScopedMove& operator=(const ScopedMove&) = delete;

  private:
    Position& position_;
};

// The number of playthroughs of exactly `depth` plies; finished games are not continued. Throws Interrupted if
// `interrupt` returns true.
std::uint64_t perft(Position& position, int depth, const Interrupt& interrupt = {});

}  // namespace noughts
