// Vectorised environment.
#include "env/batch.hpp"

#include "env/planes.hpp"
#include "env/rewards.hpp"
#include "env/thread_pool.hpp"
#include "kernel/error.hpp"
#include "kernel/position.hpp"

#include <atomic>
#include <cstring>
#include <type_traits>

namespace sumito {

namespace {

// Positions since the last ejection, to count repetitions. A small Bloom filter answers for almost
// every new position without comparing it to the others.
template <Mode M>
class PositionHistory {
  public:
    void clear() {
        boards.clear();
        keys.clear();
        marks.fill(0);
    }
    void add(const Board<M>& board, Key key) {
        boards.push_back(board);
        keys.push_back(key);
        marks[key >> 58] |= Bits{1} << (key >> 52 & 63);
    }
    int count(const Board<M>& board, Key key) const {
        if (!(marks[key >> 58] >> (key >> 52 & 63) & 1)) return 0;
        int times = 0;
        for (std::size_t i = 0; i < keys.size(); ++i)
            times += keys[i] == key && boards[i].same_as(board);
        return times;
    }

    const std::vector<Board<M>>& all() const { return boards; }

  private:
    std::array<Bits, 64> marks{};
    std::vector<Key> keys;
    std::vector<Board<M>> boards;
};

// Serialisation of plain values.
class StateWriter {
  public:
    std::string bytes;

    template <class T>
    void put(const T& value) {
        static_assert(std::has_unique_object_representations_v<T>); // no padding
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
};

class StateReader {
  public:
    explicit StateReader(std::string_view bytes) : rest(bytes) {}

    template <class T>
    T take() {
        if (rest.size() < sizeof(T)) refuse();
        T value;
        std::memcpy(&value, rest.data(), sizeof value);
        rest.remove_prefix(sizeof value);
        return value;
    }
    void end() const {
        if (!rest.empty()) refuse();
    }
    [[noreturn]] static void refuse() { raise("the state is not of a batch with these options"); }

  private:
    std::string_view rest;
};

template <Mode M>
bool is_sound(const Board<M>& board) {
    Bits all = 0;
    for (const Bits marbles : board.marbles) {
        if (marbles & ~FULL || marbles & all) return false;
        all |= marbles;
    }
    return board.tally.turn() < colours(M);
}

template <Mode M>
class BatchOf final : public Batch {
  public:
    BatchOf(const BatchOptions& options, const BatchArrays& arrays, const Board<M>& start)
        : options(options), arrays(arrays), start(start), writer(options.disable_simd),
          pool(options.threads), planes(planes_of(M, options.history)),
          games(static_cast<std::size_t>(options.games)) {
        for (BatchGame& game : games)
            game.past.resize(static_cast<std::size_t>(options.history - 1));
    }

    void reset(const bool* marks) override {
        const std::lock_guard lock(mutex);
        pool.parallel_for(options.games, [&](int first, int end) {
            for (int i = first; i < end; ++i) {
                if (marks && !marks[i]) continue;
                start_game(games[i]);
                write_rewards(i, {});
                arrays.rewards[i] = 0;
                arrays.terminations[i] = arrays.truncations[i] = false;
                write_view(i, arrays.now);
            }
        });
    }

    std::optional<StepRefusal> step(const std::int64_t* actions) override {
        const std::lock_guard lock(mutex);
        if (const auto refused = resolve_actions(actions)) return refused;
        pool.parallel_for(options.games, [&](int first, int end) {
            for (int i = first; i < end; ++i) advance(i);
        });
        return std::nullopt;
    }

    void sample_actions(std::uint64_t seed, std::int64_t* actions) override {
        const std::lock_guard lock(mutex);
        pool.parallel_for(options.games, [&](int first, int end) {
            for (int i = first; i < end; ++i) {
                actions[i] = 0;
                if (games[i].is_over) continue;
                const LegalMoveSets sets = legal_move_sets(games[i].board, options.rules);
                const auto size = static_cast<Key>(count_moves(sets));
                const Key random = mix(mix((seed + static_cast<Key>(i)) * 0x9E3779B97F4A7C15ull) +
                                       0xBF58476D1CE4E5B9ull);
                actions[i] = nth_move(sets, static_cast<int>((random >> 32) * size >> 32));
            }
        });
    }

    std::string text(int game) const override {
        const std::lock_guard lock(mutex);
        return board_text(games[game].board);
    }

    AnySnapshot snapshot(int game) const override {
        const std::lock_guard lock(mutex);
        const BatchGame& stored = games[game];
        return GameSnapshot<M>{stored.board, stored.since_ejection.all(), stored.past,
                               stored.is_over};
    }

    std::string state() const override {
        const std::lock_guard lock(mutex);
        StateWriter to;
        to.put(signature());
        for (const BatchGame& game : games) {
            to.put(game.board);
            to.put(static_cast<std::int32_t>(game.repeats));
            to.put(static_cast<std::int32_t>(game.is_over));
            for (const auto& marbles : game.past) to.put(marbles);
            to.put(static_cast<std::uint32_t>(game.since_ejection.all().size()));
            for (const Board<M>& board : game.since_ejection.all()) to.put(board);
        }
        return to.bytes;
    }

    void restore(std::string_view state) override {
        StateReader from(state);
        if (from.take<Signature>() != signature()) StateReader::refuse();
        const auto take_board = [&] {
            const auto board = from.take<Board<M>>();
            if (!is_sound(board)) StateReader::refuse();
            return board;
        };
        std::vector<BatchGame> restored(games.size());
        for (BatchGame& game : restored) {
            game.board = take_board();
            game.key = key_of(game.board);
            game.repeats = from.take<std::int32_t>();
            game.is_over = from.take<std::int32_t>();
            game.past.resize(static_cast<std::size_t>(options.history - 1));
            for (auto& marbles : game.past) marbles = from.take<std::array<Bits, colours(M)>>();
            for (auto left = from.take<std::uint32_t>(); left > 0; --left) {
                const Board<M> board = take_board();
                game.since_ejection.add(board, key_of(board));
            }
        }
        from.end();
        const std::lock_guard lock(mutex);
        games = std::move(restored);
    }

    Mode mode() const override { return M; }
    const BatchOptions& settings() const override { return options; }
    std::uint32_t start_ply() const override { return start.tally.ply(); }

  private:
    // What must agree between a state and the batch that restores it.
    using Signature = std::array<std::uint32_t, 4>;
    Signature signature() const {
        constexpr std::uint32_t VERSION = 1;
        return {VERSION, static_cast<std::uint32_t>(M), static_cast<std::uint32_t>(options.games),
                static_cast<std::uint32_t>(options.history)};
    }

    struct BatchGame {
        Board<M> board;
        Key key;
        Action action;
        int repeats = 0;
        bool is_over = false;
        std::vector<std::array<Bits, colours(M)>> past; // the last position first
        PositionHistory<M> since_ejection;
    };

    const BatchOptions options;
    const BatchArrays arrays;
    const Board<M> start;
    const PlaneWriter writer;
    ThreadPool pool;
    const int planes;
    std::vector<BatchGame> games;
    mutable std::mutex mutex;

    void start_game(BatchGame& game) const {
        game.board = start;
        game.key = key_of(start);
        game.repeats = 0;
        game.is_over = false;
        game.since_ejection.clear();
        std::fill(game.past.begin(), game.past.end(), std::array<Bits, colours(M)>{});
    }

    // Resolves each game's action; returns the first game that refuses its action, if any.
    std::optional<StepRefusal> resolve_actions(const std::int64_t* actions) {
        std::atomic<int> bad = options.games;
        pool.parallel_for(options.games, [&](int first, int end) {
            for (int i = first; i < end; ++i) {
                BatchGame& game = games[i];
                if (game.is_over && options.autoreset == Autoreset::next_step) continue;
                const std::int64_t index = actions[i];
                game.action = index < 0 || index >= MOVES || game.is_over
                                  ? NO_ACTION
                                  : resolve(game.board, options.rules, static_cast<int>(index));
                if (game.action) continue;
                int known = bad.load();
                while (i < known && !bad.compare_exchange_weak(known, i)) {
                }
                return;
            }
        });
        if (bad == options.games) return std::nullopt;
        return StepRefusal{bad, games[bad].is_over};
    }

    void advance(int i) {
        BatchGame& game = games[i];
        arrays.terminations[i] = arrays.truncations[i] = false;
        if (game.is_over) { // the step that starts the next game
            start_game(game);
            write_rewards(i, {});
            arrays.rewards[i] = 0;
            return write_view(i, arrays.now);
        }
        const int side = game.board.side();
        play(game);
        const Outcome outcome =
            outcome_of(game.board, options.rules,
                       options.rules.repetition && game.repeats + 1 >= options.rules.repetition);
        std::array<float, sides(M)> rewards{};
        if (outcome) [[unlikely]]
            rewards = final_rewards(game.board, outcome);
        write_rewards(i, rewards);
        arrays.rewards[i] = rewards[side];
        arrays.terminations[i] = static_cast<bool>(outcome);
        arrays.truncations[i] = !outcome && played(game) >= options.ply_limit;
        game.is_over = arrays.terminations[i] || arrays.truncations[i];
        if (game.is_over && options.autoreset == Autoreset::same_step) [[unlikely]] {
            write_view(i, arrays.final);
            start_game(game);
        }
        write_view(i, arrays.now);
    }

    void play(BatchGame& game) const {
        if (!game.past.empty()) {
            std::move_backward(game.past.begin(), game.past.end() - 1, game.past.end());
            game.past.front() = game.board.marbles;
        }
        const bool counts = options.rules.repetition;
        if (counts) game.since_ejection.add(game.board, game.key);
        const bool ejects = game.action.ejects();
        game.board = sumito::play(game.board, game.action, options.rules);
        if (!counts) return;
        game.key = key_of(game.board);
        if (ejects) [[unlikely]]
            game.since_ejection.clear();
        game.repeats = game.since_ejection.count(game.board, game.key);
    }

    void write_rewards(int i, const std::array<float, sides(M)>& rewards) const {
        for (int c = 0; c < colours(M); ++c)
            arrays.rewards_by_colour[colours(M) * i + c] = rewards[side_of(M, c)];
    }

    std::uint32_t played(const BatchGame& game) const {
        return game.board.tally.ply() - start.tally.ply();
    }

    std::uint32_t plies_left(const BatchGame& game) const {
        return options.plies_left(game.board.tally.ply(), start.tally.ply());
    }

    void write_view(int i, const ViewArrays& to) const {
        const BatchGame& game = games[i];
        write_planes<M>(writer, game.board,
                        {options.history, game.past.data(), game.repeats, plies_left(game)},
                        to.observations + static_cast<std::size_t>(i) * planes * PLANE);
        std::uint8_t* const mask = to.masks + static_cast<std::size_t>(i) * MOVES;
        // A truncated game still has moves, for bootstrapping from its final position.
        if (game.is_over && arrays.terminations[i]) {
            std::memset(mask, 0, MOVES);
        } else {
            const LegalMoveSets sets = legal_move_sets(game.board, options.rules);
            writer.mask(sets, mask);
        }
        to.to_move[i] = static_cast<std::uint8_t>(game.board.turn());
        for (int s = 0; s < sides(M); ++s)
            to.captured[sides(M) * i + s] = static_cast<std::uint8_t>(game.board.tally.captured(s));
    }
};

} // namespace

std::unique_ptr<Batch> make_batch(const BatchOptions& options, const BatchArrays& arrays) {
    const Position position(options.start, options.rules);
    return std::visit(
        [&]<Mode M>(const Game<M>& game) -> std::unique_ptr<Batch> {
            return std::make_unique<BatchOf<M>>(options, arrays, game.board);
        },
        position.any);
}

} // namespace sumito
