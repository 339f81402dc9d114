#include "train/self_play.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "search/engine.hpp"
#include "search/evaluate.hpp"
#include "tactics/threat_map.hpp"
#include "tactics/threats.hpp"

namespace noughts {
namespace {

constexpr auto POLL = std::chrono::milliseconds(20);
// Where random moves are played on boards with strips: least centrality of a first move, then distance from marks.
constexpr int MIN_FIRST_CENTRALITY = 45, NEAR = 2;
constexpr int MIN_CELLS_FOR_NEAR = 65;  // on smaller boards, random moves may be anywhere
constexpr int MOST_CELLS_PLAYED_TO_THE_END = 25;
constexpr std::int8_t UNKNOWN = 2;
// Lasting playthroughs: the random moves of an opening, and how uneven it may be; until which ply one of nearly equal
// moves is chosen, and how nearly; the error of an evaluation that is refuted, and how often its row is written. Scores
// are in percent of the spread of the network.
constexpr int LEAST_OPENING_PLIES = 2, MOST_OPENING_PLIES = 6, OPENING_TRIES = 100;
constexpr int VARIED_UNTIL_PLY = 16, VARIED_MOVES = 3;
constexpr int UNEVEN = 65, NEARLY_EQUAL = 13, REFUTED = 110;
constexpr int COPIES_OF_REFUTED = 3, DEFAULT_SPREAD = 230;
constexpr unsigned PLIES_PER_STEP_ASIDE = 4;
// A playthrough is a draw if for some plies, from a ply on, neither side is ahead. Rows are written up to a ply.
constexpr int CALM = 26;
constexpr int CALM_PLIES = 30, CALM_FROM_PLY = 80, LAST_ROW_PLY = 120;

// --- rows ---------------------------------------------------------------------------------------------------------

template <typename T>
void put(std::vector<char>& bytes, T value) {
    for (std::size_t i = 0; i < sizeof value; ++i) bytes.push_back(reinterpret_cast<const char*>(&value)[i]);
}

struct Row {
    static constexpr int RESULT = 12;

    Side turn;
    std::vector<char> bytes;
    bool is_aside = false;  // the position is not part of the playthrough
    int copies = 1;

    char& result() { return bytes[RESULT]; }
};

char encode(Side side, Side turn) { return side == NO_SIDE ? 0 : side == turn ? 1 : 2; }
char encode(Owner owner, Side turn) { return owner == Owner::DEAD ? 3 : encode(winner_of(owner), turn); }

Row make_row(const Position& position, const RootVariation& best, int evaluation) {
    Row row{position.turn(), {}};
    put<std::int32_t>(row.bytes, std::clamp(best.score, -MOST_ESTIMATED, MOST_ESTIMATED));
    put<std::int32_t>(row.bytes, evaluation);
    put<std::int16_t>(row.bytes, static_cast<std::int16_t>(best.move));
    put<std::int16_t>(row.bytes, static_cast<std::int16_t>(position.ply()));
    put<std::int8_t>(row.bytes, UNKNOWN);
    put<std::int8_t>(row.bytes, static_cast<std::int8_t>(position.block_to_play()));
    put<std::uint8_t>(row.bytes, position.game().counts_blocks());
    put<std::uint8_t>(row.bytes, best.proven);
    for (int cell = 0; cell < position.game().cells(); ++cell) row.bytes.push_back(encode(position.at(cell), row.turn));
    for (int block = 0; block < position.game().blocks(); ++block)
        row.bytes.push_back(encode(position.owner(block), row.turn));
    return row;
}

// --- playthroughs -------------------------------------------------------------------------------------------------

// The randomness of playthroughs. On a board of 80 cells or more, up to 14 random moves come first; then one move in 25
// is random up to ply 40. On smaller boards fewer random moves come first, since they would be most of the game, and
// more come later.
struct Randomness {
    static constexpr int MAX_OPENING_PLIES = 14, UNTIL_PLY = 40;

    int opening_plies, percent;

    explicit Randomness(const Game& game)
        : opening_plies(std::clamp(game.cells() / 3, 1, MAX_OPENING_PLIES)),
          percent(std::clamp(320 / game.cells(), 4, 25)) {}
};

std::size_t megabytes_for(const SelfPlay& plan) { return plan.lasting || plan.nodes >= 2000 ? 8 : 1; }

// Plays playthroughs in one thread.
class Player {
  public:
    Player(std::shared_ptr<const Game> game, const SelfPlay& plan, const std::atomic<bool>& stop)
        : game_(std::move(game)),
          strips_(ThreatMap::strips_of(*game_)),
          plan_(plan),
          stop_(stop),
          randomness_(*game_),
          engine_(1, megabytes_for(plan), plan.network),
          network_(network_of(*game_, plan.network)),
          spread_(network_.has_network() ? network_.network()->spread() : DEFAULT_SPREAD) {
        for (const NetworkChoice& each : plan.opponents)
            opponents_.push_back(std::make_unique<Engine>(1, megabytes_for(plan), each));
    }

    // The rows of a playthrough; empty if it was stopped.
    std::vector<Row> play(std::uint64_t number) {
        std::mt19937_64 random(mix(mix(plan_.seed) ^ number));
        Position position(game_);
        std::vector<Row> rows;
        std::size_t first_known = 0;  // the result does not count for rows before the last random move
        engine_.clear();
        calm_plies_ = 0;
        if (plan_.lasting ? !open_evenly(position, random) : !open(position, random)) return {};
        Engine* const rival = opponent_of(number);
        Side winner = NO_SIDE;
        while (!stop_.load(std::memory_order_relaxed)) {
            if (position.is_over()) {
                winner = position.winner();
                break;
            }
            const Found found = search(position, rows, lines_for(position, random));
            const RootVariation& best = found.front();
            if (best.proven && is_decided(best.score) && game_->cells() > MOST_CELLS_PLAYED_TO_THE_END) {
                winner = is_win(best.score) ? position.turn() : opponent(position.turn());
                break;
            }
            if (plan_.lasting && is_calm(position, best.score)) break;
            if (game_->has_one_block() && (!plan_.lasting || random() % PLIES_PER_STEP_ASIDE == 0))
                step_aside(position, random, rows);
            if (plan_.lasting) {
                const bool is_rival = rival && position.turn() == (number / 2 % 2 == 0 ? X : O);
                position.play(is_rival ? found_by(*rival, position, plan_.nodes, 1).front().move
                                       : varied(found, random));
                continue;
            }
            const bool is_random =
                position.ply() < Randomness::UNTIL_PLY && static_cast<int>(random() % 100) < randomness_.percent;
            if (is_random) first_known = rows.size();
            position.play(is_random ? random_move(position, random) : best.move);
        }
        // The result against a weaker opponent tells who played, not what the position is worth.
        if (rival) return rows;
        for (std::size_t i = first_known; i < rows.size(); ++i)
            if (!rows[i].is_aside)
                rows[i].result() = static_cast<char>(winner == NO_SIDE ? 0 : winner == rows[i].turn ? 1 : -1);
        return rows;
    }

  private:
    using Found = std::vector<RootVariation>;

    int of_spread(int percent) const { return spread_ * percent / 100; }

    // Plays random moves; returns false if they end the playthrough.
    bool open(Position& position, std::mt19937_64& random) const {
        for (int plies = static_cast<int>(random() % (randomness_.opening_plies + 1)); plies > 0; --plies) {
            position.play(random_move(position, random));
            if (position.is_over()) return false;
        }
        return true;
    }

    // Plays a random opening that a search finds even; returns false if none was found.
    bool open_evenly(Position& position, std::mt19937_64& random) {
        for (int tries = 0; tries < OPENING_TRIES && !stop_.load(std::memory_order_relaxed); ++tries) {
            const int span = MOST_OPENING_PLIES - LEAST_OPENING_PLIES + 1;
            int plies = LEAST_OPENING_PLIES + static_cast<int>(random() % span);
            for (; plies > 0 && !position.is_over(); --plies) position.play(random_move(position, random));
            if (!position.is_over()) {
                const RootVariation best = found_by(engine_, position, plan_.deep_nodes, 1).front();
                if (!best.proven && std::abs(best.score) <= of_spread(UNEVEN)) return true;
            }
            while (position.ply() > 0) position.undo();
        }
        return false;
    }

    // The opponent of a playthrough; null if the engine plays against itself.
    Engine* opponent_of(std::uint64_t number) {
        if (opponents_.empty() || number % 2 == 0) return nullptr;
        Engine* const rival = opponents_[number / 4 % opponents_.size()].get();
        rival->clear();
        return rival;
    }
    int lines_for(const Position& position, std::mt19937_64& random) const {
        return plan_.lasting && position.ply() < VARIED_UNTIL_PLY && random() % 2 == 0 ? VARIED_MOVES : 1;
    }
    Cell varied(const Found& found, std::mt19937_64& random) const {
        const auto worse = std::ranges::find_if(found, [&](const RootVariation& line) {
            return line.score < found.front().score - of_spread(NEARLY_EQUAL);
        });
        return found[random() % static_cast<std::size_t>(worse - found.begin())].move;
    }

    bool is_calm(const Position& position, int score) {
        calm_plies_ = position.ply() >= CALM_FROM_PLY && std::abs(score) <= of_spread(CALM) ? calm_plies_ + 1 : 0;
        return calm_plies_ >= CALM_PLIES;
    }

    Found found_by(Engine& engine, const Position& position, std::uint64_t nodes, int lines) const {
        const Interrupt interrupt = [this] { return stop_.load(std::memory_order_relaxed); };
        return engine.search(position, {.nodes = nodes, .count_chains = !plan_.lasting}, lines, {}, interrupt).lines;
    }

    // Searches a position and adds a row for it, unless a line can be completed or must be stopped.
    Found search(const Position& position, std::vector<Row>& rows, int lines) {
        Found found = found_by(engine_, position, plan_.nodes, lines);
        if (winning_move(position) != NO_CELL) return found;
        if (has_direct_threats(position.game()) && threat_against(position).count > 0) return found;
        if (plan_.lasting && position.ply() > LAST_ROW_PLY) return found;
        const int evaluated = evaluation(position);
        const bool is_refuted = plan_.lasting && std::abs(found.front().score) < MOST_ESTIMATED &&
                                std::abs(found.front().score - evaluated) > of_spread(REFUTED);
        if (is_refuted) found = found_by(engine_, position, plan_.deep_nodes, 1);
        rows.push_back(make_row(position, found.front(), evaluated));
        if (is_refuted) rows.back().copies = COPIES_OF_REFUTED;
        return found;
    }

    // Adds a row for the position after a random move.
    void step_aside(Position& position, std::mt19937_64& random, std::vector<Row>& rows) {
        const std::size_t before = rows.size();
        position.play(random_move(position, random));
        if (!position.is_over()) search(position, rows, 1);
        position.undo();
        if (rows.size() > before) rows.back().is_aside = true;
    }

    int evaluation(const Position& position) {
        return network_.has_network() ? network_.evaluate(position) : evaluate(position);
    }

    // On large boards with strips, a move near other marks or in the centre.
    Cell random_move(const Position& position, std::mt19937_64& random) const {
        const bool keeps_near = strips_ && game_->cells() >= MIN_CELLS_FOR_NEAR;
        std::vector<Cell> all, near;
        position.for_each_legal([&](Cell cell) {
            all.push_back(cell);
            if (keeps_near && is_near(position, cell)) near.push_back(cell);
        });
        const auto& moves = near.empty() ? all : near;
        return moves[random() % moves.size()];
    }
    bool is_near(const Position& position, Cell cell) const {
        if (position.game().cells() == position.now().free)
            return position.game().centrality(cell) >= MIN_FIRST_CENTRALITY;
        const int middle = strips_->surroundings().radius();
        return std::ranges::any_of(strips_->views_of(cell), [&](const Strips::View& view) {
            return middle - NEAR <= view.digit && view.digit < middle + NEAR && position.at(view.cell) != NO_SIDE;
        });
    }

    std::shared_ptr<const Game> game_;
    std::shared_ptr<const Strips> strips_;
    const SelfPlay& plan_;
    const std::atomic<bool>& stop_;
    Randomness randomness_;
    Engine engine_;
    NetworkEvaluator network_;
    int spread_;  // of the scores
    std::vector<std::unique_ptr<Engine>> opponents_;
    int calm_plies_ = 0;
};

// Distributes the numbers of playthroughs to threads, and collects their rows in the order of the numbers.
class Playthroughs {
  public:
    Playthroughs(std::shared_ptr<const Game> game, const SelfPlay& plan, const TakeRows& take)
        : game_(std::move(game)), plan_(plan), take_(take) {}

    std::uint64_t run(const Interrupt& interrupt) {
        std::vector<std::thread> threads;
        try {
            for (int i = 0; i < plan_.threads; ++i) threads.emplace_back([this] { work(); });
        } catch (...) {
            fail(std::current_exception());
        }
        std::unique_lock lock(mutex_);
        while (ended_ < threads.size()) {
            done_.wait_for(lock, POLL);
            lock.unlock();
            if (interrupt && interrupt()) stop_ = true;
            lock.lock();
        }
        lock.unlock();
        for (std::thread& thread : threads) thread.join();
        if (failure_) std::rethrow_exception(failure_);
        return taken_;
    }

  private:
    void work() {
        try {
            Player player(game_, plan_, stop_);
            for (std::uint64_t at = next_++; at < plan_.count && !stop_; at = next_++) {
                auto rows = player.play(plan_.first + at);
                if (!stop_) finish(at, std::move(rows));
            }
        } catch (...) {
            fail(std::current_exception());
        }
        const std::lock_guard lock(mutex_);
        ++ended_;
        done_.notify_all();
    }

    void finish(std::uint64_t at, std::vector<Row> rows) {
        const std::lock_guard lock(mutex_);
        finished_.emplace(at, std::move(rows));
        for (auto first = finished_.begin(); first != finished_.end() && first->first == taken_; ++taken_) {
            std::vector<char> bytes;
            for (const Row& row : first->second)
                for (int i = 0; i < row.copies; ++i) bytes.insert(bytes.end(), row.bytes.begin(), row.bytes.end());
            take_(bytes);
            first = finished_.erase(first);
        }
    }

    void fail(std::exception_ptr failure) {
        const std::lock_guard lock(mutex_);
        failure_ = std::move(failure);
        stop_ = true;
    }

    std::shared_ptr<const Game> game_;
    const SelfPlay& plan_;
    const TakeRows& take_;
    std::atomic<bool> stop_{false};
    std::atomic<std::uint64_t> next_{0};  // numbers here are relative to the first playthrough
    std::mutex mutex_;
    std::condition_variable done_;
    std::map<std::uint64_t, std::vector<Row>> finished_;  // not taken yet
    std::uint64_t taken_ = 0;
    std::size_t ended_ = 0;  // number of threads that have ended
    std::exception_ptr failure_;
};

}  // namespace

std::vector<char> rows_header(const Game& game, LineFeatures::Scope scope) {
    std::vector<char> bytes = {'N', 'N', 'R', '2'};
    const auto found = LineFeatures::of(game, scope);
    const LineFeatures features = found ? *found : LineFeatures{};
    const std::uint64_t only_game = scope == LineFeatures::Scope::GAME ? game.fingerprint() : 0;
    int views = 0;
    for (Cell cell = 0; cell < features.cells(); ++cell) views += static_cast<int>(features.views_of(cell).size());
    for (int number : {game.cells(), game.blocks(), features.slots_of_cell(), features.kinds(),
                       static_cast<int>(features.kind_of_states().size()), views, features.surroundings().length,
                       static_cast<int>(features.surroundings().guarded)})
        put<std::int32_t>(bytes, number);
    put<std::uint64_t>(bytes, only_game);
    for (const std::uint32_t states : features.start()) {
        put<std::uint32_t>(bytes, states & 0xffff);
        put<std::uint32_t>(bytes, states >> 16);
    }
    for (Cell cell = 0; cell < features.cells(); ++cell)
        for (const LineFeatures::View& view : features.views_of(cell))
            for (const std::uint32_t number : {static_cast<std::uint32_t>(cell), view.slot, std::uint32_t{view.cell},
                                               view.added[X] & 0xffff, view.added[X] >> 16})
                put<std::uint32_t>(bytes, number);
    for (const std::uint16_t kind : features.kind_of_states()) put(bytes, kind);
    return bytes;
}

std::uint64_t self_play(const std::shared_ptr<const Game>& game, const SelfPlay& plan, const TakeRows& take,
                        const Interrupt& interrupt) {
    return Playthroughs(game, plan, take).run(interrupt);
}

}  // namespace noughts
