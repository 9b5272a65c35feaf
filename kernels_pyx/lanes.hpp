// The queues in front of the three stage threads, and what travels through them; no Python in here.
// A call that Python made is an item that its lane hands out; a call of a C++ operator is run here,
// without the GIL. The readable form of the queues is ms_ext/engine/stages/queue.py.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "ms_extension/bridge.h"

namespace lanes {

using ms_ext::Failure;
using ms_ext::Task;
using ms_ext::Value;

constexpr int STAGES = 3;
constexpr auto DOZE = std::chrono::microseconds(60);
constexpr size_t AHEAD = 16;  // the caller may be so many times further ahead: there is no memory yet
constexpr int DOZES = 16;  // short sleeps before a reader falls asleep, and has to be woken

inline long long now() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch()).count();
}

// One call of a C++ operator.
struct Call {
  std::atomic<long> references{1};
  long long number = 0;
  const char* name = "";
  int outputs = 0;
  std::vector<Value*> promises;
  std::vector<Call*> needs;        // calls whose results it reads
  std::atomic<bool> ended{false}, failed{false};
  bool inherited = false;          // its failure is that of an earlier call
  int stage = 0;                   // where it failed
  Failure failure;
  std::atomic<bool>* abandoned = nullptr;  // whether its lanes were given up
  PyObject* code = nullptr;        // the learner's line: code object and instruction
  int instruction = 0;
};

// What a lane holds. TASK: run it in `stage`, hand it on before that. END: its call is over here.
struct Item {
  enum : int { TASK, END, PYTHON };
  int what = TASK;
  int stage = 0;
  const char* name = "";
  Task task{};
  Call* call = nullptr;
  void* python = nullptr;
};

// One record for who watches; `kind` indexes EVENTS of extension.pyx.
struct Record {
  int kind;
  const char* name;
  long long start, end;
  unsigned long thread;
  long long numbers[3];
};

// Which call this thread is working on, and where.
struct Current {
  Call* call = nullptr;
  int stage = -1;
  bool at_once = false;            // all stages on this thread
  Value** results = nullptr;       // where promises go then
  Call* inherits = nullptr;        // the failed call whose result was asked for
};
inline thread_local Current current;
inline thread_local bool lane_thread = false;  // whether this thread is one of the stages
inline bool in_a_lane() noexcept { return lane_thread; }

enum Put : int { FULL, DONE, CLOSED };

class Lane {
 public:
  explicit Lane(size_t capacity, std::atomic<int>* hurry) : ring_(capacity), hurry_(hurry) {}

  // Append, after at most so many seconds of waiting for room; `number`, if given, counts the calls.
  Put put(const Item& item, std::atomic<long long>* number, long long* mine, double seconds) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (count_ == ring_.size() && !closed_ && seconds > 0) {
      ++writing_;
      room_.wait_for(lock, std::chrono::duration<double>(seconds),
                     [&] { return closed_ || count_ < ring_.size(); });
      --writing_;
    }
    if (closed_) return CLOSED;
    if (count_ == ring_.size()) return FULL;
    append(item, number, mine);
    return DONE;
  }
  // The oldest item; false once the lane is closed and empty.
  bool take(Item* item) {
    std::unique_lock<std::mutex> lock(mutex_);
    for (int dozed = 0; count_ == 0 && !closed_;) {
      reader_ = dozed < DOZES ? DOZING : ASLEEP;
      if (reader_ == ASLEEP) wake_.wait(lock);
      else wake_.wait_for(lock, DOZE);
      ++dozed;
    }
    reader_ = AWAKE;
    if (count_ == 0) return false;
    *item = ring_[first_];
    first_ = (first_ + 1) % ring_.size();
    --count_;
    if (writing_) room_.notify_one();
    return true;
  }
  // No more items; with `discard` those inside are handed back.
  std::vector<Item> close(bool discard) {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Item> left;
    closed_ = true;
    for (; discard && count_; --count_, first_ = (first_ + 1) % ring_.size())
      left.push_back(ring_[first_]);
    wake_.notify_all();
    room_.notify_all();
    return left;
  }
  // Somebody waits for results: no dozing.
  void rouse() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (count_ && reader_ != AWAKE) wake_.notify_one();
  }
  size_t length() {
    std::lock_guard<std::mutex> lock(mutex_);
    return count_;
  }

 private:
  void append(const Item& item, std::atomic<long long>* number, long long* mine) {
    if (number) {
      *mine = ++*number;
      if (item.call) item.call->number = *mine;
    }
    ring_[(first_ + count_++) % ring_.size()] = item;
    if (reader_ == ASLEEP || (reader_ == DOZING && hurry_->load(std::memory_order_relaxed)))
      wake_.notify_one();
  }

  std::vector<Item> ring_;
  size_t first_ = 0, count_ = 0;
  int writing_ = 0;
  bool closed_ = false;
  enum { AWAKE, DOZING, ASLEEP } reader_ = AWAKE;
  std::atomic<int>* hurry_;
  std::mutex mutex_;
  std::condition_variable wake_, room_;
};

// How far a stage has come: calls are numbered and finish in order.
class Progress {
 public:
  std::atomic<long long> reached{0};

  void reach(long long number) {
    long long before = reached.load();
    while (before < number && !reached.compare_exchange_weak(before, number)) {
    }
    if (waiting_.load()) {
      std::lock_guard<std::mutex> lock(mutex_);
      come_.notify_all();
    }
  }
  bool wait(long long number, double seconds) {
    if (reached.load() >= number) return true;
    std::unique_lock<std::mutex> lock(mutex_);
    ++waiting_;
    bool done = come_.wait_for(lock, std::chrono::duration<double>(seconds),
                               [&] { return reached.load() >= number; });
    --waiting_;
    return done;
  }

 private:
  std::atomic<int> waiting_{0};
  std::mutex mutex_;
  std::condition_variable come_;
};

void release_call(Call* call) noexcept;       // values.hpp
void release_value(Value* value) noexcept;

// After FrontendTask nobody gives results any more; a promise owns its call, but not for ever.
inline void let_go_of_promises(Call* call) noexcept {
  for (Value* promise : call->promises) release_value(promise);
  call->promises.clear();
}

// The three lanes of one pipeline.
class Lanes {
 public:
  std::atomic<long long> issued{0};
  std::atomic<int> hurry{0};
  std::atomic<bool> watching{false}, abandoned{false};  // abandoned: what is left never ends
  std::unique_ptr<Lane> lane[STAGES];
  Progress progress[STAGES];

  Lanes(size_t capacity, long long so_far) : issued(so_far) {
    for (int i = 0; i < STAGES; ++i) {
      lane[i].reset(new Lane(i ? capacity : capacity * AHEAD, &hurry));
      progress[i].reached = so_far;
    }
  }

  bool idle() const { return progress[LAST].reached.load() >= issued.load(); }

  // The life of a stage: work on what is C++, until Python has to do something (or it is over).
  bool take(int stage, void** python) {
    Item item;
    while (lane[stage]->take(&item)) {
      if (item.what == Item::PYTHON) {
        *python = item.python;
        return true;
      }
      perform(stage, item);
    }
    return false;
  }

  void wait_for(int stage, long long number, double seconds, bool* done) {
    if ((*done = progress[stage].reached.load() >= number)) return;
    ++hurry;
    for (auto& each : lane) each->rouse();
    *done = progress[stage].wait(number, seconds);
    --hurry;
  }

  // Run a task now, on this thread; its context is dropped.
  bool run(int stage, const char* name, Task task, Failure* failure) {
    int outer = current.stage;
    current.stage = stage;
    long long begin = watching ? now() : 0;
    bool fine = task.run(task.context, failure);
    if (begin) note(stage, name, begin, now(), current.call->number);
    current.stage = outer;
    task.drop(task.context);
    return fine;
  }

  // Something to do in `stage`, said by code that runs in an earlier one.
  bool dispatch(int stage, const char* name, Task task, Failure* failure) {
    Current& here = current;
    if (here.at_once || here.stage >= stage) return run(stage, name, task, failure);
    ++here.call->references;
    send(here.stage + 1, Item{Item::TASK, stage, name, task, here.call, nullptr});
    return true;
  }

  // The same outside of any call, while nothing is in flight: at once.
  bool run_alone(int stage, const char* name, Task task, Failure* failure) {
    Call* call = new Call;
    call->name = name;
    current = Current{call, stage, true, nullptr, nullptr};
    bool fine = run(stage, name, task, failure);
    current = Current{};
    release_call(call);
    return fine;
  }

  // What will never be done: its call fails, its context is dropped.
  void throw_away(const Item& item) {
    if (item.what == Item::PYTHON) return;
    if (item.what == Item::TASK) item.task.drop(item.task.context);
    if (!item.call->failed && !item.call->ended) {
      Failure failure;
      failure.set(ms_ext::RUNTIME, "the call was interrupted before it was finished");
      item.call->inherited = true;  // whoever interrupted it knows
      fail(item.call, 0, failure);
    }
    if (item.what == Item::TASK && item.stage == 0) let_go_of_promises(item.call);
    release_call(item.call);
  }

  // What a FrontendTask that ran on its caller's thread leaves to the others.
  void finish_here(Call* call) {
    let_go_of_promises(call);
    progress[0].reach(call->number);
    send(1, Item{Item::END, 0, call->name, {}, call, nullptr});
  }

  void fail(Call* call, int stage, const Failure& failure) {
    std::lock_guard<std::mutex> lock(mutex_);
    call->failure = failure;
    call->stage = stage;
    if (!call->inherited) {
      ++call->references;
      unseen_.push_back(call);
    }
    call->failed = true;
  }
  // The failures that nobody has been told about; the caller owns them now.
  std::vector<Call*> take_unseen() {
    std::lock_guard<std::mutex> lock(mutex_);
    return std::move(unseen_);
  }
  bool any_unseen() {
    std::lock_guard<std::mutex> lock(mutex_);
    return !unseen_.empty();
  }

  void note(int kind, const char* name, long long start, long long end, long long a,
            long long b = 0, long long c = 0);
  // Keep records from now on, or no more.
  void watch(bool on) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (on) records_.reserve(ROOM);
    watching = on;
  }
  std::vector<Record> take_records() {
    std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Record> found(records_);
    records_.clear();  // its room stays
    return found;
  }

 private:
  static constexpr int LAST = STAGES - 1;
  static constexpr size_t ROOM = 1 << 17;  // records that need no further memory

  void send(int stage, const Item& item, std::atomic<long long>* number = nullptr,
            long long* mine = nullptr) {
    Put put = FULL;
    while (put == FULL) put = lane[stage]->put(item, number, mine, 3600);
    if (put == CLOSED) throw_away(item);
  }

  void perform(int stage, const Item& item) {
    if (item.what == Item::END) return end(stage, item);
    if (item.stage > stage) return send(stage + 1, item);
    Call* call = item.call;
    for (Call* needed : call->needs)
      if (needed->failed && !call->failed) inherit(call, needed, stage);
    if (!call->failed) {
      Failure failure;
      current = Current{call, stage, false, nullptr, nullptr};
      bool fine = run(stage, item.name, item.task, &failure);
      Call* inherits = current.inherits;
      current = Current{};
      if (!fine && inherits) inherit(call, inherits, stage);
      if (!fine && !inherits) fail(call, stage, failure);
      else std::free(fine ? nullptr : failure.text);
    } else {
      item.task.drop(item.task.context);
    }
    if (stage == 0) let_go_of_promises(call);
    if (stage == 0) return end(stage, Item{Item::END, 0, item.name, {}, call, nullptr});
    release_call(call);
  }

  void inherit(Call* call, Call* from, int stage) {
    Failure same;
    same.set(from->failure.kind, from->failure.text ? from->failure.text : "");
    call->inherited = true;
    fail(call, stage, same);
  }

  void end(int stage, const Item& item) {
    Call* call = item.call;
    if (stage == LAST) {
      call->ended = true;
      for (Call* needed : call->needs) release_call(needed);
      call->needs.clear();
    }
    long long number = call->number;
    if (stage == LAST) release_call(call);
    progress[stage].reach(number);
    if (stage < LAST) send(stage + 1, item);
  }

  std::mutex mutex_;
  std::vector<Call*> unseen_;
  std::vector<Record> records_;
};

inline void Lanes::note(int kind, const char* name, long long start, long long end, long long a,
                        long long b, long long c) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (records_.size() < (1u << 20))
    records_.push_back(Record{kind, name, start, end, (unsigned long)pthread_self(), {a, b, c}});
}

}  // namespace lanes
