#include "rules/cell_set.hpp"

#include <set>

#include "check.hpp"

using namespace noughts;
using namespace noughts::testing;

namespace {

template <typename Cells>
std::set<int> members(const Cells& cells) {
    std::set<int> visited, iterated;
    cells.for_each([&](Cell cell) { visited.insert(cell); });
    for (Cell cell : cells) iterated.insert(cell);
    CHECK(visited == iterated);
    CHECK_EQUAL(cells.count(), static_cast<int>(visited.size()));
    CHECK_EQUAL(cells.first(), visited.empty() ? NO_CELL : *visited.begin());
    CHECK_EQUAL(cells.is_empty(), visited.empty());
    for (Cell cell : visited) CHECK(cells.contains(cell));
    return visited;
}

CellSet set_of(const std::set<int>& cells) {
    CellSet set(200);
    for (Cell cell : cells) set.insert(cell);
    return set;
}

auto view_of(const CellSet& set) {
    return CellView(set.words(), [&set](int w) { return set.word(w); });
}

}  // namespace

TEST("a set holds the cells that were inserted and not erased, across words") {
    CellSet set(200);
    CHECK_EQUAL(set.words(), 4);
    CHECK(members(set).empty());
    for (Cell cell : {0, 63, 64, 130, 199}) set.insert(cell);
    CHECK((members(set) == std::set<int>{0, 63, 64, 130, 199}));
    set.erase(64);
    set.toggle(63);
    set.toggle(65);
    CHECK((members(set) == std::set<int>{0, 65, 130, 199}));
    set.clear();
    CHECK(members(set).empty());
}

TEST("sets are combined word by word") {
    const CellSet a = set_of({1, 64, 65, 199}), b = set_of({1, 65, 128});
    CellSet set = a;
    set |= b;
    CHECK((members(set) == std::set<int>{1, 64, 65, 128, 199}));
    set &= view_of(b);
    CHECK(set == b);
    set -= a;
    CHECK((members(set) == std::set<int>{128}));
    set = view_of(a);
    CHECK(set == a);
    CHECK((members(view_of(a) & b) == std::set<int>{1, 65}));
    CHECK((members(view_of(a) & view_of(b)) == std::set<int>{1, 65}));
}

TEST("a set of no words has no members") { CHECK(members(CellSet()).empty()); }
