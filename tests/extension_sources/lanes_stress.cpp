// Many calls of C++ operators through the three lanes, from two callers, some of them failing; with
// a sanitizer it says whether the threads share anything that they must not. No Python in here.
#include <cstdio>
#include <pthread.h>
#include <random>
#include <thread>

#include "operations.hpp"

namespace lanes {
static Lanes* the_lanes;
bool bridge_dispatch(int stage, const char* name, Task task, Failure* failure) noexcept {
  return the_lanes->dispatch(stage, name, task, failure);
}
void forget(PyObject*) noexcept {}
}  // namespace lanes

using namespace lanes;

// x -> x * 2 + 1 into a fresh Value; `fails` says in which stage it throws, or none.
struct Step {
  Value *x, *out = nullptr;
  int fails;
  ~Step() {
    release_value(x);
    release_value(out);
  }
};
using Steps = std::shared_ptr<Step>;

static void drop(void* context) { delete static_cast<Steps*>(context); }

static bool refuse(Failure* failure, const char* text) {
  failure->set(ms_ext::RUNTIME, text);
  return false;
}

static bool launch(void* context, Failure* failure) {
  Step& step = **static_cast<Steps*>(context);
  if (step.fails == 2) return refuse(failure, "launch");
  float *from = reinterpret_cast<float*>(place_of(step.x)), *to = reinterpret_cast<float*>(place_of(step.out));
  for (int64_t i = 0; i < step.x->elements(); ++i) to[i] = from[i] * 2 + 1;
  return true;
}

static bool device(void* context, Failure* failure) {
  Steps& step = *static_cast<Steps*>(context);
  if (step->fails == 1) return refuse(failure, "device");
  if (!allocate(step->out->buffer)) return refuse(failure, "memory");
  return the_lanes->dispatch(ms_ext::LAUNCH, "step", {new Steps(step), launch, drop}, failure);
}

static bool frontend(void* context, Failure* failure) {
  Steps& step = *static_cast<Steps*>(context);
  if (step->fails == 0) return refuse(failure, "frontend");
  if (!is_known(step->x) && !fill_in(step->x)) {
    current.inherits = static_cast<Call*>(step->x->call);
    return refuse(failure, "inherited");
  }
  step->out = make(43, step->x->axes, step->x->shape);
  if (!the_lanes->dispatch(ms_ext::DEVICE, "step", {new Steps(step), device, drop}, failure)) return false;
  return give(0, step->out, failure);
}

// The promise of a step on `x`; takes over a reference to it.
static Value* call(Value* x, int fails) {
  Call* made = new Call;
  Value* promise = new Value;
  Call* needed = static_cast<Call*>(x->call);
  made->name = "step";
  made->outputs = 1;
  belongs_to(promise, made);
  ++promise->references;
  made->promises.push_back(promise);
  if (needed && !needed->ended) {
    ++needed->references;
    made->needs.push_back(needed);
  }
  Value* operand = new Value;  // as a caster makes it
  operand->target = x;
  belongs_to(operand, needed);
  if (!needed) fill_in(operand);
  auto* step = new Steps(new Step{operand, nullptr, fails});
  long long mine = 0;
  Item item{Item::TASK, 0, "step", {step, frontend, drop}, made, nullptr};
  while (the_lanes->lane[0]->put(item, &the_lanes->issued, &mine, 1) == FULL) {
  }
  return promise;
}

static Value* start_value() {
  int64_t shape[] = {3};
  Value* x = make(43, 1, shape);
  allocate(x->buffer);
  for (int i = 0; i < 3; ++i) reinterpret_cast<float*>(place_of(x))[i] = 0;
  return x;
}

static int chain(int seed, int rounds) {
  std::mt19937 random(seed);
  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    Value* x = start_value();
    int length = 1 + random() % 20, broken = random() % 8 == 0 ? int(random() % length) : -1;
    float expected = 0;
    for (int i = 0; i < length; ++i) {
      x = call(x, i == broken ? int(random() % 3) : -1);
      expected = expected * 2 + 1;
    }
    Call* last = static_cast<Call*>(x->call);
    for (bool done = false; !done;) the_lanes->wait_for(2, last->number, 1, &done);
    bool failed = last->failed;
    if (failed != (broken >= 0)) ++wrong;
    if (!failed && fill_in(x))
      wrong += reinterpret_cast<float*>(place_of(x))[2] != expected;
    release_value(x);
  }
  return wrong;
}

int main(int count, char** words) {
  int rounds = count > 1 ? std::atoi(words[1]) : 300;
  the_lanes = new Lanes(8, 0);
  std::vector<std::thread> threads;
  for (int stage = 0; stage < STAGES; ++stage)
    threads.emplace_back([stage] {
      void* python = nullptr;
      while (the_lanes->take(stage, &python)) {
      }
      if (stage + 1 < STAGES) the_lanes->lane[stage + 1]->close(false);
    });
  int wrong[2];
  std::thread other([&] { wrong[1] = chain(2, rounds); });
  wrong[0] = chain(1, rounds);
  other.join();
  for (Call* failed : the_lanes->take_unseen()) release_call(failed);
  the_lanes->lane[0]->close(false);
  for (auto& thread : threads) thread.join();
  std::printf("wrong %d, calls %lld\n", wrong[0] + wrong[1], the_lanes->issued.load());
  delete the_lanes;
  return wrong[0] + wrong[1] != 0;
}
