// Thread pool for data-parallel loops, reused from call to call.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace sumito {

class ThreadPool {
  public:
    explicit ThreadPool(int size) : size(size) {
        try {
            for (int part = 1; part < size; ++part)
                threads.emplace_back([this, part] { run_worker(part); });
        } catch (...) {
            stop();
            throw;
        }
    }
    ~ThreadPool() { stop(); }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    // Calls work(first, end) for equal parts of 0 … total, the first of them in this thread. The
    // first exception of a part is rethrown once all parts are done.
    void parallel_for(int total, const std::function<void(int, int)>& work) {
        if (size == 1) return work(0, total);
        {
            const std::lock_guard lock(mutex);
            task = [&work, total, this](int part) {
                work(share(total, part), share(total, part + 1));
            };
            busy = size - 1;
            ++round;
        }
        begin.notify_all();
        run_part(0);
        std::unique_lock lock(mutex);
        done.wait(lock, [this] { return busy == 0; });
        task = nullptr;
        if (error) std::rethrow_exception(std::exchange(error, nullptr));
    }

  private:
    const int size;
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::condition_variable begin, done;
    std::function<void(int)> task;
    std::exception_ptr error;
    std::uint64_t round = 0;
    int busy = 0;
    bool stopping = false;

    int share(int total, int part) const {
        return static_cast<int>(static_cast<long long>(total) * part / size);
    }

    void stop() {
        {
            const std::lock_guard lock(mutex);
            stopping = true;
        }
        begin.notify_all();
        for (std::thread& thread : threads) thread.join();
    }

    void run_part(int part) {
        try {
            task(part);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!error) error = std::current_exception();
        }
    }

    void run_worker(int part) {
        for (std::uint64_t seen = 0;;) {
            {
                std::unique_lock lock(mutex);
                begin.wait(lock, [&] { return stopping || round != seen; });
                if (stopping) return;
                seen = round;
            }
            run_part(part);
            const std::lock_guard lock(mutex);
            if (--busy == 0) done.notify_one();
        }
    }
};

} // namespace sumito
