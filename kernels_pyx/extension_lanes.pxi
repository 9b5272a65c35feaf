# A pipeline's lanes as ms_ext.engine.stages sees them: queues, progress, records, failures.

cdef extern from "Python.h":
    int PyErr_CheckSignals() except -1

cdef enum:
    TASK, END, PYTHON           # Item.what
    FULL = 0                    # what `put` says

cdef double PATIENCE = 0.05     # seconds of sleep after which Ctrl-C is looked for
STAGES = ("FrontendTask", "DeviceTask", "LaunchTask")
# Records' kinds beyond the three stages.
cdef enum:
    OF_PYTASK = 3
    OF_STALL = 4
_KINDS = (*STAGES, "PyTask", "stall")
cdef dict _names = {}           # address of an interned C string -> str

cdef object name_of(const char* name):
    found = _names.get(<size_t>name)
    if found is None:
        found = _names[<size_t>name] = (<bytes>name).decode("utf-8", "replace")
    return found


cdef class Lanes:
    """Three lanes of at most ``capacity`` items; numbers go on from ``issued``.

    ``begin()`` is called before the first C++ call: it starts the threads.
    """

    cdef CLanes* it
    cdef object begin
    cdef readonly dict queues, progress
    cdef readonly list places   # (number, code object, instruction) of calls, while watching

    def __cinit__(self, size_t capacity, long long issued, begin):
        self.it = new CLanes(capacity, issued)  # never deleted: a thread may still be inside
        self.begin = begin
        self.queues, self.progress, self.places = {}, {}, []
        for stage in range(3):
            self.queues[STAGES[stage]] = Queue(self, stage)
            self.progress[STAGES[stage]] = Progress(self, stage)

    def use(self):
        """From now on C++ calls go through these lanes."""
        run_these(self.it)
        launched_by(raw_count(&self.it.progress[2].reached))
        global _lanes
        _lanes = self

    @property
    def issued(self):
        """How many calls were made, also those of earlier pipelines."""
        return self.it.issued.load()

    def submit(self, task):
        """Number a task of Python and put it into the first lane."""
        (<Queue>self.queues[STAGES[0]]).put(task)

    def pass_by(self):
        """The number of a call that its caller runs himself, while nothing else is in flight."""
        cdef long long number = next_number(self.it)
        for stage in range(3):
            self.it.progress[stage].reach(number)
        return number

    def watch(self, on):
        """Keep a record of each stage of C++ calls from now on, or no more."""
        self.it.watch(on)

    def take_records(self):
        """[(kind, name, start, end, thread, number, ...)] since the last time."""
        cdef vector[CRecord] found = self.it.take_records()
        return [(_KINDS[found[i].kind], name_of(found[i].name), found[i].start, found[i].end,
                 found[i].thread, (found[i].numbers[0], found[i].numbers[1]))
                for i in range(found.size())]

    def work_here(self):
        """This thread is a stage: what it calls runs on it at once."""
        become_a_lane()

    def take_unseen(self):
        """The failures of C++ calls that nobody has been told about: [Failed]."""
        cdef vector[CCall*] found
        if not self.it.any_unseen():
            return []
        found = self.it.take_unseen()
        return [failed(found[i]) for i in range(found.size())]


_lanes = None                   # those in use


cdef extern from *:
    """
    static inline long long next_number(lanes::Lanes* all) { return ++all->issued; }
    """
    long long next_number(CLanes*)


cdef class Queue:
    """One lane: Python's tasks come out of ``take``, C++ tasks are run inside it."""

    cdef Lanes lanes
    cdef CLanes* all
    cdef int stage
    cdef readonly str name

    def __cinit__(self, Lanes lanes, int stage):
        self.lanes, self.all, self.stage, self.name = lanes, lanes.it, stage, STAGES[stage]

    def put(self, task):
        """Append a task; wait while the lane is full. The first lane numbers it."""
        cdef Item item
        cdef long long mine = 0
        cdef AtomicLong* counter = &self.all.issued if self.stage == 0 else NULL
        item.what, item.stage, item.python = PYTHON, self.stage, <void*>task
        Py_INCREF(task)
        if not put_item(self.all, self.stage, item, counter, &mine):
            Py_DECREF(task)
        elif counter != NULL:
            task.number = mine

    def take(self):
        """Python's oldest task; None once the lane is closed and empty."""
        cdef void* found = NULL
        cdef cbool any_left
        with nogil:
            any_left = self.all.take(self.stage, &found)
        if not any_left:
            return None
        task = <object>found
        Py_DECREF(task)
        return task

    def close(self, discard=False):
        """Let the lane run out of items, at once with ``discard``; nobody waits here any more."""
        cdef cbool at_once = discard
        cdef vector[Item] left
        if at_once:
            self.all.abandoned.store(True)
        with nogil:
            left = lane_of(self.all, self.stage).close(at_once)
        for i in range(left.size()):
            if left[i].what == PYTHON:
                Py_DECREF(<object>left[i].python)
            else:
                self.all.throw_away(left[i])

    def __len__(self):
        return lane_of(self.all, self.stage).length()


cdef bint put_item(CLanes* all, int stage, Item& item, AtomicLong* counter,
                   long long* mine) except -1:
    """Append an item, sleeping while there is no room; whether the lane is open."""
    cdef int put = lane_of(all, stage).put(item, counter, mine, 0)
    cdef long long begin
    if put == FULL:
        begin = now()
        while put == FULL:
            with nogil:
                put = lane_of(all, stage).put(item, counter, mine, PATIENCE)
            if put == FULL:
                PyErr_CheckSignals()
        if all.watching.load():
            all.note(OF_STALL, "", begin, now(), mine[0], stage, 0)
    return put == 1


cdef class Progress:
    """How far a stage has come: calls are numbered and finish in order."""

    cdef Lanes lanes
    cdef CLanes* all
    cdef int stage

    def __cinit__(self, Lanes lanes, int stage):
        self.lanes, self.all, self.stage = lanes, lanes.it, stage

    @property
    def reached(self):
        """The number of the last call that is done."""
        return self.all.progress[self.stage].reached.load()

    def reach(self, long long number):
        """Everything up to call ``number`` is done."""
        self.all.progress[self.stage].reach(number)

    def wait(self, long long number, seconds=None):
        """Sleep until call ``number`` is done, or the time is over; whether it is done."""
        cdef double left = -1 if seconds is None else seconds, nap
        empty_trash()
        while True:
            nap = PATIENCE if left < 0 else min(left, PATIENCE)
            if wait_once(self.all, self.stage, number, nap):
                return True
            PyErr_CheckSignals()
            if left >= 0:
                left -= nap
                if left <= 0:
                    return self.all.progress[self.stage].reached.load() >= number


cdef bint wait_once(CLanes* all, int stage, long long number, double seconds) noexcept:
    cdef cbool done = False
    with nogil:
        all.wait_for(stage, number, seconds, &done)
    return done


cdef class Failed:
    """A C++ call that failed: what was thrown in which stage, and where the learner called it."""

    cdef readonly long long number
    cdef readonly int kind
    cdef readonly str stage, name, text
    cdef readonly object place

cdef Failed failed(CCall* call):
    cdef Failed it = Failed()
    it.number, it.kind, it.stage, it.name = call.number, call.failure.kind, STAGES[call.stage], name_of(call.name)
    it.text = (<bytes>call.failure.text).decode("utf-8", "replace") if call.failure.text else ""
    it.place = (<object>call.code, call.instruction) if call.code != NULL else None
    if not call.failed.load():
        it.kind, it.text = 0, "The call was interrupted before it was finished."
    return it


cdef bint never_ends(CCall* call) noexcept:
    """Whether the call's lanes were given up while it was on its way."""
    return call.abandoned != NULL and call.abandoned.load() and not call.ended.load()
