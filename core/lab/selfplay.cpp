// Games of the engine against itself.
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

// In `three` the two others say what they think of a position at their own next turns.
void share_scores(std::span<Sample> game) {
    for (std::size_t i = 0; i < game.size(); ++i)
        for (std::size_t k = 1; k < 3 && i + k < game.size(); ++k)
            if (game[i + k].ply == game[i].ply + k &&
                game[i + k].turn == (game[i].turn + static_cast<int>(k)) % 3)
                game[i].scores[k] = game[i + k].scores[0];
}

class SelfplayGame {
  public:
    // A searcher for each side, so that neither finds the other's thoughts in its table.
    using Searchers = std::array<std::unique_ptr<Searcher>, 3>;

    SelfplayGame(const SelfplayConfig& config, Searchers& searchers, const Watch& watch,
                 std::uint64_t number)
        : config(config), searchers(searchers), watch(watch),
          random(mix(config.seed * 0x9E3779B97F4A7C15ull + number)), position(open()) {
        limits.nodes = config.nodes;
        if (draw(config.uneven)) {
            careless = static_cast<int>(random() % static_cast<unsigned>(sides(position.mode())));
            carelessness = 250 + static_cast<int>(random() % 751);
        }
    }

    // False if it was stopped before the game was over.
    bool play(std::vector<Sample>& samples) {
        const std::size_t begin = samples.size();
        std::size_t settled = begin; // the first sample after the last random move
        int winner = NOBODY;
        int plies_on = 0; // from here to the end, where a search has seen it
        while (!over(winner)) {
            const Result found = searchers[side()]->search(position, limits, {}, watch);
            if (is_stopped()) return false;
            if (proven(found.score) && careless == NOBODY) {
                winner = found.score > 0 ? side() : side() ^ 1;
                plies_on = WIN - std::abs(found.score);
                break;
            }
            note(found, samples);
            const bool strays = this->strays();
            if (strays) {
                share(samples, settled);
                settled = samples.size();
            }
            position.push(strays ? random_move(position, random) : found.best);
        }
        share(samples, settled);
        const bool counted = winner != NOBODY &&
                             static_cast<int>(position.ply()) + plies_on >= config.rules.ply_limit;
        // Where one side played at random, the end tells of that and not of the positions.
        if (careless != NOBODY) settled = samples.size();
        label(std::span(samples).subspan(begin), settled - begin, winner, counted);
        return true;
    }

  private:
    const SelfplayConfig& config;
    Searchers& searchers;
    const Watch& watch;
    std::mt19937_64 random;
    Limits limits;
    Position position;
    int careless = NOBODY; // a side that plays so many of a thousand moves at random
    int carelessness = 0;

    bool draw(int per_mille) { return random() % 1000 < static_cast<std::uint64_t>(per_mille); }

    bool strays() {
        if (side() == careless) return draw(carelessness);
        return draw(config.stray) &&
               position.ply() < static_cast<std::uint32_t>(config.stray_until);
    }

    // Short searches never ask who watches, so the game does after each.
    bool is_stopped() const {
        return (watch.stop && watch.stop->is_set()) || (watch.goes_on && !watch.goes_on());
    }

    // The end is certain: no need to see it, but where one side is careless, since how a won game
    // is brought to its end is what such games tell of. Among three a loss doesn't say who wins.
    bool proven(int score) const {
        return position.mode() == Mode::three ? score > SURE : std::abs(score) > SURE;
    }

    void share(std::vector<Sample>& samples, std::size_t from) const {
        if (position.mode() == Mode::three) share_scores(std::span(samples).subspan(from));
    }

    void label(std::span<Sample> game, std::size_t settled, int winner, bool counted) const {
        const int sides = sumito::sides(position.mode());
        if (!game.empty()) game[0].flags |= Sample::FIRST;
        for (std::size_t i = 0; i < game.size(); ++i) {
            const int mover = side_of(position.mode(), game[i].turn);
            game[i].winner = static_cast<std::int8_t>(
                winner == NOBODY ? NOBODY : (winner - mover + sides) % sides);
            if (i < settled) game[i].flags |= Sample::STRAYED;
            if (counted) game[i].flags |= Sample::COUNTED;
        }
    }

    int side() const { return side_of(position.mode(), position.turn()); }

    bool over(int& winner) const {
        const Outcome outcome = position.outcome();
        winner = outcome.winner;
        return static_cast<bool>(outcome);
    }

    void note(const Result& found, std::vector<Sample>& samples) {
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

    // A layout and some random plies that leave the game open.
    Position open() {
        Limits glance;
        glance.nodes = config.nodes;
        for (;;) {
            for (auto& searcher : searchers) searcher->clear();
            Position start(config.openings[random() % config.openings.size()], config.rules);
            const int span = config.most_plies - config.fewest_plies + 1;
            const int plies = config.fewest_plies + static_cast<int>(random() % span);
            for (int i = 0; i < plies && !start.outcome(); ++i)
                start.push(random_move(start, random));
            if (start.outcome()) continue;
            if (std::abs(searchers[0]->search(start, glance).score) <= config.dubious) return start;
        }
    }
};

} // namespace

std::vector<Sample> play_games(const SelfplayConfig& config, const Watch& watch) {
    if (config.openings.empty()) throw std::invalid_argument("self-play needs an opening");
    if (!config.rules.ply_limit) throw std::invalid_argument("self-play needs a ply limit");
    if (config.fewest_plies < 0 || config.most_plies < config.fewest_plies)
        throw std::invalid_argument("random plies are a smaller and a larger number");
    SelfplayGame::Searchers searchers;
    for (auto& searcher : searchers) {
        searcher = std::make_unique<Searcher>(1, config.hash_mb);
        searcher->tuning = config.tuning;
    }
    std::vector<Sample> samples;
    for (int i = 0; i < config.games; ++i) {
        SelfplayGame game(config, searchers, watch, config.first + static_cast<std::uint64_t>(i));
        const std::size_t begin = samples.size();
        if (!game.play(samples)) {
            samples.resize(begin);
            break;
        }
    }
    return samples;
}

} // namespace sumito
