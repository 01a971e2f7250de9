// The match runner.
#include "lab/match.hpp"

#include "search/transposition_table.hpp"

#include <stdexcept>

namespace sumito {

namespace {

// All seatings of the two players that favour neither: both ways round for two sides; for three
// players, one against two in every seat.
const std::vector<std::vector<int>>& seatings(Mode mode) {
    static const std::vector<std::vector<int>> two = {{0, 1}, {1, 0}};
    static const std::vector<std::vector<int>> three = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0},
                                                        {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return mode == Mode::three ? three : two;
}

// Adjudicates a game of two sides as lost once both players' scores agree on it long enough.
class ResignAdjudicator {
  public:
    explicit ResignAdjudicator(int threshold) : threshold(threshold) {}

    // Takes the score of the side that moved; returns the side that resigns, or NOBODY.
    int update(int side, int score) {
        const int candidate = score <= -threshold ? side : score >= threshold ? side ^ 1 : NOBODY;
        plies_agreed = candidate != NOBODY && candidate == losing_side ? plies_agreed + 1 : 1;
        losing_side = candidate;
        return threshold && losing_side != NOBODY && plies_agreed >= PLIES ? losing_side : NOBODY;
    }

  private:
    static constexpr int PLIES = 6; // three moves of each of two players
    int threshold;
    int losing_side = NOBODY;
    int plies_agreed = 0;
};

} // namespace

Match::Match(MatchConfig given) : config(std::move(given)) {
    check();
    start();
}

void Match::check() const {
    if (config.openings.empty()) throw std::invalid_argument("a match needs an opening");
    const Mode mode = Position(config.openings[0], config.rules).mode();
    for (const std::string& text : config.openings)
        if (Position(text, config.rules).mode() != mode)
            throw std::invalid_argument("the openings of a match have one mode");
    if (config.games < 0) throw std::invalid_argument("a match has no fewer than 0 games");
    if (config.random_plies < 0)
        throw std::invalid_argument("a match begins with no fewer than 0 random plies");
    if (config.resign < 0) throw std::invalid_argument("nobody resigns below 0");
    if (config.resign && mode == Mode::three)
        throw std::invalid_argument("among three nobody can resign");
    if (config.concurrency < 1 || config.concurrency > MAX_THREADS)
        throw std::invalid_argument("games at a time are 1 to " + std::to_string(MAX_THREADS) +
                                    ", not " + std::to_string(config.concurrency));
    std::size_t megabytes = 0;
    for (const Player& player : config.players) {
        if (player.kind != PlayerKind::engine) continue;
        Searcher::check(player.threads, player.hash_mb);
        megabytes += player.hash_mb * static_cast<std::size_t>(config.concurrency);
    }
    const std::size_t most = machine_memory_mb();
    if (most && megabytes > most)
        throw std::invalid_argument("the players' tables need " + std::to_string(megabytes) +
                                    " MB; this machine has " + std::to_string(most));
}

void Match::start() {
    const int count = std::min(config.concurrency, std::max(1, config.games));
    running = count;
    try {
        for (int i = 0; i < count; ++i) threads.emplace_back([this] { run_worker(); });
    } catch (const std::exception&) {
        cancel();
        join();
        throw std::runtime_error("this machine has no room for " + std::to_string(count) +
                                 " games at a time");
    }
}

Match::~Match() {
    cancel();
    join();
}

void Match::join() {
    for (std::thread& thread : threads) thread.join();
}

bool Match::done() const {
    const std::lock_guard lock(mutex);
    return running == 0;
}

bool Match::wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex);
    if (!ended.wait_for(lock, time, [this] { return running == 0; })) return false;
    if (error) std::rethrow_exception(error);
    return true;
}

Score Match::score() const {
    const std::lock_guard lock(mutex);
    Score score;
    for (const GameRecord& game : finished) {
        const double points = game.points();
        ++(points == 0.5 ? score.draws : points > 0 ? score.wins : score.losses);
    }
    return score;
}

std::vector<GameRecord> Match::games(std::size_t from) const {
    const std::lock_guard lock(mutex);
    if (from >= finished.size()) return {};
    return {finished.begin() + static_cast<std::ptrdiff_t>(from), finished.end()};
}

// An exception in a thread ends the match and is rethrown by `wait`.
void Match::run_worker() {
    std::exception_ptr thrown;
    try {
        play_games();
    } catch (...) {
        thrown = std::current_exception();
        cancel();
    }
    const std::lock_guard lock(mutex);
    if (thrown && !error) error = thrown;
    --running;
    ended.notify_all();
}

void Match::play_games() {
    std::array<std::unique_ptr<Searcher>, 2> searchers;
    for (int i = 0; i < 2; ++i) {
        const Player& player = config.players[i];
        if (player.kind != PlayerKind::engine) continue;
        searchers[i] = std::make_unique<Searcher>(player.threads, player.hash_mb);
        searchers[i]->tuning = player.tuning;
    }
    for (int number; !cancelled.is_set() && (number = next_game++) < config.games;) {
        GameRecord record;
        if (!play_game(number, searchers, record)) break;
        const std::lock_guard lock(mutex);
        finished.push_back(std::move(record));
    }
}

bool Match::play_game(int number, std::array<std::unique_ptr<Searcher>, 2>& searchers,
                      GameRecord& record) {
    const Mode mode = Position(config.openings[0]).mode();
    const auto& seatings_of_mode = seatings(mode);
    const int round = number / static_cast<int>(seatings_of_mode.size());
    record.seats = seatings_of_mode[number % seatings_of_mode.size()];
    record.start = config.openings[round % config.openings.size()];
    Position position(record.start, config.rules);
    for (auto& searcher : searchers)
        if (searcher) searcher->clear();

    std::mt19937_64 opening(config.seed * 1'000'003 + static_cast<std::uint64_t>(round));
    const auto play = [&](int move) {
        position.push(move);
        record.moves.push_back(move);
    };
    for (int i = 0; i < config.random_plies && !position.outcome(); ++i)
        play(random_move(position, opening));

    std::mt19937_64 random(config.seed * 7'000'003 + static_cast<std::uint64_t>(number));
    ResignAdjudicator adjudicator(config.resign);
    while (!record.outcome && !(record.outcome = position.outcome())) {
        const int side = side_of(mode, position.turn());
        const int seat = record.seats[side];
        const auto start = std::chrono::steady_clock::now();
        const Choice chosen =
            choose(config.players[seat], searchers[seat].get(), position, random, number);
        if (cancelled.is_set()) return false; // the move may be of an unfinished search
        const auto spent = std::chrono::steady_clock::now() - start;
        record.slowest_ms = std::max<std::int64_t>(
            record.slowest_ms,
            std::chrono::duration_cast<std::chrono::milliseconds>(spent).count());
        play(chosen.move);
        if (const int losing_side = adjudicator.update(side, chosen.score);
            losing_side != NOBODY && !position.outcome())
            record.outcome = {Reason::resigned, losing_side ^ 1};
    }
    return true;
}

Match::Choice Match::choose(const Player& player, Searcher* searcher, const Position& position,
                            std::mt19937_64& random, int number) {
    if (player.kind != PlayerKind::engine)
        return {simple_move(player.kind, position, player.limits.depth, random, &cancelled), 0};
    SearchMonitor monitor;
    monitor.stop = &cancelled;
    Handicap handicap = player.handicap;
    if (handicap.any()) // other errors in every match and game
        handicap.seed =
            mix(mix(handicap.seed + config.seed) + static_cast<std::uint64_t>(number) + 1);
    const Result found = searcher->search(position, player.limits, handicap, monitor);
    return {found.best, found.score};
}

} // namespace sumito
