// The match runner.
#include "lab/match.hpp"

#include "search/table.hpp"

#include <stdexcept>

namespace sumito {

namespace {

// Every way to seat the two players so that each side is filled and neither is favoured: both ways
// round for two sides; for three, one against two in every chair.
const std::vector<std::vector<int>>& seatings(Mode mode) {
    static const std::vector<std::vector<int>> two = {{0, 1}, {1, 0}};
    static const std::vector<std::vector<int>> three = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0},
                                                        {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return mode == Mode::three ? three : two;
}

// Hears what the players think of a game of two sides, until all have agreed long enough that one
// of them is lost.
class Agreement {
  public:
    explicit Agreement(int bar) : bar(bar) {}

    // The side that gives up after this, or NOBODY.
    int hear(int side, int score) {
        const int lost = score <= -bar ? side : score >= bar ? side ^ 1 : NOBODY;
        times = lost != NOBODY && lost == loser ? times + 1 : 1;
        loser = lost;
        return bar && loser != NOBODY && times >= PLIES ? loser : NOBODY;
    }

  private:
    static constexpr int PLIES = 6; // three moves of each of two players
    int bar;
    int loser = NOBODY;
    int times = 0;
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
    if (config.concurrency < 1 || config.concurrency > MOST_THREADS)
        throw std::invalid_argument("games at a time are 1 to " + std::to_string(MOST_THREADS) +
                                    ", not " + std::to_string(config.concurrency));
    std::size_t megabytes = 0;
    for (const Player& player : config.players) {
        if (player.kind != PlayerKind::engine) continue;
        Searcher::check(player.threads, player.hash_mb);
        megabytes += player.hash_mb * static_cast<std::size_t>(config.concurrency);
    }
    const std::size_t most = machine_megabytes();
    if (most && megabytes > most)
        throw std::invalid_argument("the players' tables need " + std::to_string(megabytes) +
                                    " MB; this machine has " + std::to_string(most));
}

void Match::start() {
    const int wanted = std::min(config.concurrency, std::max(1, config.games));
    running = wanted;
    try {
        for (int i = 0; i < wanted; ++i) threads.emplace_back([this] { work(); });
    } catch (const std::exception&) {
        cancel();
        join();
        throw std::runtime_error("this machine has no room for " + std::to_string(wanted) +
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
    const std::lock_guard lock(guard);
    return running == 0;
}

bool Match::wait_for(std::chrono::milliseconds time) {
    std::unique_lock lock(guard);
    if (!ended.wait_for(lock, time, [this] { return running == 0; })) return false;
    if (error) std::rethrow_exception(error);
    return true;
}

Score Match::score() const {
    const std::lock_guard lock(guard);
    Score score;
    for (const GameRecord& game : finished) {
        const double points = game.points();
        ++(points == 0.5 ? score.draws : points > 0 ? score.wins : score.losses);
    }
    return score;
}

std::vector<GameRecord> Match::games(std::size_t from) const {
    const std::lock_guard lock(guard);
    if (from >= finished.size()) return {};
    return {finished.begin() + static_cast<std::ptrdiff_t>(from), finished.end()};
}

// What goes wrong in a thread must not end the program: it ends the match, and `wait` tells.
void Match::work() {
    std::exception_ptr thrown;
    try {
        play_games();
    } catch (...) {
        thrown = std::current_exception();
        cancel();
    }
    const std::lock_guard lock(guard);
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
        const std::lock_guard lock(guard);
        finished.push_back(std::move(record));
    }
}

bool Match::play_game(int number, std::array<std::unique_ptr<Searcher>, 2>& searchers,
                      GameRecord& record) {
    const Mode mode = Position(config.openings[0]).mode();
    const auto& chairs = seatings(mode);
    const int round = number / static_cast<int>(chairs.size());
    record.seats = chairs[number % chairs.size()];
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
    Agreement agreement(config.resign);
    while (!record.outcome && !(record.outcome = position.outcome())) {
        const int side = side_of(mode, position.turn());
        const int seat = record.seats[side];
        const auto start = std::chrono::steady_clock::now();
        const Choice chosen =
            choose(config.players[seat], searchers[seat].get(), position, random, number);
        if (cancelled.is_set()) return false; // the move may be half thought through
        const auto spent = std::chrono::steady_clock::now() - start;
        record.slowest_ms = std::max<std::int64_t>(
            record.slowest_ms,
            std::chrono::duration_cast<std::chrono::milliseconds>(spent).count());
        play(chosen.move);
        if (const int loser = agreement.hear(side, chosen.score);
            loser != NOBODY && !position.outcome())
            record.outcome = {Reason::resigned, loser ^ 1};
    }
    return true;
}

Match::Choice Match::choose(const Player& player, Searcher* searcher, const Position& position,
                            std::mt19937_64& random, int number) {
    if (player.kind != PlayerKind::engine)
        return {simple_move(player.kind, position, player.limits.depth, random, &cancelled), 0};
    Watch watch;
    watch.stop = &cancelled;
    Handicap handicap = player.handicap;
    if (handicap.any()) // a new match or a new game, new errors
        handicap.seed =
            mix(mix(handicap.seed + config.seed) + static_cast<std::uint64_t>(number) + 1);
    const Result found = searcher->search(position, player.limits, handicap, watch);
    return {found.best, found.score};
}

} // namespace sumito
