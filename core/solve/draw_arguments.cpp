#include "solve/draw_arguments.hpp"

#include <algorithm>

namespace noughts {

DrawArguments::DrawArguments(const Game& game)
    : game_(game), masks_(static_cast<std::size_t>(game.lines()) * game.words()) {
    for (int i = 0; i < game.lines(); ++i)
        for (int cell : game.line_cells(i))
            masks_[static_cast<std::size_t>(i) * game.words() + word_of(cell)] |= bit(cell);
}

// --- why the maker cannot win -------------------------------------------------------------------------------------

// Line states do not show marks of the breaker once a guard has spoiled the line.
bool DrawArguments::is_open(const Position& position, int line, Side maker) const {
    if (!game_.has_guards()) return marks_of(position.line(line), opponent(maker)) == 0;
    const auto cells = mask(line);
    for (int w = 0; w < game_.words(); ++w)
        if (cells[w] & position.marks(opponent(maker)).word(w)) return false;
    return true;
}

bool DrawArguments::has_no_line(const Position& position, Side maker) const {
    for (int i = 0, n = game_.lines(); i < n; ++i)
        if (is_open(position, i, maker)) return false;
    return true;
}

int DrawArguments::count_open(const Position& position, Side maker) const {
    int count = 0;
    for (int i = 0, n = game_.lines(); i < n; ++i) count += is_open(position, i, maker);
    return count;
}

std::uint32_t DrawArguments::potential(const Position& position, Side maker) const {
    std::uint32_t total = 0;
    for (int i = 0, n = game_.lines(); i < n; ++i)
        total += (is_open(position, i, maker) ? 1u << MAX_LINE_LENGTH : 0u) >> empties_of(position.line(i));
    return total;
}

bool DrawArguments::potential_is_low(const Position& position, Side maker) const {
    constexpr std::uint32_t one = 1u << MAX_LINE_LENGTH;
    return potential(position, maker) < (position.turn() == maker ? one / 2 : one);
}

// Of the pairs of cells among `choice`, the one that serves most of the lines and takes cells from fewest others.
Word DrawArguments::best_pair(Word choice, std::span<const Word> lines) {
    Word best = 0;
    int best_score = 0;
    for (Word rest = choice; rest; rest &= rest - 1)
        for (Word others = rest & (rest - 1); others; others &= others - 1) {
            const Word pair = (rest & -rest) | (others & -others);
            int score = 0;
            for (const Word line : lines) score += (line & pair) == pair ? 8 : line & pair ? -1 : 0;
            if (best != 0 && score <= best_score) continue;
            best = pair;
            best_score = score;
        }
    return best;
}

// At most 64 cells: always the line with the fewest cells left to choose from.
DrawArguments::Pairing DrawArguments::find_bitboard_pairing(const Position& position, Side maker) {
    const Word rival = position.marks(opponent(maker)).word(0), empty = position.empty_cells().word(0);
    auto& lines = open_;
    lines.clear();
    for (const Word mask : masks_)
        if (!(mask & rival)) lines.push_back(mask & empty);
    Pairing pairs;
    Word used = 0;
    while (!lines.empty()) {
        const Word* tightest = &lines.front();
        for (const Word& line : lines)
            if (std::popcount(line & ~used) < std::popcount(*tightest & ~used)) tightest = &line;
        const Word pair = best_pair(*tightest & ~used, lines);
        if (!pair) return {};
        used |= pair;
        pairs.emplace_back(lowest(pair), lowest(pair & (pair - 1)));
        std::erase_if(lines, [pair](Word line) { return (line & pair) == pair; });
    }
    return pairs;
}

// Greedy, the lines with the fewest free cells first: good enough for boards with room, and a failure costs little.
DrawArguments::Pairing DrawArguments::find_pairing(const Position& position, Side maker) {
    if (game_.words() == 1) return find_bitboard_pairing(position, maker);
    std::vector<std::pair<int, int>> order;
    for (int i = 0; i < game_.lines(); ++i)
        if (is_open(position, i, maker)) order.emplace_back(empties_of(position.line(i)), i);
    std::ranges::sort(order);
    Pairing pairs;
    std::vector<int> partner(game_.cells(), NO_CELL);
    for (auto [empties, line] : order) {
        const auto cells = game_.line_cells(line);
        if (std::ranges::any_of(
                cells, [&](int cell) { return partner[cell] != NO_CELL && passes_through(line, partner[cell]); }))
            continue;
        std::vector<std::pair<int, int>> free;  // the cells that fewest live lines pass through come first
        for (int cell : cells)
            if (position.at(cell) == NO_SIDE && partner[cell] == NO_CELL)
                free.emplace_back(count_live_lines(position, cell), cell);
        if (free.size() < 2) return {};
        std::ranges::stable_sort(free, {}, &std::pair<int, int>::first);
        const int first = free[0].second, second = free[1].second;
        partner[first] = second;
        partner[second] = first;
        pairs.emplace_back(first, second);
    }
    return pairs;
}

// --- moves that need not be tried ---------------------------------------------------------------------------------

CellSet DrawArguments::live_cells(const Position& position) const {
    CellSet cells(game_.cells());
    for (int i = 0, n = game_.lines(); i < n; ++i)
        if (!is_dead(position.line(i)))
            for (int w = 0; w < game_.words(); ++w) cells.set_word(w, cells.word(w) | mask(i)[w]);
    cells &= position.empty_cells();
    return cells;
}

// Whether every live line through `cell` passes through `other`, too.
bool DrawArguments::covers(const Position& position, int cell, int other) const {
    return std::ranges::all_of(game_.lines_of(cell),
                               [&](int line) { return is_dead(position.line(line)) || passes_through(line, other); });
}

int DrawArguments::count_live_lines(const Position& position, int cell) const {
    int count = 0;
    for (int line : game_.lines_of(cell)) count += !is_dead(position.line(line));
    return count;
}

int DrawArguments::dominator(const Position& position, int cell) const {
    int fewest = -1;
    for (int line : game_.lines_of(cell))
        if (!is_dead(position.line(line)) &&
            (fewest < 0 || empties_of(position.line(line)) < empties_of(position.line(fewest))))
            fewest = line;
    if (fewest < 0) return NO_CELL;
    const int own = count_live_lines(position, cell);
    int best = NO_CELL, most = own;
    for (int other : game_.line_cells(fewest)) {
        if (other == cell || position.at(other) != NO_SIDE) continue;
        const int count = count_live_lines(position, other);
        const bool is_better = count > most || (count == own && best == NO_CELL && other < cell);
        if (!is_better || !covers(position, cell, other)) continue;
        best = other;
        most = count;
    }
    return best;
}

void DrawArguments::keep_undominated(const Position& position, CellSet& cells) const {
    cells.for_each([&](Cell cell) {
        if (dominator(position, cell) != NO_CELL) cells.erase(cell);
    });
}

}  // namespace noughts
