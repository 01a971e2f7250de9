// Many games between two players inside one process: openings in pairs with seats exchanged,
// several games at a time, progress to be asked for, cancellable.
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
    int random_plies = 0; // played first, the same for all games of an opening's turn
    int concurrency = 1;
    std::uint64_t seed = 1;
    int resign = 0; // who both think stands so badly for three moves each gives up; 0 for never
};

struct GameRecord {
    std::string start;
    std::vector<int> moves; // random ones included
    std::vector<int> seats; // which player sits at each side
    Outcome outcome;
    std::int64_t slowest_ms = 0; // the longest thought of either

    // Of the first player: a point for a win, half for a draw.
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
    // Begins to play; std::invalid_argument if that can't be done.
    explicit Match(MatchConfig config);
    ~Match(); // cancels what is left
    Match(const Match&) = delete;
    Match& operator=(const Match&) = delete;

    // Ends the games that are being played, searches included; they don't count.
    void cancel() { cancelled.set(); }
    // From any number of threads. Whatever a game's thread threw is thrown here.
    void wait() {
        while (!wait_for(std::chrono::hours(1))) {
        }
    }
    // Whether all is over by then.
    bool wait_for(std::chrono::milliseconds time);
    bool done() const;
    Score score() const; // of the first player
    std::vector<GameRecord>
    games(std::size_t from = 0) const; // finished ones, in order of finishing

  private:
    MatchConfig config;
    std::vector<std::thread> threads;
    Stop cancelled;
    std::atomic<int> next_game{0};
    mutable std::mutex guard; // of what follows
    std::condition_variable ended;
    int running = 0;
    std::exception_ptr error;
    std::vector<GameRecord> finished;

    void check() const;
    void start();
    void join();
    void work();
    void play_games();
    bool play_game(int number, std::array<std::unique_ptr<Searcher>, 2>& searchers,
                   GameRecord& record);
    struct Choice {
        int move;
        int score; // of the one who moves; nought where nobody looked
    };
    Choice choose(const Player& player, Searcher* searcher, const Position& position,
                  std::mt19937_64& random, int number);
};

} // namespace sumito
