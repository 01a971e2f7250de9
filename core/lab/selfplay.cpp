// Self-play games.
#include "lab/selfplay.hpp"

#include "lab/players.hpp"

#include <span>

namespace sumito {

namespace {

template <Mode M>
Sample sample_of(const Board<M>& board) {
    Sample sample{};
    for (int c = board.turn(), k = 0; k < Board<M>::COLOURS; ++k, c = next_colour(M, c))
        sample.marbles[k] = board.marbles[c];
    for (int k = 0; k < Board<M>::SIDES; ++k)
        sample.captured[k] =
            static_cast<std::uint8_t>(board.tally.captured((board.side() + k) % Board<M>::SIDES));
    sample.scores.fill(Sample::NO_SCORE);
    sample.ply = static_cast<std::uint16_t>(std::min<std::uint32_t>(board.tally.ply(), 65535));
    sample.mode = static_cast<std::uint8_t>(M);
    sample.turn = static_cast<std::uint8_t>(board.turn());
    sample.quiet = static_cast<std::uint8_t>(std::min<std::uint32_t>(board.tally.quiet(), 255));
    return sample;
}

// In `three`, copies the scores of the two others from the samples of their next turns.
void share_scores(std::span<Sample> game) {
    for (std::size_t i = 0; i < game.size(); ++i)
        for (std::size_t k = 1; k < 3 && i + k < game.size(); ++k)
            if (game[i + k].ply == game[i].ply + k &&
                game[i + k].turn == (game[i].turn + static_cast<int>(k)) % 3)
                game[i].scores[k] = game[i + k].scores[0];
}

class SelfplayGame {
  public:
    // A searcher per side, so that neither uses the other's table.
    using Searchers = std::array<std::unique_ptr<Searcher>, 3>;

    SelfplayGame(const SelfplayConfig& config, Searchers& searchers, const SearchMonitor& monitor,
                 std::uint64_t number)
        : config(config), searchers(searchers), monitor(monitor),
          random(mix(config.seed * 0x9E3779B97F4A7C15ull + number)), position(choose_opening()) {
        limits.nodes = config.nodes;
        if (with_probability(config.random_side_permille)) {
            random_side =
                static_cast<int>(random() % static_cast<unsigned>(sides(position.mode())));
            random_side_rate = 250 + static_cast<int>(random() % 751);
        }
    }

    // Returns false if stopped before the end of the game.
    bool play(std::vector<Sample>& samples) {
        const std::size_t begin = samples.size();
        std::size_t labelled_from = begin; // the first sample after the last random move
        int winner = NOBODY;
        int plies_on = 0; // to the end of the game, if a search has proven it
        while (!is_over(winner)) {
            const Result found = searchers[side()]->search(position, limits, {}, monitor);
            if (is_stopped()) return false;
            if (is_proven(found.score) && random_side == NOBODY) {
                winner = found.score > 0 ? side() : side() ^ 1;
                plies_on = WIN - std::abs(found.score);
                break;
            }
            add_sample(found, samples);
            const bool plays_random = this->plays_random();
            if (plays_random) {
                share(samples, labelled_from);
                labelled_from = samples.size();
            }
            position.push(plays_random ? random_move(position, random) : found.best);
        }
        share(samples, labelled_from);
        const bool at_ply_limit = winner != NOBODY && static_cast<int>(position.ply()) + plies_on >=
                                                          config.rules.ply_limit;
        // Where one side played at random, the result does not follow from the positions.
        if (random_side != NOBODY) labelled_from = samples.size();
        label(std::span(samples).subspan(begin), labelled_from - begin, winner, at_ply_limit);
        return true;
    }

  private:
    const SelfplayConfig& config;
    Searchers& searchers;
    const SearchMonitor& monitor;
    std::mt19937_64 random;
    Limits limits;
    Position position;
    int random_side = NOBODY; // a side that plays moves at random
    int random_side_rate = 0;

    bool with_probability(int per_mille) {
        return random() % 1000 < static_cast<std::uint64_t>(per_mille);
    }

    bool plays_random() {
        if (side() == random_side) return with_probability(random_side_rate);
        return with_probability(config.random_permille) &&
               position.ply() < static_cast<std::uint32_t>(config.random_until_ply);
    }

    // Short searches never poll the monitor, so the game does after each.
    bool is_stopped() const {
        return (monitor.stop && monitor.stop->is_set()) ||
               (monitor.should_continue && !monitor.should_continue());
    }

    // Whether the result is proven. Such games are not played to the end, unless one side plays at
    // random: those are for learning to finish. In `three` a loss does not determine the winner.
    bool is_proven(int score) const {
        return position.mode() == Mode::three ? score > PROVEN : std::abs(score) > PROVEN;
    }

    void share(std::vector<Sample>& samples, std::size_t from) const {
        if (position.mode() == Mode::three) share_scores(std::span(samples).subspan(from));
    }

    void label(std::span<Sample> game, std::size_t labelled_from, int winner,
               bool at_ply_limit) const {
        const int sides = sumito::sides(position.mode());
        if (!game.empty()) game[0].flags |= Sample::FIRST;
        for (std::size_t i = 0; i < game.size(); ++i) {
            const int mover = side_of(position.mode(), game[i].turn);
            game[i].winner = static_cast<std::int8_t>(
                winner == NOBODY ? NOBODY : (winner - mover + sides) % sides);
            if (i < labelled_from) game[i].flags |= Sample::BEFORE_RANDOM;
            if (at_ply_limit) game[i].flags |= Sample::AT_PLY_LIMIT;
        }
    }

    int side() const { return side_of(position.mode(), position.turn()); }

    bool is_over(int& winner) const {
        const Outcome outcome = position.outcome();
        winner = outcome.winner;
        return static_cast<bool>(outcome);
    }

    void add_sample(const Result& found, std::vector<Sample>& samples) {
        const Sample made = std::visit(
            [&](const auto& game) {
                Sample sample = sample_of(game.board);
                if (game.resolve(found.best).ejects()) sample.flags |= Sample::EJECTS;
                return sample;
            },
            position.any);
        samples.push_back(made);
        samples.back().scores[0] = static_cast<std::int16_t>(std::clamp(found.score, -WIN, WIN));
    }

    // A layout after some random plies, with a score that leaves the game open.
    Position choose_opening() {
        Limits limits_of_check;
        limits_of_check.nodes = config.nodes;
        for (;;) {
            for (auto& searcher : searchers) searcher->clear();
            Position start(config.openings[random() % config.openings.size()], config.rules);
            const int span = config.max_random_plies - config.min_random_plies + 1;
            const int plies = config.min_random_plies + static_cast<int>(random() % span);
            for (int i = 0; i < plies && !start.outcome(); ++i)
                start.push(random_move(start, random));
            if (start.outcome()) continue;
            if (std::abs(searchers[0]->search(start, limits_of_check).score) <=
                config.max_opening_score)
                return start;
        }
    }
};

} // namespace

std::vector<Sample> play_games(const SelfplayConfig& config, const SearchMonitor& monitor) {
    if (config.openings.empty()) throw std::invalid_argument("self-play needs an opening");
    if (!config.rules.ply_limit) throw std::invalid_argument("self-play needs a ply limit");
    if (config.min_random_plies < 0 || config.max_random_plies < config.min_random_plies)
        throw std::invalid_argument("random plies are a smaller and a larger number");
    SelfplayGame::Searchers searchers;
    for (auto& searcher : searchers) {
        searcher = std::make_unique<Searcher>(1, config.hash_mb);
        searcher->tuning = config.tuning;
    }
    std::vector<Sample> samples;
    for (int i = 0; i < config.games; ++i) {
        SelfplayGame game(config, searchers, monitor, config.first + static_cast<std::uint64_t>(i));
        const std::size_t begin = samples.size();
        if (!game.play(samples)) {
            samples.resize(begin);
            break;
        }
    }
    return samples;
}

} // namespace sumito
