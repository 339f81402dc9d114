#include "solve/static_draw/draw_arguments.hpp"

#include <algorithm>

namespace noughts {

bool second_player_cannot_win(const Position& position) {
    return position.game().marks_never_hurt() && position.now().free == position.game().cells();
}

DrawArguments::DrawArguments(const Game& game)
    : game_(game), masks_(static_cast<std::size_t>(game.lines()) * game.words()) {
    for (int i = 0; i < game.lines(); ++i)
        for (int cell : game.line_cells(i))
            masks_[static_cast<std::size_t>(i) * game.words() + word_of(cell)] |= bit(cell);
}

// --- why the maker cannot win -------------------------------------------------------------------------------------

// Whether the line holds no mark of the breaker. Line states do not show such marks once a guard has spoiled the line.
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

// --- moves that need not be tried ---------------------------------------------------------------------------------

CellSet DrawArguments::live_cells(const Position& position) const {
    CellSet cells(game_.cells());
    for (int i = 0, n = game_.lines(); i < n; ++i)
        if (!is_dead(position.line(i)))
            for (int w = 0; w < game_.words(); ++w) cells.set_word(w, cells.word(w) | mask(i)[w]);
    cells &= position.empty_cells();
    return cells;
}

// Whether every live line through `cell` also passes through `other`.
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
