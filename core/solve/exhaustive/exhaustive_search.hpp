// The interface of exhaustive searches, which differ in how they represent positions.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "rules/position.hpp"
#include "solve/exhaustive/tree_estimate.hpp"
#include "support/work_limit.hpp"
#include "tactics/bounds_table.hpp"

namespace noughts {

class ExhaustiveSearch {
  public:
    virtual ~ExhaustiveSearch() = default;

    // Must be called before the other methods are used on a position or its descendants. Clears the table if its keys
    // cannot represent them, which is never the case for descendants of the position given to start_from.
    virtual void prepare(const Position& position) = 0;
    virtual void start_from(const Position& position) = 0;
    // Whether the side to move of a position that is not over can reach the goal: 1 a win, 0 at least a draw. Empty
    // if the limit ended the search; results proved by then stay in the table.
    virtual std::optional<bool> reaches(const Position& position, int goal, WorkLimit& limit) = 0;
    // A search for another thread, which shares the table: both may then search the same position for the same goal at
    // once. It serves until `prepare` or `start_from` is called. Since the table cannot grow under them, it gets room
    // for this many more positions, as far as its size allows.
    virtual std::unique_ptr<ExhaustiveSearch> make_helper(std::uint64_t positions) = 0;
    // The table's entry of a position.
    virtual Bounds known(const Position& position) const = 0;
    virtual void clear() = 0;
    virtual std::size_t bytes() const = 0;
    virtual TableUse table_use() const = 0;
    virtual const TreeEstimate& estimate() const = 0;  // of the last search
    virtual void save(SnapshotWriter& out) const = 0;
    virtual void load(SnapshotReader& in) = 0;  // throws InvalidSnapshot
};

// The levels near the root that are watched: so few that it costs nothing.
inline int watched_levels(const Position& position) { return std::min(position.now().free / 3, 24); }

}  // namespace noughts
