// Several threads that search the same position and share a table of proof numbers.
#pragma once

#include <memory>
#include <vector>

#include "solve/parallel/positions_in_progress.hpp"
#include "solve/proof_number/proof_table.hpp"
#include "support/helper_threads.hpp"
#include "support/work_limit.hpp"

namespace noughts {

// `Search` must have search(attacker, limit) and known_numbers(limit), which returns the table's numbers for the last
// question.
template <typename Search>
class SearchTeam {
  public:
    // `make(in_progress)` must return a new search; `in_progress` is null for a single thread.
    template <typename Make>
    void form(int threads, Make&& make) {
        const auto in_progress = threads > 1 ? &in_progress_ : nullptr;
        leader_ = make(in_progress);
        helpers_.clear();
        for (int number = 1; number < threads; ++number) helpers_.push_back(make(in_progress));
    }
    void dissolve() {
        leader_.reset();
        helpers_.clear();
    }
    bool is_formed() const { return leader_ != nullptr; }
    int threads() const { return 1 + static_cast<int>(helpers_.size()); }

    Search& leader() { return *leader_; }
    const Search& leader() const { return *leader_; }

    // Searches whether `attacker` can force a win. The search ends as soon as one thread knows the answer.
    ProofNumbers search(Side attacker, WorkLimit& limit) {
        if (helpers_.empty()) return leader_->search(attacker, limit);
        in_progress_.clear();
        const auto help = [&](int number) {
            WorkLimit own(limit);
            if (helpers_[number - 1]->search(attacker, own).is_solved()) own.finish();
        };
        const auto abandon = [&] {
            for (auto& helper : helpers_) static_cast<void>(helper.release());
            helpers_.clear();
        };
        HelperThreads threads(static_cast<int>(helpers_.size()), {help, [&limit] { limit.finish(); }, abandon});
        const ProofNumbers numbers = leader_->search(attacker, limit);
        threads.finish();
        return numbers.is_solved() ? numbers : leader_->known_numbers(limit);
    }

  private:
    PositionsInProgress in_progress_;
    std::unique_ptr<Search> leader_;
    std::vector<std::unique_ptr<Search>> helpers_;  // one for each thread but the first
};

}  // namespace noughts
