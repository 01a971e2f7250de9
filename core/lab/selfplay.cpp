// Games of the engine against itself.
#include "lab/selfplay.hpp"

#include "lab/players.hpp"

namespace sumito {

namespace {

template <Mode M>
Sample sample_of(const Board<M>& board) {
    const int side = board.side();
    Sample sample{};
    for (int c = 0; c < Board<M>::COLOURS; ++c)
        (side_of(M, c) == side ? sample.own : sample.opposing) |= board.marbles[c];
    const int theirs = Board<M>::SIDES == 2 ? board.tally.captured(side ^ 1) : 0;
    sample.captured = static_cast<std::uint8_t>(board.tally.captured(side) | theirs << 4);
    sample.ply = static_cast<std::uint16_t>(std::min<std::uint32_t>(board.tally.ply(), 65535));
    sample.quiet = static_cast<std::uint8_t>(std::min<std::uint32_t>(board.tally.quiet(), 255));
    return sample;
}

class SelfplayGame {
  public:
    SelfplayGame(const SelfplayConfig& config, Searcher& searcher, std::uint64_t number)
        : config(config), searcher(searcher),
          random(mix(config.seed * 0x9E3779B97F4A7C15ull + number)), position(open()) {
        limits.nodes = config.nodes;
    }

    // False if it was stopped before the game was over.
    bool play(const std::atomic<bool>& stop, std::vector<Sample>& samples) {
        const std::size_t begin = samples.size();
        int winner = NOBODY;
        while (!over(winner)) {
            if (stop) return false;
            const Result found = searcher.search(position, limits);
            if (std::abs(found.score) > SURE) { // the end is proven: no need to see it
                winner = found.score > 0 ? side() : side() ^ 1;
                break;
            }
            note(found, samples);
            const bool strays = random() % 1000 < static_cast<std::uint64_t>(config.stray);
            position.push(strays ? random_move(position, random) : found.best);
        }
        if (samples.size() > begin) samples[begin].flags |= Sample::FIRST;
        for (std::size_t i = begin; i < samples.size(); ++i)
            samples[i].end = winner == NOBODY             ? Sample::End::drawn
                             : sides[i - begin] == winner ? Sample::End::won
                                                          : Sample::End::lost;
        return true;
    }

  private:
    const SelfplayConfig& config;
    Searcher& searcher;
    std::mt19937_64 random;
    Limits limits;
    std::vector<int> sides; // who was to move in each sample
    Position position;

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
        samples.back().score = static_cast<std::int16_t>(found.score);
        sides.push_back(side());
    }

    // A layout and some random plies that leave the game open.
    Position open() {
        Limits glance;
        glance.nodes = config.nodes;
        for (;;) {
            searcher.clear();
            Position start(config.openings[random() % config.openings.size()], config.rules);
            const int span = config.most_plies - config.fewest_plies + 1;
            const int plies = config.fewest_plies + static_cast<int>(random() % span);
            for (int i = 0; i < plies && !start.outcome(); ++i)
                start.push(random_move(start, random));
            if (start.outcome()) continue;
            if (std::abs(searcher.search(start, glance).score) <= config.dubious) return start;
        }
    }
};

} // namespace

std::vector<Sample> play_games(const SelfplayConfig& config, const std::atomic<bool>& stop) {
    if (config.openings.empty()) throw std::invalid_argument("self-play needs an opening");
    if (!config.rules.ply_limit) throw std::invalid_argument("self-play needs a ply limit");
    if (config.fewest_plies < 0 || config.most_plies < config.fewest_plies)
        throw std::invalid_argument("random plies are a smaller and a larger number");
    Searcher searcher(1, config.hash_mb);
    searcher.tuning = config.tuning;
    std::vector<Sample> samples;
    for (int i = 0; i < config.games; ++i) {
        SelfplayGame game(config, searcher, config.first + static_cast<std::uint64_t>(i));
        const std::size_t begin = samples.size();
        if (!game.play(stop, samples)) {
            samples.resize(begin);
            break;
        }
    }
    return samples;
}

} // namespace sumito
