#include "solve/set_matching.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "solve/grid_matching.hpp"

namespace noughts {
namespace {

using SmallSet = std::uint16_t;  // of the cells of a set, by their place in it
constexpr int MOST_LINES_IN_SET = 64;
constexpr int MOST_NODES = 1000;  // of the game in a set
constexpr int GRID_TRIES = 20'000;
constexpr int STOPPED = 8;  // the worth of a line that a pair stops, where one it only touches costs 1

// The game in one set: the maker wins if it gets all cells of a line, the breaker if it gets a cell of each.
class SetGame {
  public:
    // Whether the breaker wins if the maker moves first. `lines` are the parts of the lines within the set. False, too,
    // if that takes too long to find out.
    bool breaker_wins(std::span<const SmallSet> lines) {
        nodes_ = 0;
        Lines all;
        for (const SmallSet line : lines) all.add(line);
        return holds_against_maker(all);
    }

  private:
    struct Lines {
        int count = 0;
        std::array<SmallSet, MOST_LINES_IN_SET> at;

        void add(SmallSet line) { at[count++] = line; }
        std::span<const SmallSet> list() const { return {at.data(), static_cast<std::size_t>(count)}; }
    };
    using Weights = std::array<int, WORD_BITS>;

    // The Erdős-Selfridge weights of the cells, and of all lines at the end.
    static Weights weigh(const Lines& lines) {
        Weights weights{};
        for (const SmallSet line : lines.list()) {
            const int weight = ONE >> std::popcount(line);
            weights.back() += weight;
            for_each_bit(line, 0, [&](int cell) { weights[cell] += weight; });
        }
        return weights;
    }

    static int take_heaviest(SmallSet& cells, const Weights& weights) {
        int best = lowest(cells);
        for_each_bit(cells, 0, [&](int cell) {
            if (weights[cell] > weights[best]) best = cell;
        });
        cells = static_cast<SmallSet>(cells & ~bit(best));
        return best;
    }

    bool holds_against_maker(const Lines& lines) {
        if (++nodes_ > MOST_NODES) return false;
        const Weights weights = weigh(lines);
        SmallSet cells = 0;
        for (const SmallSet line : lines.list()) cells |= line;
        while (cells) {
            const int cell = take_heaviest(cells, weights);
            if (weights.back() + weights[cell] < ONE) return true;  // nor is any other cell too heavy
            if (!holds_after(lines, cell)) return false;
        }
        return true;
    }

    bool holds_after(const Lines& before, int played) {
        Lines lines;
        SmallSet forced = 0, cells = 0;
        for (const SmallSet part : before.list()) {
            const auto line = static_cast<SmallSet>(part & ~bit(played));
            if (line == 0) return false;
            if (!has_several(line)) forced |= line;
            cells |= line;
            lines.add(line);
        }
        if (has_several(forced)) return false;
        if (forced) cells = forced;
        const Weights weights = weigh(lines);
        while (cells) {
            const int reply = take_heaviest(cells, weights);
            Lines rest;
            for (const SmallSet line : lines.list())
                if (!contains(line, reply)) rest.add(line);
            if (holds_against_maker(rest)) return true;
        }
        return false;
    }

    static constexpr int ONE = 1 << 16;
    int nodes_ = 0;
};

}  // namespace

SetMatching::SetMatching(const Game& game)
    : game_(game),
      masks_(static_cast<std::size_t>(game.lines()) * game.words()),
      kin_(game.lines()),
      empty_on_(game.lines()),
      group_at_(game.lines()),
      owner_(game.cells()),
      reached_(game.cells()) {
    for (int i = 0; i < game.lines(); ++i)
        for (int cell : game.line_cells(i))
            masks_[static_cast<std::size_t>(i) * game.words() + word_of(cell)] |= bit(cell);
    std::vector<int> shared(game.lines());
    for (int i = 0; i < game.lines(); ++i) {
        for (int cell : game.line_cells(i))
            for (int other : game.lines_of(cell))
                if (other < i && ++shared[other] == 2) kin_[i].push_back(static_cast<Number>(other));
        for (int cell : game.line_cells(i))
            for (int other : game.lines_of(cell)) shared[other] = 0;
        std::ranges::sort(kin_[i], std::greater{});
    }
}

bool SetMatching::find(const Position& position, Side maker, int most_cells) {
    most_cells_ = most_cells;
    if (!collect_lines(position, maker)) return false;
    form_groups();
    if (2 * static_cast<int>(groups_.size()) > position.now().free + MOST_LACKING) return false;
    sets_.clear();
    std::ranges::fill(owner_, NOTHING);
    splits_left_ = MOST_SPLITS;
    std::vector<int> order(groups_.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](int group) { return groups_[group].common.count; });
    for (const int group : order)
        if (!take_two_cells(group) && !repair_by_splitting(group) && !form_set(group)) return false;
    list_pairs();
    return sets_hold();
}

// False if an open line has fewer than two empty cells: nothing but the next move can stop it.
bool SetMatching::collect_lines(const Position& position, Side maker) {
    open_.clear();
    const auto& rival = position.marks(opponent(maker));
    const auto empty = position.empty_cells();
    for (int i = 0, n = game_.lines(); i < n; ++i) {
        const Word* mask = masks_.data() + static_cast<std::size_t>(i) * game_.words();
        bool is_open = true;
        for (int w = 0; w < game_.words() && is_open; ++w) is_open = !(mask[w] & rival.word(w));
        if (!is_open) continue;
        Cells& cells = empty_on_[i];
        cells.count = 0;
        for (int w = 0; w < game_.words(); ++w)
            for_each_bit(mask[w] & empty.word(w), w * WORD_BITS, [&](int cell) { cells.add(cell); });
        if (cells.count < 2) return false;
        open_.push_back(static_cast<Number>(i));
    }
    return true;
}

// Each line joins the last group of its kin that keeps two cells in common.
void SetMatching::form_groups() {
    groups_.clear();
    std::ranges::fill(group_at_, NOTHING);
    for (const Number line : open_) {
        for (const Number other : kin_[line])
            if (group_at_[other] != NOTHING && join(groups_[group_at_[other]], line)) {
                group_at_[line] = group_at_[other];
                break;
            }
        if (group_at_[line] != NOTHING) continue;
        group_at_[line] = static_cast<Number>(groups_.size());
        groups_.push_back(group_of({&line, 1}));
    }
}

bool SetMatching::join(Group& group, int line) const {
    if (group.lines == MOST_LINES) return false;
    Cells common;
    for (const Number cell : group.common.list())
        if (passes_through(line, cell)) common.add(cell);
    if (common.count < 2) return false;
    group.common = common;
    group.line[group.lines++] = static_cast<Number>(line);
    return true;
}

SetMatching::Group SetMatching::group_of(std::span<const Number> lines) const {
    Group group;
    group.common = empty_on_[lines.front()];
    group.line[group.lines++] = lines.front();
    for (const Number line : lines.subspan(1)) join(group, line);
    return group;
}

// --- pairs by trial -----------------------------------------------------------------------------------------------

// Always stops the line with the fewest cells left to choose from, and with it as many others as possible.
bool SetMatching::find_pairs_by_trial(const Position& position, Side maker) {
    if (!collect_lines(position, maker)) return false;
    sets_.clear();
    std::ranges::fill(owner_, NOTHING);
    std::vector<Number> lines = open_;
    std::vector<Number> cells;
    const auto is_free = [&](Number cell) { return owner_[cell] == NOTHING; };
    const auto choice = [&](Number line) { return std::ranges::count_if(empty_on_[line].list(), is_free); };
    while (!lines.empty()) {
        const Number tightest = *std::ranges::min_element(lines, {}, choice);
        cells.clear();
        std::ranges::copy_if(empty_on_[tightest].list(), std::back_inserter(cells), is_free);
        if (cells.size() < 2) return false;
        const auto [a, b] = best_pair(cells, lines);
        owner_[a] = owner_[b] = IN_SET;
        sets_.push_back({a, b});
        std::erase_if(lines, [&](Number line) { return passes_through(line, a) && passes_through(line, b); });
    }
    return true;
}

// The pair of these cells that stops most of the lines and takes cells from fewest others.
std::pair<int, int> SetMatching::best_pair(std::span<const Number> cells, std::span<const Number> lines) const {
    std::pair<int, int> best;
    int best_score = std::numeric_limits<int>::min();
    for (std::size_t i = 0; i < cells.size(); ++i)
        for (std::size_t j = i + 1; j < cells.size(); ++j) {
            int score = 0;
            for (const Number line : lines) {
                const int through = passes_through(line, cells[i]) + passes_through(line, cells[j]);
                score += through == 2 ? STOPPED : -through;
            }
            if (score <= best_score) continue;
            best = {cells[i], cells[j]};
            best_score = score;
        }
    return best;
}

// --- grids --------------------------------------------------------------------------------------------------------

// Six lines need nine cells at least, in a grid.
bool SetMatching::find_grids(const Position& position, Side maker) {
    if (!collect_lines(position, maker) || 3 * std::ssize(open_) > 2 * position.now().free) return false;
    std::vector<std::vector<Number>> lines;
    for (const Number line : open_) lines.emplace_back(empty_on_[line].list().begin(), empty_on_[line].list().end());
    GridMatching matching(std::move(lines), game_.cells());
    if (!matching.find(GRID_TRIES)) return false;
    sets_.clear();
    for (const auto& pair : matching.pairs()) sets_.emplace_back(pair.begin(), pair.end());
    for (const auto& grid : matching.grids()) sets_.emplace_back(grid.begin(), grid.end());
    return sets_hold();
}

// --- the matching -------------------------------------------------------------------------------------------------

// Gives the group one more cell, along a path of groups that each give one up for another.
bool SetMatching::start_attempt(int group) {
    ++attempt_;
    return take_cell(group);
}

bool SetMatching::take_cell(int group) {
    const auto cells = groups_[group].common.list();
    for (const Number cell : cells)
        if (owner_[cell] == NOTHING) {
            owner_[cell] = static_cast<Number>(group);
            return true;
        }
    for (const Number cell : cells) {
        if (is_reached(cell) || owner_[cell] == IN_SET) continue;
        reached_[cell] = attempt_;
        if (owner_[cell] == group || !take_cell(owner_[cell])) continue;
        owner_[cell] = static_cast<Number>(group);
        return true;
    }
    return false;
}

void SetMatching::release(int group) {
    for (const Number cell : groups_[group].common.list())
        if (owner_[cell] == group) owner_[cell] = NOTHING;
}

int SetMatching::cells_of(int group) const {
    return static_cast<int>(
        std::ranges::count_if(groups_[group].common.list(), [&](Number cell) { return owner_[cell] == group; }));
}

// After a failed attempt: splits one of the groups in the way, whose halves have more cells in common.
bool SetMatching::repair_by_splitting(int failed) {
    std::vector<int> candidates{failed};
    for (const Number line : open_) {
        const int group = group_at_[line];
        if (groups_[group].line[0] != line || groups_[group].lines < 2 || group == failed) continue;
        if (std::ranges::any_of(groups_[group].common.list(),
                                [&](Number cell) { return owner_[cell] == group && is_reached(cell); }))
            candidates.push_back(group);
    }
    for (const int group : candidates)
        for (int first = 1; first < groups_[group].lines; ++first)
            if (splits_left_-- > 0 && split(group, first, failed)) return true;
    start_attempt(failed);  // marks the cells in the way again
    return false;
}

bool SetMatching::split(int group, int first_lines, int failed) {
    owners_before_ = owner_;
    const Group whole = groups_[group];
    const auto lines = std::span<const Number>(whole.line).first(whole.lines);
    release(group);
    groups_[group] = group_of(lines.first(first_lines));
    const int added = static_cast<int>(groups_.size());
    groups_.push_back(group_of(lines.subspan(first_lines)));
    bool done = take_two_cells(group) && take_two_cells(added);
    for (int lacking = 2 - cells_of(failed); done && lacking > 0; --lacking) done = start_attempt(failed);
    if (done) {
        for (const Number line : lines.subspan(first_lines)) group_at_[line] = static_cast<Number>(added);
        return true;
    }
    groups_.pop_back();
    groups_[group] = whole;
    owner_.swap(owners_before_);
    return false;
}

// --- larger sets --------------------------------------------------------------------------------------------------

// After a failed attempt: the cells it reached are all the cells of the groups it reached.
bool SetMatching::form_set(int failed) {
    std::vector<int> cells;
    for (int cell = 0; cell < game_.cells(); ++cell)
        if (is_reached(cell) || owner_[cell] == failed) cells.push_back(cell);
    if (std::ssize(cells) > most_cells_ || cells.size() < 3) return false;
    for (const int cell : cells) owner_[cell] = IN_SET;
    sets_.push_back(std::move(cells));
    return true;
}

void SetMatching::list_pairs() {
    std::vector<int> first(groups_.size(), NO_CELL);
    std::vector<std::vector<int>> pairs;
    for (int cell = 0; cell < game_.cells(); ++cell) {
        const Number group = owner_[cell];
        if (group == NOTHING || group == IN_SET) continue;
        if (first[group] == NO_CELL)
            first[group] = cell;
        else
            pairs.push_back({first[group], cell});
    }
    sets_.insert(sets_.begin(), pairs.begin(), pairs.end());
}

// Checks the larger sets by the rules of a certificate: a line without a pair belongs to the larger set that holds most
// of its empty cells, the first among equals.
bool SetMatching::sets_hold() const {
    const auto is_pair = [](const auto& set) { return set.size() == 2; };
    const auto larger = std::span(sets_).subspan(std::ranges::count_if(sets_, is_pair));
    if (larger.empty()) return true;
    std::vector<std::vector<SmallSet>> lines(larger.size());
    for (const Number line : open_) {
        if (std::ranges::any_of(std::span(sets_).first(sets_.size() - larger.size()), [&](const auto& pair) {
                return passes_through(line, pair[0]) && passes_through(line, pair[1]);
            }))
            continue;
        std::size_t best = 0;
        SmallSet most = 0;
        for (std::size_t s = 0; s < larger.size(); ++s) {
            SmallSet part = 0;
            for (std::size_t i = 0; i < larger[s].size(); ++i)
                if (passes_through(line, larger[s][i])) part |= static_cast<SmallSet>(1u << i);
            if (std::popcount(part) <= std::popcount(most)) continue;
            best = s;
            most = part;
        }
        if (std::popcount(most) < 2 || lines[best].size() == MOST_LINES_IN_SET) return false;
        lines[best].push_back(most);
    }
    return std::ranges::all_of(lines, [](const auto& some) { return SetGame().breaker_wins(some); });
}

}  // namespace noughts
