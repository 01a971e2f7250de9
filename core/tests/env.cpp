// Vectorised environment and tree search, in arrays of exact size: scalar and SIMD writers agree,
// masks are the legal moves, and no byte is written out of bounds.
#include "env/planes.hpp"
#include "kernel/position.hpp"
#include "lab/mcts.hpp"
#include "tests/check.hpp"
#include "tests/start_positions.hpp"

#include <random>

using namespace sumito;

namespace {

constexpr int GAMES = 7;
constexpr int HISTORY = 2;

// A batch with its arrays.
struct Games {
    Mode mode;
    struct Rows {
        std::vector<std::uint8_t> observations, masks, to_move, captured;

        explicit Rows(Mode mode)
            : observations(GAMES * planes_of(mode, HISTORY) * PLANE), masks(GAMES * MOVES),
              to_move(GAMES), captured(GAMES * sides(mode)) {}
        ViewArrays views() {
            return {observations.data(), masks.data(), to_move.data(), captured.data()};
        }
        friend bool operator==(const Rows&, const Rows&) = default;
    };
    Rows now, last;
    std::vector<float> rewards, by_colour;
    std::array<bool, GAMES> ended{}, cut{};
    std::unique_ptr<Batch> batch;

    Games(const char* start, bool disable_simd, int threads)
        : mode(Position(start).mode()), now(mode), last(mode) {
        rewards.resize(GAMES);
        by_colour.resize(GAMES * colours(mode));
        BatchOptions options;
        options.start = start;
        options.rules.repetition = 3;
        options.rules.win_at = 2;
        options.games = GAMES;
        options.history = HISTORY;
        options.ply_limit = 90;
        options.threads = threads;
        options.disable_simd = disable_simd;
        batch = make_batch(options, {now.views(), last.views(), rewards.data(), by_colour.data(),
                                     ended.data(), cut.data()});
        batch->reset();
    }

    std::vector<int> legal(int game) const {
        std::vector<int> moves;
        for (int i = 0; i < MOVES; ++i)
            if (now.masks[game * MOVES + i]) moves.push_back(i);
        return moves;
    }
};

void scalar_and_simd_agree(const char* start) {
    Games wide(start, false, 3), plain(start, true, 1);
    std::array<std::int64_t, GAMES> actions{}, twins{};
    for (int step = 0; step < 200; ++step) {
        wide.batch->sample_actions(static_cast<std::uint64_t>(step), actions.data());
        plain.batch->sample_actions(static_cast<std::uint64_t>(step), twins.data());
        CHECK(actions == twins);
        CHECK(!wide.batch->step(actions.data()));
        CHECK(!plain.batch->step(twins.data()));
        CHECK(wide.now == plain.now);
        CHECK(wide.last == plain.last);
        CHECK(wide.by_colour == plain.by_colour);
        CHECK(wide.ended == plain.ended && wide.cut == plain.cut);
        CHECK(wide.legal(step % GAMES) == Position(wide.batch->text(step % GAMES)).legal());
    }
}

void illegal_actions_change_nothing(const char* start) {
    Games games(start, false, 2);
    std::array<std::int64_t, GAMES> actions{};
    games.batch->sample_actions(1, actions.data());
    const auto before = games.now;
    for (const std::int64_t nonsense :
         {std::int64_t{-1}, std::int64_t{MOVES}, INT64_MAX, INT64_MIN}) {
        auto bad = actions;
        bad[4] = bad[5] = nonsense;
        const auto refused = games.batch->step(bad.data());
        CHECK(refused && refused->game == 4 && !refused->is_over);
        CHECK(games.now == before);
    }
    CHECK(!games.batch->step(actions.data()));
}

void tree_search_spends_all_simulations(const char* start) {
    Games games(start, false, 1);
    MctsOptions options;
    options.simulations = 40;
    options.max_considered = 5;
    const auto search = make_mcts(*games.batch, options);
    const std::size_t planes = planes_of(games.mode, HISTORY) * PLANE;
    std::vector<std::uint8_t> seen(GAMES * 5 * planes), masks(GAMES * 5 * MOVES);
    std::vector<std::int32_t> visits(GAMES * MOVES);
    std::mt19937 random(1);
    for (int move = 0; move < 30; ++move) {
        search->begin();
        while (const int leaves = search->gather(seen.data(), masks.data())) {
            CHECK(leaves <= GAMES * 5);
            std::vector<float> logits(static_cast<std::size_t>(leaves) * MOVES);
            std::vector<float> values(static_cast<std::size_t>(leaves) * sides(games.mode));
            for (float& value : logits) value = static_cast<float>(random() % 100) / 20;
            for (float& value : values) value = static_cast<float>(random() % 200) / 100 - 1;
            search->evaluate(logits.data(), values.data());
        }
        search->visits(visits.data());
        std::array<std::int64_t, GAMES> actions{};
        for (int game = 0; game < GAMES; ++game) {
            int total = 0;
            for (int i = 0; i < MOVES; ++i) {
                const int times = visits[game * MOVES + i];
                total += times;
                if (times > visits[game * MOVES + actions[game]]) actions[game] = i;
            }
            CHECK_EQUAL(total, 40);
        }
        CHECK(!games.batch->step(actions.data()));
    }
}

// A batch restored from another's state continues like it.
void restored_state_continues(const char* start) {
    Games games(start, false, 2), twin(start, false, 1);
    std::array<std::int64_t, GAMES> actions{};
    for (int step = 0; step < 120; ++step) {
        if (step % 17 == 0) twin.batch->restore(games.batch->state());
        games.batch->sample_actions(static_cast<std::uint64_t>(step), actions.data());
        CHECK(!games.batch->step(actions.data()));
        CHECK(!twin.batch->step(actions.data()));
        CHECK(games.now == twin.now);
    }
    const std::string state = games.batch->state();
    for (std::string bad : {std::string(), state.substr(0, state.size() - 1), state + '.',
                            std::string(state.size(), '\xFF')}) {
        bool refused = false;
        try {
            twin.batch->restore(bad);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
        CHECK(twin.batch->state() == state);
    }
}

} // namespace

int main() {
    for (const char* start : {start_positions::STANDARD, start_positions::THREE,
                              start_positions::TEAMS, start_positions::TEAMS_DOUBLE}) {
        scalar_and_simd_agree(start);
        illegal_actions_change_nothing(start);
        tree_search_spends_all_simulations(start);
        restored_state_continues(start);
    }
    return failures != 0;
}
