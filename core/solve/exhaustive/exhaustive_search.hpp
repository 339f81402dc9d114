// The interface of exhaustive searches, which differ in their representation of positions.
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

    // Must be called before a position or its descendants are searched or looked up. Clears the table if its keys
    // cannot represent them, which does not happen for descendants of the position given to start_from.
    virtual void prepare(const Position& position) = 0;
    virtual void start_from(const Position& position) = 0;
    // Whether the side to move can reach the goal: 1 for a win, 0 for at least a draw. The position must not be over.
    // Empty if the limit ended the search; results proven by then stay in the table.
    virtual std::optional<bool> reaches(const Position& position, int goal, WorkLimit& limit) = 0;
    // Returns a search for another thread that shares the table: both may then search the same position for the same
    // goal at the same time. It is valid until `prepare` or `start_from` is called. The table cannot grow while several
    // threads use it, so it first gets room for `positions` more entries, as far as its maximum size allows.
    virtual std::unique_ptr<ExhaustiveSearch> make_helper(std::uint64_t positions) = 0;
    // The table's entry of a position.
    virtual Bounds known(const Position& position) const = 0;
    virtual void clear() = 0;
    virtual std::size_t bytes() const = 0;
    virtual TableUse table_use() const = 0;
    virtual const TreeEstimate& estimate() const = 0;  // estimate for the last search
    virtual void save(SnapshotWriter& out) const = 0;
    virtual void load(SnapshotReader& in) = 0;  // throws InvalidSnapshot
};

// The number of levels near the root that TreeEstimate watches; few enough to cost nothing.
inline int watched_levels(const Position& position) { return std::min(position.now().free / 3, 24); }

}  // namespace noughts
