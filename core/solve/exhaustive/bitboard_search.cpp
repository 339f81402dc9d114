#include "solve/exhaustive/bitboard_search.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "search/moves_in_progress.hpp"
#include "solve/exhaustive/follow_up.hpp"
#include "solve/parallel/thread_path.hpp"

namespace noughts {

BitboardLayout::BitboardLayout(const Game& game) : has_gravity(game.has_gravity()) {
    for (int cell = 0; cell < game.cells(); ++cell) {
        bit_of.push_back(cell);
        cell_of.push_back(cell);
    }
    const auto columns = columns_of(game);
    in_columns = has_gravity && !columns.empty();
    if (in_columns) stack(columns);
    for (int cell = 0; cell < game.cells(); ++cell) all |= bit(bit_of[cell]);
    index_supports(game);
    for (const auto& column : columns) {
        bottom |= bit(bit_of[column.front()]);
        for (std::size_t i = 0; i < column.size(); ++i) {
            if ((column.size() - i) % 2 == 0) lower |= bit(bit_of[column[i]]);
            for (std::size_t j = 0; j < i; ++j) {
                below[bit_of[column[i]]] |= bit(bit_of[column[j]]);
                above[bit_of[column[j]]] |= bit(bit_of[column[i]]);
            }
        }
    }
}

// The columns, each from the bottom up. Empty if some cell rests on several cells or carries several.
std::vector<std::vector<int>> BitboardLayout::columns_of(const Game& game) const {
    std::vector<std::vector<int>> columns;
    for (int cell = 0; cell < game.cells(); ++cell) {
        if (game.supports(cell) > 1 || game.carries(cell).size() > 1) return {};
        if (game.supports(cell) == 1) continue;
        auto& column = columns.emplace_back(1, cell);
        while (!game.carries(column.back()).empty()) {
            column.push_back(game.carries(column.back()).front());
            if (game.supports(column.back()) > 1) return {};
        }
    }
    return columns;
}

void BitboardLayout::stack(const std::vector<std::vector<int>>& columns) {
    std::size_t tallest = 0, needed = 0;
    for (const auto& column : columns) {
        tallest = std::max(tallest, column.size());
        needed += column.size() + 1;
    }
    // If all columns have the same height, neighbours are at the same distances everywhere, which means fewer patterns.
    const bool even = columns.size() * (tallest + 1) <= 64;
    stacked = even || needed <= 64;
    if (!stacked) return;
    cell_of.assign(64, -1);
    std::size_t next = 0;
    for (const auto& column : columns) {
        for (std::size_t i = 0; i < column.size(); ++i) {
            bit_of[column[i]] = static_cast<int>(next + i);
            cell_of[next + i] = column[i];
        }
        next += (even ? tallest : column.size()) + 1;
    }
}

void BitboardLayout::index_supports(const Game& game) {
    std::map<int, Word> resting;
    for (int cell = 0; cell < game.cells(); ++cell)
        for (int support : game.data().rests_on[cell]) resting[bit_of[support] - bit_of[cell]] |= bit(bit_of[cell]);
    for (auto [shift, cells] : resting) supports.push_back({shift, cells});
}

Word BitboardLayout::to_bits(const Position& position, Side side) const {
    Word bits = 0;
    position.marks(side).for_each([&](int cell) { bits |= bit(bit_of[cell]); });
    return bits;
}

namespace {

// A permutation of the cells, applied to sets of cells eight bits at a time.
class Image {
  public:
    Image(const Permutation& permutation, const BitboardLayout& board) : parts_(8) {
        for (std::size_t part = 0; part < 8; ++part)
            for (std::size_t byte = 0; byte < 256; ++byte)
                for_each_bit(byte, static_cast<int>(8 * part), [&](int bit) {
                    if (static_cast<std::size_t>(bit) < board.cell_of.size() && board.cell_of[bit] >= 0)
                        parts_[part][byte] |= Word{1} << board.bit_of[permutation[board.cell_of[bit]]];
                });
    }
    Word of(Word cells) const {
        Word image = 0;
        for (std::size_t part = 0; part < 8; ++part) image |= parts_[part][cells >> (8 * part) & 0xff];
        return image;
    }

  private:
    std::vector<std::array<Word, 256>> parts_;
};

struct Move {
    Word cell;
    Word wins;  // cells that complete a line of the mover after the move
    int score;
    bool needs_search;  // the follow-up argument did not settle the position after the move
};

// A position as sets of cells, from the view of the side to move. `own_wins` and `rival_wins` are the empty cells that
// complete a line of the side, whether playable or not.
struct Node {
    Word own, rival, own_wins, rival_wins;
    bool needs_search = false;  // the follow-up argument was tried and did not settle the position
};

template <typename Table>
class BitboardSearch final : public ExhaustiveSearch {
  public:
    BitboardSearch(const Game& game, std::shared_ptr<Table> table, const std::vector<Permutation>& symmetries)
        : game_(game),
          symmetries_(symmetries),
          board_(game),
          patterns_(game, board_.bit_of),
          shared_table_(std::move(table)),
          table_(*shared_table_),
          marks_never_hurt_(game.marks_never_hurt()),
          follows_up_(FollowUp::fits(game, board_)),
          follow_up_(board_, patterns_),
          cutoffs_(follows_up_ ? Cutoffs{11, 14, 8, 12} : Cutoffs{7, 10, 0, 12}) {
        for (std::size_t i = 1; i < std::min(symmetries.size(), MOST_IMAGES); ++i)
            images_.emplace_back(symmetries[i], board_);
        image_above_ = game.cells() / (images_.size() > 1 ? 2 : 3);
        for (int bit = 0; bit < 64; ++bit)
            if (static_cast<std::size_t>(bit) < board_.cell_of.size() && board_.cell_of[bit] >= 0)
                central_[bit] = game.centrality(board_.cell_of[bit]);
    }

    std::optional<bool> reaches(const Position& position, int goal, WorkLimit& limit) override {
        limit_ = &limit;
        path_.start(limit.nodes());
        const Node root = node_of(position);
        estimate_.start(std::popcount(root.own | root.rival), watched_levels(position), goal);
        const bool reached = search(root, goal);
        return limit.is_ended() ? std::nullopt : std::optional(reached);
    }
    std::unique_ptr<ExhaustiveSearch> make_helper(std::uint64_t positions) override {
        table_.open_to_threads(positions);
        if (!in_progress_) in_progress_ = std::make_shared<MovesInProgress>();
        auto helper = std::make_unique<BitboardSearch>(game_, shared_table_, symmetries_);
        helper->in_progress_ = in_progress_;
        helper->history_ = history_;
        return helper;
    }
    Bounds known(const Position& position) const override {
        const Node node = node_of(position);
        return table_.probe(key_of(node.own, node.own | node.rival));
    }
    void prepare(const Position&) override {}  // keys represent every position
    void start_from(const Position&) override {}
    void clear() override { table_.clear(); }
    std::size_t bytes() const override { return table_.bytes(); }
    TableUse table_use() const override { return table_.use(); }
    const TreeEstimate& estimate() const override { return estimate_; }
    void save(SnapshotWriter& out) const override { table_.save(out); }
    void load(SnapshotReader& in) override { table_.load(in); }

  private:
    using Key = typename Table::Key;
    static constexpr std::size_t MOST_IMAGES = 32;
    static constexpr int MOST_HISTORY = 1 << 20, MISERE_THREAT = 4096;

    // The least numbers of free cells at which each technique pays off.
    struct Cutoffs {
        int store;
        int look_ahead;    // probe the table for all replies before searching one
        int test_replies;  // test the replies by the follow-up argument
        int share_out;     // avoid moves that other threads are searching
    };

    Node node_of(const Position& position) const {
        const Word own = board_.to_bits(position, position.turn()),
                   rival = board_.to_bits(position, opponent(position.turn()));
        const Word empty = board_.all & ~(own | rival);
        return {own, rival, patterns_.completing(own) & empty, patterns_.completing(rival) & empty};
    }

    Key plain_key(Word own, Word filled) const {
        if constexpr (std::is_same_v<Key, std::uint64_t>)
            return board_.one_word(own, filled);
        else
            return {own, filled};
    }
    // The least key over all symmetric images, so that symmetric positions share an entry. Near the end of the game
    // that costs more than it saves.
    Key key_of(Word own, Word filled) const {
        Key key = plain_key(own, filled);
        if (images_.empty() || std::popcount(board_.all & ~filled) < image_above_) return key;
        for (const Image& image : images_) {
            const Key other = plain_key(image.of(own), image.of(filled));
            if (less(other, key)) key = other;
        }
        return key;
    }
    static bool less(std::uint64_t a, std::uint64_t b) { return a < b; }
    static bool less(const WideTable::Key& a, const WideTable::Key& b) {
        return a.high != b.high ? a.high < b.high : a.low < b.low;
    }

    bool search(const Node& node, int goal) {
        return game_.misere() ? search_misere(node, goal) : search_normal(node, goal);
    }

    // The position after a move that completes no line.
    Node after(const Node& node, Word cell) const {
        const Word own = node.own | cell;
        return {node.rival, own, node.rival_wins & ~cell, patterns_.completing(own) & board_.all & ~(own | node.rival)};
    }

    bool search_normal(const Node& node, int goal) {
        limit_->count_node();
        if (limit_->must_end()) return false;
        const Word filled = node.own | node.rival, playable = board_.playable(filled);
        if (node.own_wins & playable) return true;
        if (playable == 0) return goal <= 0;
        Word moves = playable;
        if (const Word threats = node.rival_wins & playable) {
            if (has_several(threats)) return false;
            moves = threats;
        }
        // A move below a cell that completes a line of the rival would let it play there.
        if (board_.in_columns) moves &= ~board_.under(node.rival_wins);
        if (moves == 0) return false;
        if (!has_several(moves)) return !search_normal(after(node, moves), 1 - goal);
        if (marks_never_hurt_) {
            moves &= patterns_.open_cells(node.own, node.rival) | patterns_.open_cells(node.rival, node.own);
            if (moves == 0) return goal <= 0;
        }
        if (const int settled = settle(node, playable, goal)) return settled > 0;
        return search_moves(node, moves, playable, goal);
    }

    // Tries to answer without search whether the side to move reaches the goal: 1 yes, -1 no, 0 unknown.
    int settle(const Node& node, Word playable, int goal) const {
        // In misère, a side wins by lines of the rival.
        const bool own_lines = (goal == 1) != game_.misere();
        if (!(own_lines ? patterns_.is_open(node.own, node.rival) : patterns_.is_open(node.rival, node.own)))
            return goal == 1 ? -1 : 1;
        const bool fails = follows_up_ && !node.needs_search &&
                           follow_up_.refutes({node.own, node.rival, node.rival_wins, playable}, goal);
        return fails ? -1 : 0;
    }

    bool search_moves(const Node& node, Word cells, Word playable, int goal) {
        const Word filled = node.own | node.rival;
        const int free = std::popcount(board_.all & ~filled);
        const bool is_stored = free >= cutoffs_.store;
        const Key key = is_stored ? key_of(node.own, filled) : Key{};
        if (is_stored)
            if (const int known = table_.probe(key).reaches(goal)) return known > 0;
        const std::uint64_t start = limit_->nodes();
        if (path_.must_return(table_, start)) return false;
        std::array<Move, 64> moves;
        int count = game_.misere() ? gather_misere(node, cells, moves) : gather(node, cells, playable, moves, goal);
        bool reached = count < 0;
        if (count > 0 && free >= cutoffs_.look_ahead) reached = look_ahead(node, moves, count, goal);
        if (count > 0 && !reached) {
            const bool is_shared_out = in_progress_ && free >= cutoffs_.share_out;
            if (is_shared_out) path_.enter(key, goal);
            reached = try_moves(node, moves, count, goal);
            if (is_shared_out && path_.leave()) return path_.answer();
            if (must_leave()) return false;
        }
        if (is_stored) table_.store(key, reached ? Bounds{goal, 1} : Bounds{-1, goal - 1}, limit_->nodes() - start);
        return reached;
    }
    // Whether the search must return; then results found below this node are meaningless.
    bool must_leave() const { return limit_->is_ended() || path_.is_returning(); }

    // Whether one of the moves reaches the goal. Meaningless if must_leave() is true afterwards.
    bool try_moves(const Node& node, std::array<Move, 64>& moves, int count, int goal) {
        const int marks = std::popcount(node.own | node.rival), free = std::popcount(board_.all) - marks;
        const bool is_watched = estimate_.watches(marks), is_shared_out = in_progress_ && free >= cutoffs_.share_out;
        if (is_watched) estimate_.enter(marks, limit_->nodes());
        bool reached = false;
        int deferred = 0;  // number of moves put to the end
        for (int i = 0; i < count && !reached; ++i) {
            if (is_shared_out && i > 0) deferred += defer(node, moves, i, count, count - i - deferred);
            if (is_watched) estimate_.begin_move(board_.cell_of[std::countr_zero(moves[i].cell)], limit_->nodes());
            const MoveInProgress mark(is_shared_out ? in_progress_.get() : nullptr, id_of(node, moves[i].cell));
            const Word own = node.own | moves[i].cell;
            reached = !search({node.rival, own, node.rival_wins & ~moves[i].cell, moves[i].wins, moves[i].needs_search},
                              1 - goal);
            if (limit_->is_ended()) return false;
            if (path_.is_returning()) break;
            if (reached && i > 0 && game_.misere()) reward(moves, i, free);
        }
        if (is_watched) path_.is_returning() ? estimate_.abandon() : estimate_.leave(limit_->nodes());
        return reached;
    }

    // Moves to the end of the list those moves, from `first` on, that other threads are searching, at most `most` of
    // them. Returns how many.
    int defer(const Node& node, std::array<Move, 64>& moves, int first, int count, int most) const {
        int deferred = 0;
        for (; deferred < most && in_progress_->contains(id_of(node, moves[first].cell), 0); ++deferred)
            std::rotate(&moves[first], &moves[first] + 1, &moves[0] + count);
        return deferred;
    }
    static std::uint64_t id_of(const Node& node, Word cell) { return mix(node.rival ^ mix(node.own | cell)); }

    // Writes the moves, the most promising first, and returns their number. Returns -1 if a move is found that reaches
    // the goal by a double threat or by the follow-up argument.
    int gather(const Node& node, Word cells, Word playable, std::array<Move, 64>& moves, int goal) const {
        const Word filled = node.own | node.rival;
        const bool tests_replies = follows_up_ && std::popcount(board_.all & ~filled) >= cutoffs_.test_replies;
        int count = 0;
        for (; cells; cells &= cells - 1) {
            const Word cell = cells & -cells;
            const Word wins = patterns_.completing(node.own | cell) & board_.all & ~(filled | cell);
            const Word next = board_.has_gravity ? board_.playable(filled | cell) : playable & ~cell;
            if (board_.has_gravity && !board_.in_columns && (node.rival_wins & next))
                continue;  // the move would let the rival complete a line
            const Word threats = wins & next;
            // Two threats, or one threat whose answer makes the next one playable.
            if (has_several(threats) || (board_.in_columns && (threats & board_.under(wins)))) return -1;
            const bool is_tested = tests_replies && threats == 0;
            if (is_tested && follow_up_.refutes({node.rival, node.own | cell, wins, next}, 1 - goal)) return -1;
            const int bit = std::countr_zero(cell);
            const int score = 32 * std::popcount(wins) + central_[bit];
            insert(moves, count++, {cell, wins, score, is_tested});
        }
        return count;
    }

    static void insert(std::array<Move, 64>& moves, int count, const Move& move) {
        int at = count;
        for (; at > 0 && moves[at - 1].score < move.score; --at) moves[at] = moves[at - 1];
        moves[at] = move;
    }

    // Probes the table for all moves. Returns true if one of them is known to reach the goal; drops moves known not to.
    bool look_ahead(const Node& node, std::array<Move, 64>& moves, int& count, int goal) const {
        const Word filled = node.own | node.rival;
        std::array<Key, 64> keys;
        for (int i = 0; i < count; ++i) {
            keys[i] = key_of(node.rival, filled | moves[i].cell);
            table_.prefetch(keys[i]);
        }
        int kept = 0;
        for (int i = 0; i < count; ++i) {
            const int known = table_.probe(keys[i]).reaches(1 - goal);
            if (known < 0) return true;
            if (known == 0) moves[kept++] = moves[i];
        }
        count = kept;
        return false;
    }

    void reward(const std::array<Move, 64>& moves, int good, int free) {
        auto& history = history_[(static_cast<int>(std::popcount(board_.all)) - free) & 1];
        int& best = history[std::countr_zero(moves[good].cell)];
        best += good;
        for (int i = 0; i < good; ++i) --history[std::countr_zero(moves[i].cell)];
        if (best > MOST_HISTORY)
            for (int& worth : history) worth /= 2;
    }

    bool search_misere(const Node& node, int goal) {
        limit_->count_node();
        if (limit_->must_end()) return false;
        const Word filled = node.own | node.rival, playable = board_.playable(filled);
        if (playable == 0) return goal <= 0;
        const Word moves = playable & ~node.own_wins;
        if (moves == 0) return false;
        if (const int settled = settle(node, playable, goal)) return settled > 0;
        return search_moves(node, moves, playable, goal);
    }

    // Orders moves in misère: the fewer cells the mover must avoid afterwards, the better.
    int gather_misere(const Node& node, Word cells, std::array<Move, 64>& moves) const {
        const Word filled = node.own | node.rival;
        const auto& history = history_[std::popcount(filled) & 1];
        int count = 0;
        for (; cells; cells &= cells - 1) {
            const Word cell = cells & -cells;
            const Word wins = patterns_.completing(node.own | cell) & board_.all & ~(filled | cell);
            insert(moves, count++,
                   {cell, wins, history[std::countr_zero(cell)] - MISERE_THREAT * std::popcount(wins), false});
        }
        return count;
    }

    const Game& game_;
    std::vector<Permutation> symmetries_;
    BitboardLayout board_;
    LinePatterns patterns_;
    std::shared_ptr<Table> shared_table_;
    Table& table_;
    std::shared_ptr<MovesInProgress> in_progress_;  // shared by all threads; null for a single thread
    bool marks_never_hurt_;
    bool follows_up_;
    FollowUp follow_up_;
    Cutoffs cutoffs_;
    std::vector<Image> images_;
    int image_above_ = 0;
    std::array<int, 64> central_{};
    std::array<std::array<int, 64>, 2> history_{};  // orders moves in misère
    WorkLimit* limit_ = nullptr;
    ThreadPath<Table> path_;  // unused with a single thread
    TreeEstimate estimate_;
};

}  // namespace

std::unique_ptr<ExhaustiveSearch> make_bitboard_search(const Game& game, std::size_t bytes,
                                                       const std::vector<Permutation>& symmetries) {
    if (BitboardLayout(game).fits_one_word())
        return std::make_unique<BitboardSearch<NarrowTable>>(game, std::make_shared<NarrowTable>(bytes), symmetries);
    return std::make_unique<BitboardSearch<WideTable>>(game, std::make_shared<WideTable>(bytes), symmetries);
}

}  // namespace noughts
