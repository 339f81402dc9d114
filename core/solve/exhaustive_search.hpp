// What the exhaustive searches have in common, whatever they keep a position in.
#pragma once

#include <optional>

#include "rules/position.hpp"
#include "solve/bounds_table.hpp"
#include "support/work_limit.hpp"

namespace noughts {

class ExhaustiveSearch {
  public:
    virtual ~ExhaustiveSearch() = default;

    // To be called before a position, and whatever comes from it, is asked about. May empty the table, where keys must
    // change their meaning; not for positions that come from one that was given to start_from.
    virtual void prepare(const Position& position) = 0;
    virtual void start_from(const Position& position) = 0;
    // Whether the side to move of a position that is not over can reach the goal: 1 a win, 0 at least a draw. Nothing
    // when the limit ended the search; what it found out by then stays in the table.
    virtual std::optional<bool> reaches(const Position& position, int goal, WorkLimit& limit) = 0;
    // What the table knows of a position.
    virtual Bounds known(const Position& position) const = 0;
    virtual void clear() = 0;
    virtual std::size_t bytes() const = 0;
    virtual void save(SnapshotWriter& out) const = 0;
    virtual void load(SnapshotReader& in) = 0;  // throws InvalidSnapshot
};

}  // namespace noughts
