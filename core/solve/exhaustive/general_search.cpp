#include "solve/exhaustive/general_search.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>

#include "search/move_order.hpp"
#include "search/moves_in_progress.hpp"
#include "solve/parallel/thread_path.hpp"
#include "support/stack.hpp"
#include "tactics/block_endings.hpp"
#include "tactics/threats.hpp"

namespace noughts {
namespace {

using Key = WideTable::Key;

void flip(Key& key, const Key& code) {
    key.low ^= code.low;
    key.high ^= code.high;
}

// A key with `value` in the bits from `bit` on.
Key code_at(int bit, std::uint64_t value) { return bit < 64 ? Key{value << bit, 0} : Key{0, value << (bit - 64)}; }

constexpr int TURN_BIT = 120, SEND_BIT = 121;  // of 128; the bits below are for cells and owners

}  // namespace

KeyCodes::KeyCodes(const Position& start) {
    const Game& game = start.game();
    for (auto& codes : marks) codes.assign(game.cells(), {});
    owners.assign(game.blocks(), {});
    sends.assign(game.blocks(), {});
    exact = make_exact(start);
    if (!exact) make_hashed(game);
}

bool KeyCodes::make_exact(const Position& start) {
    const Game& game = start.game();
    int bit = 0;
    for (int block = 0; block < game.blocks(); ++block) {
        sends[block] = code_at(SEND_BIT, static_cast<std::uint64_t>(block + 1));
        const bool undecided = !start.is_decided(block);
        if (!undecided && !game.keeps_won_blocks_open()) continue;
        const int first = bit;
        for (int cell : game.cells_of(block)) {
            if (start.at(cell) != NO_SIDE) continue;
            if (bit + 2 > TURN_BIT) return false;
            for (std::uint64_t mark : {0, 1, 2}) marks[mark][cell] = code_at(bit, mark + 1);
            bit += 2;
        }
        if (!undecided || game.blocks() == 1) continue;
        const bool closes = !game.keeps_won_blocks_open() && bit - first > 2;
        if (game.keeps_won_blocks_open() && bit + 2 > TURN_BIT) return false;
        for (std::uint64_t owner : {0, 1, 2}) {
            owners[block][owner] = code_at(closes ? first + 2 : game.keeps_won_blocks_open() ? bit : first, owner + 1);
            if (closes) flip(owners[block][owner], code_at(first, 3));
        }
        if (game.keeps_won_blocks_open()) bit += 2;
    }
    turn = code_at(TURN_BIT, 1);
    return true;
}

void KeyCodes::make_hashed(const Game& game) {
    std::uint64_t next = game.fingerprint();
    auto fresh = [&next] { return Key{mix(++next), mix(mix(~next) ^ 0x6a09e667f3bcc909ull)}; };
    for (auto& codes : marks)
        for (Key& code : codes) code = fresh();
    for (auto& codes : owners)
        for (Key& code : codes) code = fresh();
    for (Key& code : sends) code = fresh();
    turn = fresh();
}

// Adds the decision of a block: the key then has its owner instead of its marks. The mark on the cell `but` was just
// made and is not in the key yet.
void KeyCodes::add_decision(Key& key, int block, const Position& position, int but) const {
    const Game& game = position.game();
    if (game.blocks() == 1) return;
    flip(key, owners[block][index(position.owner(block))]);
    for (int cell : game.cells_of(block)) {
        const Side side = position.at(cell);
        if (side == NO_SIDE) continue;
        if (cell != but) flip(key, marks[index(side)][cell]);
        if (game.keeps_won_blocks_open()) flip(key, marks[2][cell]);
    }
}

Key KeyCodes::after_move(Key before, Side mover, int block_before, const Position& position) const {
    const auto& frame = position.now();
    const int block = position.game().block_of(frame.cell);
    if (frame.decided != Owner::UNDECIDED)
        add_decision(before, block, position, frame.cell);
    else
        flip(before, marks[position.is_decided(block) ? 2 : index(mover)][frame.cell]);
    if (block_before >= 0) flip(before, sends[block_before]);
    if (frame.block_to_play >= 0) flip(before, sends[frame.block_to_play]);
    flip(before, turn);
    return before;
}

Key KeyCodes::of(const Position& position) const {
    const Game& game = position.game();
    Key key;
    for (int block = 0; block < game.blocks(); ++block) {
        for (int cell : game.cells_of(block))
            if (const Side side = position.at(cell); side != NO_SIDE) flip(key, marks[index(side)][cell]);
        if (position.is_decided(block)) add_decision(key, block, position, NO_CELL);
    }
    if (position.block_to_play() >= 0) flip(key, sends[position.block_to_play()]);
    if (position.turn() == O) flip(key, turn);
    return key;
}

namespace {

constexpr int TABLE_FROM = 4;       // free cells from which a position is worth storing
constexpr int SHARE_OUT_FROM = 14;  // free cells from which a thread chooses another move than other threads
constexpr int DEFERRED = std::numeric_limits<int>::min();  // the score of a move that was left to another thread
constexpr std::size_t ENDINGS_MEMORY = 4;                  // the table of endings gets a quarter of the memory

std::uint64_t id_of(const Key& key) { return mix(key.low ^ mix(key.high)); }

class GeneralSearch final : public ExhaustiveSearch {
  public:
    // Endings with two open blocks get a separate table, unless `endings_bytes` is 0.
    GeneralSearch(std::shared_ptr<const Game> game, std::shared_ptr<WideTable> table, std::size_t endings_bytes)
        : shared_game_(std::move(game)),
          game_(*shared_game_),
          shared_table_(std::move(table)),
          table_(*shared_table_),
          has_one_block_(game_.has_one_block()),
          marks_never_hurt_(game_.marks_never_hurt()) {
        for (auto& history : history_) history.assign(game_.cells(), 0);
        lines_in_.resize(game_.blocks());
        for (int i = 0; i < game_.lines(); ++i) lines_in_[game_.block_of(game_.line_cells(i).front())].push_back(i);
        moves_.resize(game_.cells() + 1);
        if (endings_bytes > 0) endings_.emplace(game_, endings_bytes);
    }

    void prepare(const Position& position) override;
    void start_from(const Position& position) override;
    std::optional<bool> reaches(const Position& position, int goal, WorkLimit& limit) override;
    std::unique_ptr<ExhaustiveSearch> make_helper(std::uint64_t positions) override;
    Bounds known(const Position& position) const override {
        return comes_from_start(position) ? table_.probe(codes_->of(position)) : Bounds{};
    }
    void clear() override { table_.clear(); }
    std::size_t bytes() const override { return table_.bytes(); }
    TableUse table_use() const override { return table_.use(); }
    const TreeEstimate& estimate() const override { return estimate_; }
    void save(SnapshotWriter& out) const override;
    void load(SnapshotReader& in) override;

  private:
    Position load_start(SnapshotReader& in) const;
    bool comes_from_start(const Position& position) const;
    // Whether the side to move reaches the goal. Meaningless if must_leave() is true afterwards.
    bool search(const Key& key, int goal);
    bool search_moves(const Key& key, int goal, int only);
    bool try_move(const Key& key, int goal, int cell);
    bool must_leave() const { return limit_->is_ended() || path_.is_returning(); }
    bool is_in_progress(const Key& key, int cell);
    void gather(std::vector<ScoredMove>& moves) const;
    int score(int cell) const;
    int score_in_one_block(int cell) const;
    bool is_alive(int cell) const;
    bool can_win(Side side) const;
    bool can_line_up(Side side) const;
    bool can_take(int block, Side side) const;
    bool threatens_in(int block, Side side) const;
    void reward(const std::vector<ScoredMove>& moves, std::size_t good);

    std::shared_ptr<const Game> shared_game_;
    const Game& game_;
    std::shared_ptr<WideTable> shared_table_;
    WideTable& table_;
    std::shared_ptr<MovesInProgress> in_progress_;  // shared by all threads; null for a single thread
    bool has_one_block_, marks_never_hurt_;
    std::vector<std::vector<int>> lines_in_;  // the lines of each block
    std::optional<Position> start_, position_;
    std::optional<KeyCodes> codes_;
    PerSide<std::vector<int>> history_;
    bool pinned_ = false;                         // the start comes from start_from and must not be replaced
    std::vector<std::vector<ScoredMove>> moves_;  // by ply
    WorkLimit* limit_ = nullptr;
    ThreadPath<WideTable> path_;  // unused with a single thread
    int first_ply_ = 0;           // ply at which the search began
    TreeEstimate estimate_;
    std::optional<BlockEndings> endings_;  // in games with such endings, and only in one thread
};

// Whether the keys, which were made for the start of the search, can represent this position.
bool GeneralSearch::comes_from_start(const Position& position) const {
    if (!start_) return false;
    if (!codes_->exact) return pinned_ || !KeyCodes(position).exact;
    for (int block = 0; block < game_.blocks(); ++block) {
        if (start_->is_decided(block) && start_->owner(block) != position.owner(block)) return false;
        if (start_->is_decided(block) && !game_.keeps_won_blocks_open()) continue;
        for (int cell : game_.cells_of(block))
            if (start_->at(cell) != NO_SIDE && start_->at(cell) != position.at(cell)) return false;
    }
    return true;
}

void GeneralSearch::prepare(const Position& position) {
    if (comes_from_start(position)) return;
    start_from(position);
    pinned_ = false;
}

void GeneralSearch::start_from(const Position& position) {
    start_.emplace(position);
    codes_.emplace(position);
    table_.forget();
    pinned_ = true;
}

std::optional<bool> GeneralSearch::reaches(const Position& position, int goal, WorkLimit& limit) {
    limit_ = &limit;
    path_.start(limit.nodes());
    position_.emplace(position);
    first_ply_ = position.ply();
    estimate_.start(first_ply_, watched_levels(position), goal);
    const bool reached = search(codes_->of(position), goal);
    return limit.is_ended() ? std::nullopt : std::optional(reached);
}

std::unique_ptr<ExhaustiveSearch> GeneralSearch::make_helper(std::uint64_t positions) {
    table_.open_to_threads(positions);
    if (!in_progress_) in_progress_ = std::make_shared<MovesInProgress>();
    auto helper = std::make_unique<GeneralSearch>(shared_game_, shared_table_, 0);
    helper->start_ = start_;
    helper->codes_ = codes_;
    helper->pinned_ = pinned_;
    helper->history_ = history_;
    helper->in_progress_ = in_progress_;
    return helper;
}

// Saves the start as well: without it, the keys in the table have no meaning.
void GeneralSearch::save(SnapshotWriter& out) const {
    out.write<std::uint8_t>(start_ ? 1 : 0);
    if (!start_) return;
    for (int cell = 0; cell < game_.cells(); ++cell) out.write(static_cast<std::int8_t>(start_->at(cell)));
    for (int block = 0; block < game_.blocks(); ++block) out.write(static_cast<std::int8_t>(start_->owner(block)));
    out.write(static_cast<std::int8_t>(start_->turn()));
    out.write(static_cast<std::int8_t>(start_->block_to_play()));
    out.write<std::uint8_t>(pinned_ ? 1 : 0);
    table_.save(out);
}

void GeneralSearch::load(SnapshotReader& in) {
    const auto has_start = in.read<std::uint8_t>();
    expect_in_snapshot(has_start <= 1, "a saved solve with or without a position");
    if (has_start == 0) return;
    const Position start = load_start(in);
    const auto pinned = in.read<std::uint8_t>();
    expect_in_snapshot(pinned <= 1, "a saved solve of one position or several");
    start_from(start);
    pinned_ = pinned == 1;
    table_.load(in);
}

// Checks every number that is read, since the constructor of Position does not check cells and sides.
Position GeneralSearch::load_start(SnapshotReader& in) const {
    std::vector<int> cells(game_.cells()), owners(game_.blocks());
    int marks[2] = {0, 0};
    for (int& cell : cells) {
        cell = in.read<std::int8_t>();
        expect_in_snapshot(index(NO_SIDE) <= cell && cell <= index(O),
                           "X, O or nothing on every cell of the saved solve");
        if (cell >= 0) ++marks[cell];
    }
    for (int& owner : owners) {
        owner = in.read<std::int8_t>();
        expect_in_snapshot(index(Owner::UNDECIDED) <= owner && owner <= index(Owner::DEAD),
                           "the owner of every block of the saved solve");
        // The constructor of Position finds dead blocks itself.
        if (owner == index(Owner::DEAD)) owner = index(NO_SIDE);
    }
    const int turn = in.read<std::int8_t>(), block = in.read<std::int8_t>();
    expect_in_snapshot((turn == index(X) || turn == index(O)) && marks[0] - marks[1] == turn,
                       "marks in the saved solve that fit the side to move");
    expect_in_snapshot(-1 <= block && block < game_.blocks(), "a block of this game to play in the saved solve");
    try {
        return Position(shared_game_, cells, side_at(turn), block, owners);
    } catch (const std::invalid_argument&) {
        throw InvalidSnapshot("expected a position of this game in the saved solve, got one that cannot be");
    }
}

bool GeneralSearch::search(const Key& key, int goal) {
    limit_->count_node();
    if (position_->ply() - first_ply_ >= MAX_RECURSION) limit_->end();
    if (limit_->must_end()) return false;
    const Position& position = *position_;
    if (position.is_over()) {
        const Side winner = position.winner();
        return winner == NO_SIDE ? goal <= 0 : winner == position.turn();
    }
    if (winning_move(position) != NO_CELL) return true;
    if (endings_ && endings_->covers(position)) return endings_->reaches(position, goal, *limit_);
    int only = NO_CELL;
    if (has_one_block_ && completing_wins(game_)) {
        const Threat threat = threat_against(position);
        if (threat.count > 1) return false;
        only = threat.cell;
    }
    if (!can_win(goal == 1 ? position.turn() : opponent(position.turn()))) return goal <= 0;
    if (position.now().free < TABLE_FROM) return search_moves(key, goal, only);
    if (const int known = table_.probe(key).reaches(goal)) return known > 0;
    const std::uint64_t start = limit_->nodes();
    if (path_.must_return(table_, start)) return false;
    const bool is_shared_out = in_progress_ && position.now().free >= SHARE_OUT_FROM;
    if (is_shared_out) path_.enter(key, goal);
    const bool reached = search_moves(key, goal, only);
    if (is_shared_out && path_.leave()) return path_.answer();
    if (must_leave()) return false;
    table_.store(key, reached ? Bounds{goal, 1} : Bounds{-1, goal - 1}, limit_->nodes() - start);
    return reached;
}

bool GeneralSearch::search_moves(const Key& key, int goal, int only) {
    if (only != NO_CELL) return try_move(key, goal, only);
    auto& moves = moves_[position_->ply()];
    gather(moves);
    if (moves.empty()) return goal <= 0;  // no line is open
    const bool is_watched = estimate_.watches(position_->ply());
    if (is_watched) estimate_.enter(position_->ply(), limit_->nodes());
    bool reached = false;
    const bool is_shared_out = in_progress_ && position_->now().free >= SHARE_OUT_FROM;
    for (std::size_t i = 0; i < moves.size() && !reached; ++i) {
        const auto [cell, score] = pick_best(moves, i, moves.size());
        if (is_shared_out && i > 0 && score != DEFERRED && is_in_progress(key, cell)) {
            moves.push_back({cell, DEFERRED});
            continue;
        }
        if (is_watched) estimate_.begin_move(cell, limit_->nodes());
        reached = try_move(key, goal, cell);
        if (limit_->is_ended()) return false;
        if (path_.is_returning()) break;
        if (reached) reward(moves, i);
    }
    if (is_watched) path_.is_returning() ? estimate_.abandon() : estimate_.leave(limit_->nodes());
    return reached;
}

bool GeneralSearch::try_move(const Key& key, int goal, int cell) {
    const Side mover = position_->turn();
    const int block = position_->block_to_play();
    const ScopedMove move(*position_, cell);
    const Key next = codes_->after_move(key, mover, block, *position_);
    table_.prefetch(next);
    const bool is_shared_out = in_progress_ && position_->now().free + 1 >= SHARE_OUT_FROM;
    const MoveInProgress mark(is_shared_out ? in_progress_.get() : nullptr, id_of(next));
    return !search(next, 1 - goal);
}

// Whether another thread is searching the position after this move.
bool GeneralSearch::is_in_progress(const Key& key, int cell) {
    const Side mover = position_->turn();
    const int block = position_->block_to_play();
    const ScopedMove move(*position_, cell);
    return in_progress_->contains(id_of(codes_->after_move(key, mover, block, *position_)), 0);
}

void GeneralSearch::gather(std::vector<ScoredMove>& moves) const {
    moves.clear();
    position_->for_each_legal([&](int cell) {
        if (marks_never_hurt_ && !is_alive(cell)) return;
        moves.push_back(
            {cell, (has_one_block_ ? score_in_one_block(cell) : score(cell)) + history_[position_->turn()][cell]});
    });
}

bool GeneralSearch::is_alive(int cell) const {
    return std::ranges::any_of(game_.lines_of(cell), [&](int i) {
        const LineState line = position_->line(i);
        return marks_of(line, X) == 0 || marks_of(line, O) == 0;
    });
}

int GeneralSearch::score_in_one_block(int cell) const {
    const Side side = position_->turn();
    int sum = game_.centrality(cell);
    for (int i : game_.lines_of(cell)) {
        const LineState line = position_->line(i);
        const int own = marks_of(line, side), rival = marks_of(line, opponent(side));
        if (own > 0 && rival > 0) continue;
        const int worth = 64 << (2 * std::min(own + rival, 6));
        sum += game_.misere() && own > 0 ? -worth : worth;
    }
    return sum;
}

// Winning a block, or stopping the rival from winning one, counts most; then where the move sends the rival. A free
// move is worth most to the rival.
int GeneralSearch::score(int cell) const {
    const Side side = position_->turn();
    const Block block = game_.block_of(cell), target = game_.sends(cell);
    const Word rivals_outer = position_->now().outer_completing[opponent(side)];
    int sum = 0;
    const bool takes = position_->completing_cells(side).contains(cell);
    if (takes) sum += 4000 + (contains(rivals_outer, block) ? 4000 : 0);
    if (position_->completing_cells(opponent(side)).contains(cell)) sum += 1500;
    const bool open =
        target >= 0 && (game_.keeps_won_blocks_open() ? position_->free_in(target) > (target == block)
                                                      : !position_->is_decided(target) && !(takes && target == block));
    if (!open) return sum - 3000;
    if (threatens_in(target, opponent(side))) sum -= contains(rivals_outer, target) ? 100000 : 2000;
    return sum - 16 * position_->free_in(target);
}

bool GeneralSearch::threatens_in(int block, Side side) const {
    return !(position_->completing_cells(side) & game_.block_mask(block)).is_empty();
}

// Whether `side` can still win, judging by open lines and blocks.
bool GeneralSearch::can_win(Side side) const {
    if (can_line_up(game_.misere() ? opponent(side) : side)) return true;
    if (!game_.counts_blocks()) return false;
    const auto& won = position_->now().won;
    int most = std::popcount(won[side]);
    for (int block = 0; block < game_.blocks(); ++block) most += can_take(block, side);
    return most > std::popcount(won[opponent(side)]);
}

bool GeneralSearch::can_line_up(Side side) const {
    Word takeable = position_->now().won[side], known = ~Word{0};
    for (int block = 0; block < game_.blocks(); ++block)
        if (!position_->is_decided(block)) known &= ~bit(block);
    for (std::size_t i = 0; i < game_.outer_masks().size(); ++i) {
        if (marks_of(position_->outer_line(static_cast<int>(i)), opponent(side)) > 0) continue;
        const Word blocks = game_.outer_masks()[i];
        for_each_bit(blocks & ~known, 0, [&](int block) { takeable |= can_take(block, side) ? bit(block) : 0; });
        known |= blocks;
        if ((blocks & ~takeable) == 0) return true;
    }
    return false;
}

// Whether the block is undecided and `side` has an open line in it.
bool GeneralSearch::can_take(int block, Side side) const {
    if (position_->is_decided(block)) return false;
    return std::ranges::any_of(lines_in_[block],
                               [&](int i) { return marks_of(position_->line(i), opponent(side)) == 0; });
}

void GeneralSearch::reward(const std::vector<ScoredMove>& moves, std::size_t good) {
    auto& history = history_[position_->turn()];
    history[moves[good].move] += static_cast<int>(good);
    for (std::size_t i = 0; i < good; ++i) --history[moves[i].move];
}

}  // namespace

std::unique_ptr<ExhaustiveSearch> make_general_search(std::shared_ptr<const Game> game, std::size_t bytes) {
    const std::size_t for_endings = BlockEndings::fits(*game) ? bytes / ENDINGS_MEMORY : 0;
    return std::make_unique<GeneralSearch>(std::move(game), std::make_shared<WideTable>(bytes - for_endings),
                                           for_endings);
}

}  // namespace noughts
