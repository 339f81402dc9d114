// The nodes that a thread of a search is in, as far as other threads may search them at the same time.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace noughts {

// Threads share their results by a table only. A thread deep below a node does not notice that another one has answered
// it, and would finish in vain. So it looks its line up in the table every now and then, and returns to the first node
// that is answered.
template <typename Table>
class ThreadPath {
  public:
    using Key = typename Table::Key;

    // A search begins after this many nodes.
    void start(std::uint64_t nodes) {
        nodes_.clear();
        is_returning_ = false;
        next_look_ = nodes + NODES_PER_LOOK;
    }
    void enter(const Key& key, int goal) { nodes_.push_back({key, goal}); }
    // Leaves the node entered last. Whether another thread has answered it, in which case `answer` tells.
    bool leave() {
        nodes_.pop_back();
        if (!is_returning_ || nodes_.size() != answered_) return false;
        is_returning_ = false;
        return true;
    }
    bool answer() const { return answer_; }

    // Whether the search must return, without storing anything, to a node that another thread has answered.
    bool is_returning() const { return is_returning_; }
    // Looks for such a node if it is time to.
    bool must_return(const Table& table, std::uint64_t nodes) {
        if (nodes >= next_look_ && !nodes_.empty()) look(table, nodes);
        return is_returning_;
    }

  private:
    static constexpr std::uint64_t NODES_PER_LOOK = 1024;  // as cheap as a few nodes

    struct Node {
        Key key;
        int goal;
    };

    // The entry may be replaced on the way back, so the answer is kept here.
    void look(const Table& table, std::uint64_t nodes) {
        next_look_ = nodes + NODES_PER_LOOK;
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            if (const int known = table.probe(nodes_[i].key).reaches(nodes_[i].goal)) {
                is_returning_ = true;
                answered_ = i;
                answer_ = known > 0;
                return;
            }
    }

    std::vector<Node> nodes_;  // from the root
    std::uint64_t next_look_ = 0;
    bool is_returning_ = false, answer_ = false;
    std::size_t answered_ = 0;  // the node to return to
};

}  // namespace noughts
