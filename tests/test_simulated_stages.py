"""The model of the four stages: exact, against a clock of the tests' own and against formulas."""

import itertools
import random
from fractions import Fraction

import numpy as np
import pytest
from stage_event_loop import EventLoop, drawn

from ms_ext.engine import errors
from ms_ext.engine.stages import STAGES
from ms_ext.runtime import StageCall, StageSync, StageWork, simulate_stages


def agree(program, capacity, caught=False):
    """The model and the clock tell the same story of a program."""
    found = simulate_stages(program, capacity, caught=caught)
    loop = EventLoop(program, capacity, caught).run()
    assert {tuple(each) for each in found.slices} == loop.slices
    assert [tuple(each) for each in found.syncs] == loop.syncs
    assert {call: (lost.stage, lost.cause) for call, lost in found.lost.items()} == loop.lost
    assert found.makespan == loop.makespan
    for stage in STAGES[1:]:
        settled = dict(loop.queued)
        lengths = dict(found.queue(stage))
        times = sorted(lengths)
        for time in settled:
            before = [t for t in times if t <= time]
            assert lengths[before[-1]] == settled[time][stage]
    return found


def gapless(found):
    """The critical path leads from 0 to the makespan without a gap."""
    ends = [0, *(step.end for step in found.path)]
    assert [step.start for step in found.path] == ends[:-1] and ends[-1] == found.makespan
    assert {tuple(step[:4]) for step in found.path} <= {
        (each.stage, each.call, each.start, each.end) for each in found.slices
    }


# against a clock ------------------------------------------------------------------------------


@pytest.mark.parametrize("tens", range(40))
def test_random_programs_run_as_the_clock_says(tens):
    for seed in range(10 * tens, 10 * tens + 10):
        gapless(agree(*drawn(seed)))


@pytest.mark.parametrize("caught", [False, True])
@pytest.mark.parametrize("tens", range(40))
def test_random_failures_come_out_where_the_clock_says(tens, caught):
    for seed in range(10 * tens, 10 * tens + 10):
        gapless(agree(*drawn(seed, failing=True), caught))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_long_random_programs_run_as_the_clock_says(seed):
    for part in range(50):
        gapless(agree(*drawn(1_000 + 100 * seed + part, most=60, failing=part % 2 == 1), True))


# against formulas -----------------------------------------------------------------------------


@pytest.mark.parametrize("capacity", [0, 1, 2, 64, None])
@pytest.mark.parametrize("times", [(1, 2, 1, 4), (5, 1, 1, 1), (3, 3, 3, 3), (0, 7, 2, 0)])
def test_of_equal_calls_one_leaves_every_slowest_stage(times, capacity):
    """Fill and drain once, then the slowest stage for each further call; no queue changes that."""
    for calls in range(1, 9):
        found = simulate_stages([times] * calls, capacity)
        assert found.makespan == sum(times) + (calls - 1) * max(times)
        assert found.serial == calls * sum(times)


def paths(calls):
    """Every way through calls and stages that never goes back: first to last call of each stage."""
    for bends in itertools.combinations_with_replacement(range(calls), len(STAGES) - 1):
        yield list(zip((0, *bends), (*bends, calls - 1), strict=True))


@pytest.mark.parametrize("seed", range(30))
def test_without_a_limit_the_makespan_is_the_longest_way_through_the_table(seed):
    rng = random.Random(seed)
    table = [[rng.randint(0, 9) for _ in STAGES] for _ in range(rng.randint(1, 6))]
    ways = (
        sum(table[call][lane] for lane, (a, b) in enumerate(way) for call in range(a, b + 1))
        for way in paths(len(table))
    )
    assert simulate_stages(table, None).makespan == max(ways)


@pytest.mark.parametrize("seed", range(30))
def test_without_queues_two_stages_go_in_step(seed):
    rng = random.Random(seed)
    table = [(rng.randint(0, 9), rng.randint(0, 9)) for _ in range(6)]
    makespan = table[0][0] + table[-1][1]
    makespan += sum(max(b[0], a[1]) for a, b in itertools.pairwise(table))
    assert simulate_stages([(p, f, 0, 0) for p, f in table], 0).makespan == makespan


@pytest.mark.parametrize("sync", ["data", "synchronize", "event"])
def test_a_sync_behind_every_call_leaves_nothing_to_overlap(sync):
    program = [(1, 2, 1, 4), StageSync(sync)] * 5
    assert simulate_stages(program).makespan == simulate_stages(program, blocking=True).makespan
    assert simulate_stages(program).makespan == 5 * 8


def test_a_shape_waits_for_the_frontendtask_of_its_call_alone():
    program = [(1, 2, 1, 4), StageSync("shape")] * 5
    found = simulate_stages(program)
    assert found.makespan == 8 + 4 * 4  # LaunchTask is still the slowest
    assert [sync.end - sync.start for sync in found.syncs] == [2] * 5


def test_a_full_queue_holds_the_caller_back_at_the_call_that_does_not_fit():
    found = simulate_stages([(1, 0, 0, 10)] * 6, capacity=2)
    held = [
        (stall.call, stall.start, stall.end) for stall in found.stalls if stall.stage == "PyTask"
    ]
    assert held == []
    found = simulate_stages([(1, 0, 0, 10)] * 12, capacity=2)
    # three queues of two and a call in each stage: nine fit
    first = next(stall for stall in found.stalls if stall.stage == "PyTask")
    assert (first.call, first.start, first.end, first.full) == (10, 10, 11, "FrontendTask")
    assert found.longest_queue("LaunchTask") == 2 and found.waited == sum(
        stall.end - stall.start for stall in found.stalls if stall.stage == "PyTask"
    )


@pytest.mark.parametrize("seed", range(40))
def test_room_never_costs_time_and_neither_does_a_faster_stage(seed):
    program, _ = drawn(seed)
    ends = [simulate_stages(program, capacity).makespan for capacity in (0, 1, 2, 3, None)]
    assert ends == sorted(ends, reverse=True)
    faster = [
        step._replace(launch=max(step.launch - 1, 0)) if isinstance(step, StageCall) else step
        for step in program
    ]
    assert simulate_stages(faster, 1).makespan <= ends[1]


@pytest.mark.parametrize("factor", [3, Fraction(1, 7)])
def test_another_unit_is_the_same_schedule(factor):
    program, capacity = drawn(11, most=20)
    found = simulate_stages(program, capacity)
    scaled = [
        StageCall(*(t * factor for t in step.times), needs=step.needs)
        if isinstance(step, StageCall)
        else StageWork(step.time * factor)
        if isinstance(step, StageWork)
        else step
        for step in program
    ]
    assert simulate_stages(scaled, capacity).makespan == found.makespan * factor


def test_a_hundred_thousand_calls_are_no_matter():
    found = simulate_stages([(1, 2, 1, 4)] * 100_000, capacity=8)
    assert found.makespan == 8 + 99_999 * 4 and len(found.path) == 100_003
    assert found.longest_queue("LaunchTask") == 8


# errors ---------------------------------------------------------------------------------------

FAILING = StageCall(1, 1, 1, 1, fails="LaunchTask")
GOOD = (1, 1, 1, 1)


def raised(*program, **options):
    """Which sync raised which call's error; 0 for none."""
    return [sync.raised for sync in simulate_stages(program, caught=True, **options).syncs]


def test_the_table_of_the_tests_of_the_stages():
    """As tests/test_stage_errors.py observes the pipeline itself."""
    shape, data, unrelated = StageSync("shape", 1), StageSync("data", 1), StageSync("data", 2)
    front = StageCall(1, 1, 1, 1, fails="FrontendTask")
    assert raised(FAILING, shape, data, data) == [0, 1, 1]
    assert raised(front, shape, data, data) == [1, 1, 1]
    for each in (FAILING, front):
        assert raised(each, GOOD, unrelated, unrelated, StageSync("synchronize")) == [1, 0, 0]
        assert raised(each, StageSync("synchronize"), StageSync("synchronize"), data) == [1, 0, 1]
        assert raised(each, data, StageSync("synchronize")) == [1, 0]


def test_what_depends_on_a_failed_call_fails_with_its_error():
    found = simulate_stages([FAILING, StageCall(1, 1, 1, 1, needs=(1,)), StageSync()])
    assert found.lost[2].cause == 1 and found.syncs[0].raised == 1
    assert found.span(2, "DeviceTask") == (3, 4) and found.span(2, "LaunchTask") is None


def test_an_error_ends_the_program_unless_it_is_caught():
    program = [FAILING, StageSync(), StageWork(100), GOOD]
    assert simulate_stages(program).makespan == 4
    assert simulate_stages(program, caught=True).makespan == 4 + 100 + 4


def test_in_blocking_mode_and_in_pytask_the_call_itself_raises():
    for options, stage in (({"blocking": True}, "LaunchTask"), ({}, "PyTask")):
        found = simulate_stages([FAILING._replace(fails=stage), GOOD], **options)
        assert [lost.call for lost in found.raised] == [1] and len(found.calls) == 1
        with pytest.raises(errors.InvalidValue, match="raised at the call itself"):
            simulate_stages([FAILING._replace(fails=stage), StageSync()], caught=True, **options)


# what is asked for ----------------------------------------------------------------------------


def test_times_of_numpy_and_fractions_are_exact():
    found = simulate_stages([(np.int64(1), Fraction(1, 3), Fraction(4, 2), 0)])
    assert found.makespan == Fraction(10, 3) and type(found.slices[2].end) is Fraction
    assert found.at(Fraction(10, 9)) == dict.fromkeys(STAGES, 0) | {"FrontendTask": 1}


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ([(1, 0.1, 1, 1)], "floats round"),
        ([(1, -1, 1, 1)], "0 or more"),
        ([(1, 2, 3)], "a StageCall"),
        ([StageCall(1, 1, 1, 1, needs=(1,))], "does not come before it"),
        ([(1, 1, 1, 1), StageSync("asnumpy")], "asnumpy, print and float need 'data'"),
        ([StageCall(1, 1, 1, 1, fails="Launch")], "LaunchTask"),
        (7, "A program is a list"),
        ("data", "A program is a list"),
    ],
)
def test_what_is_no_program_says_what_one_is(program, words):
    with pytest.raises(errors.MsExtError, match=words):
        simulate_stages(program)


@pytest.mark.parametrize("capacity", [-1, 1.0, True])
def test_a_queue_holds_a_whole_number_of_calls(capacity):
    with pytest.raises(errors.InvalidValue, match="whole number of calls"):
        simulate_stages([GOOD], capacity)


def test_questions_about_stages_that_are_none():
    found = simulate_stages([GOOD])
    with pytest.raises(errors.InvalidValue, match="no stage 'Launch'"):
        found.of("Launch")
    with pytest.raises(errors.InvalidValue, match="No queue is in front of PyTask"):
        found.queue("PyTask")


def test_nothing_at_all():
    found = simulate_stages([StageSync(), StageSync("shape")])
    assert (found.makespan, found.why()) == (0, "Nothing took any time.")
    assert found.utilisation("PyTask") == 0 and "0 calls in 0" in repr(found)


def test_the_words_name_the_path(golden):
    program = [(1, 2, 1, 4)] * 2 + [StageSync("shape"), StageWork(9)]
    program += [StageCall(1, 1, 1, 1, fails="LaunchTask"), StageCall(1, 1, 1, 1, needs=(3,))]
    program += [StageSync()]
    text = "\n\n".join(
        map(str, (simulate_stages(program), simulate_stages([(1, 2, 3, 9), (9, 2, 3, 1)] * 8, 1)))
    )
    golden("timeline/simulated.txt", text + "\n")
