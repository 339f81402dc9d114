#include "solve/parallel/thread_path.hpp"

#include "check.hpp"
#include "tactics/bounds_table.hpp"

using namespace noughts;

namespace {

constexpr std::uint64_t LATER = 1 << 20;  // number of nodes after which the path is looked up again

}  // namespace

TEST("a thread returns to the first node on its path that another thread has answered") {
    NarrowTable table(1 << 20);
    ThreadPath<NarrowTable> path;
    path.start(0);
    for (const std::uint64_t key : {1, 2, 3, 4}) path.enter(key, 1);
    CHECK(!path.must_return(table, LATER));
    table.store(2, {1, 1}, 1);
    table.store(3, {-1, 0}, 1);
    CHECK(!path.must_return(table, LATER));  // the last look was at the same number of nodes
    CHECK(path.must_return(table, 2 * LATER));
    CHECK(!path.leave());
    CHECK(!path.leave());
    CHECK(path.is_returning());
    table.clear();  // the answer does not depend on the table
    CHECK(path.leave());
    CHECK(path.answer());
    CHECK(!path.is_returning());
    CHECK(!path.leave());
}

TEST("a bound that leaves the goal open answers no node") {
    NarrowTable table(1 << 20);
    ThreadPath<NarrowTable> path;
    path.start(0);
    path.enter(1, 1);
    table.store(1, {0, 1}, 1);
    CHECK(!path.must_return(table, LATER));
    table.store(1, {-1, 0}, 1);
    CHECK(path.must_return(table, 2 * LATER));
    CHECK(path.leave());
    CHECK(!path.answer());
}
