// Match runner: games between two players in one process, in pairs of openings with seats
// exchanged, several at a time, cancellable.
#pragma once

#include "lab/players.hpp"
#include "search/searcher.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

namespace sumito {

struct Player {
    PlayerKind kind = PlayerKind::engine;
    Limits limits; // of each move; `depth` also of alpha_beta
    Handicap handicap;
    Tuning tuning;
    std::size_t hash_mb = 8;
    int threads = 1;
};

struct MatchConfig {
    std::array<Player, 2> players;
    std::vector<std::string> openings; // position texts
    Rules rules;
    int games = 100;
    int random_plies = 0; // played first, the same for all games of a round
    int concurrency = 1;
    std::uint64_t seed = 1;
    int resign = 0; // score that ends a game if both agree on it for three moves each; 0 for never
};

struct GameRecord {
    std::string start;
    std::vector<int> moves; // random ones included
    std::vector<int> seats; // which player sits at each side
    Outcome outcome;
    std::int64_t slowest_ms = 0; // the slowest move of either player

    // Of the first player: 1 for a win, 0.5 for a draw.
    double points() const {
        return outcome.winner == NOBODY ? 0.5
                                        : seats[static_cast<std::size_t>(outcome.winner)] == 0;
    }
};

struct Score {
    int wins = 0;
    int draws = 0;
    int losses = 0;
    int games() const { return wins + draws + losses; }
};

class Match {
  public:
    // Starts to play; throws std::invalid_argument for an impossible config.
    explicit Match(MatchConfig config);
    ~Match(); // cancels unfinished games
    Match(const Match&) = delete;
    Match& operator=(const Match&) = delete;

    // Stops running games and their searches; they are not counted.
    void cancel() { cancelled.set(); }
    // May be called by several threads. Rethrows an exception of a game's thread.
    void wait() {
        while (!wait_for(std::chrono::hours(1))) {
        }
    }
    // Waits at most that long; returns whether all games are over.
    bool wait_for(std::chrono::milliseconds time);
    bool done() const;
    Score score() const; // of the first player
    std::vector<GameRecord>
    games(std::size_t from = 0) const; // finished ones, in the order they finished

  private:
    MatchConfig config;
    std::vector<std::thread> threads;
    Stop cancelled;
    std::atomic<int> next_game{0};
    mutable std::mutex mutex; // of what follows
    std::condition_variable ended;
    int running = 0;
    std::exception_ptr error;
    std::vector<GameRecord> finished;

    void check() const;
    void start();
    void join();
    void run_worker();
    void play_games();
    bool play_game(int number, std::array<std::unique_ptr<Searcher>, 2>& searchers,
                   GameRecord& record);
    struct Choice {
        int move;
        int score; // for the mover; 0 for players without a search
    };
    Choice choose(const Player& player, Searcher* searcher, const Position& position,
                  std::mt19937_64& random, int number);
};

} // namespace sumito
