// The match runner.
#include "lab/match.hpp"

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

} // namespace

Match::Match(MatchConfig given) : config(std::move(given)) {
    if (config.openings.empty()) throw std::invalid_argument("a match needs an opening");
    const Mode mode = Position(config.openings[0], config.rules).mode();
    for (const std::string& text : config.openings)
        if (Position(text, config.rules).mode() != mode)
            throw std::invalid_argument("the openings of a match have one mode");
    running = std::max(1, config.concurrency);
    for (int i = 0; i < running; ++i) threads.emplace_back([this] { work(); });
}

Match::~Match() {
    cancel();
    wait();
}

void Match::wait() {
    for (std::thread& thread : threads)
        if (thread.joinable()) thread.join();
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

void Match::work() {
    std::array<std::unique_ptr<Searcher>, 2> searchers;
    for (int i = 0; i < 2; ++i) {
        const Player& player = config.players[i];
        if (player.kind != PlayerKind::engine) continue;
        searchers[i] = std::make_unique<Searcher>(player.threads, player.hash_mb);
        searchers[i]->tuning = player.tuning;
    }
    for (int number; !cancelled && (number = next_game++) < config.games;) {
        GameRecord record;
        if (!play_game(number, searchers, record)) break;
        const std::lock_guard lock(guard);
        finished.push_back(std::move(record));
    }
    --running;
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
    while (!(record.outcome = position.outcome())) {
        if (cancelled) return false;
        const int seat = record.seats[side_of(mode, position.turn())];
        const auto start = std::chrono::steady_clock::now();
        const int move =
            choose(config.players[seat], searchers[seat].get(), position, random, number);
        const auto spent = std::chrono::steady_clock::now() - start;
        record.slowest_ms = std::max<std::int64_t>(
            record.slowest_ms,
            std::chrono::duration_cast<std::chrono::milliseconds>(spent).count());
        play(move);
    }
    return true;
}

int Match::choose(const Player& player, Searcher* searcher, const Position& position,
                  std::mt19937_64& random, int number) {
    if (player.kind != PlayerKind::engine)
        return simple_move(player.kind, position, player.limits.depth, random);
    Handicap handicap = player.handicap;
    if (handicap.any()) // a new game, new errors
        handicap.seed = mix(handicap.seed + static_cast<std::uint64_t>(number) + 1);
    return searcher->search(position, player.limits, handicap).best;
}

} // namespace sumito
