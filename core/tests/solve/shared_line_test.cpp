#include "solve/parallel/shared_line.hpp"

#include "check.hpp"
#include "tactics/bounds_table.hpp"

using namespace noughts;

namespace {

constexpr std::uint64_t LATER = 1 << 20;  // nodes, until the line is looked up again

}  // namespace

TEST("a thread returns to the first node on its line that another thread has answered") {
    NarrowTable table(1 << 20);
    SharedLine<NarrowTable> line;
    line.start(0);
    for (const std::uint64_t key : {1, 2, 3, 4}) line.enter(key, 1);
    CHECK(!line.must_return(table, LATER));
    table.store(2, {1, 1}, 1);
    table.store(3, {-1, 0}, 1);
    CHECK(!line.must_return(table, LATER));  // has just looked
    CHECK(line.must_return(table, 2 * LATER));
    CHECK(!line.leave());
    CHECK(!line.leave());
    CHECK(line.is_returning());
    table.clear();  // the answer was kept
    CHECK(line.leave());
    CHECK(line.answer());
    CHECK(!line.is_returning());
    CHECK(!line.leave());
}

TEST("a bound that leaves the goal open answers no node") {
    NarrowTable table(1 << 20);
    SharedLine<NarrowTable> line;
    line.start(0);
    line.enter(1, 1);
    table.store(1, {0, 1}, 1);
    CHECK(!line.must_return(table, LATER));
    table.store(1, {-1, 0}, 1);
    CHECK(line.must_return(table, 2 * LATER));
    CHECK(line.leave());
    CHECK(!line.answer());
}
