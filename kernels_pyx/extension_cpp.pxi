# What lanes.hpp, values.hpp and operations.hpp declare; references that any thread may drop.

cdef extern from *:
    """
    #include <pthread.h>
    #include "operations.hpp"

    // References to Python objects that were dropped by a thread without the GIL.
    namespace lanes {
    static std::mutex trash_mutex;
    static std::vector<PyObject*> trash;
    static std::atomic<size_t> trash_size{0};
    static std::atomic<Lanes*> running{nullptr};

    void forget(PyObject* object) noexcept {
      if (Py_IsInitialized() && PyGILState_Check()) {
        Py_DECREF(object);
        return;
      }
      std::lock_guard<std::mutex> lock(trash_mutex);
      trash.push_back(object);
      trash_size = trash.size();
    }
    // With the GIL.
    static inline void empty_trash() {
      if (!trash_size.load(std::memory_order_relaxed)) return;
      std::vector<PyObject*> found;
      {
        std::lock_guard<std::mutex> lock(trash_mutex);
        found.swap(trash);
        trash_size = 0;
      }
      for (PyObject* object : found) Py_DECREF(object);
    }
    static inline Current take_current() { Current was = current; current = Current{}; return was; }
    static inline void become_a_lane() { lane_thread = true; }
    static inline bool in_a_call() { return current.call != nullptr; }
    static inline void enter_call(Call* call, bool at_once, Value** results) {
      current = Current{call, 0, at_once, results, nullptr};
    }
    static inline PyObject* frame_code(int* instruction) {
      PyFrameObject* frame = PyEval_GetFrame();  // borrowed
      if (!frame) return nullptr;
      *instruction = PyFrame_GetLasti(frame);
      return reinterpret_cast<PyObject*>(PyFrame_GetCode(frame));
    }
    }
    """
    pass

cdef extern from "ms_extension/bridge.h" namespace "ms_ext" nogil:
    cdef cppclass Failure:
        int kind
        char* text
        void set(int, const char*)

    cdef cppclass Atomic "std::atomic<char*>":
        char* load()
        void store(char*)

    cdef cppclass AtomicValue "std::atomic<ms_ext::Value*>":
        Value* load()
        void store(Value*)

    cdef cppclass Count "std::atomic<long>":
        long load()

    cdef cppclass Buffer:
        Count references
        Atomic data
        size_t size
        PyObject* owner

    cdef cppclass Value:
        Count references
        AtomicValue target
        Buffer* buffer
        void* call
        PyObject* tensor
        cbool constant
        int type, axes
        int64_t* shape
        int64_t* stride
        int64_t offset
        int64_t elements()
        cbool contiguous()

    cdef cppclass Task:
        void* context
        cbool (*run)(void*, Failure*) noexcept nogil
        void (*drop)(void*) noexcept nogil

    cdef cppclass Argument:
        int kind
        Value* value
        int64_t integer
        double real
        const char* text
        const int64_t* integers
        size_t count
        PyObject* object

    ctypedef cbool (*backward_t)(void*, Value**, int, Value**, int, Failure*) noexcept

cdef extern from "operations.hpp" namespace "lanes" nogil:
    cdef cppclass AtomicLong "std::atomic<long long>":
        long long load()

    cdef cppclass AtomicBool "std::atomic<bool>":
        cbool load()
        void store(cbool)

    cdef cppclass CCall "lanes::Call":
        Count references
        long long number
        const char* name
        int outputs
        vector[Value*] promises
        vector[CCall*] needs
        AtomicBool ended, failed
        AtomicBool* abandoned
        cbool inherited
        int stage
        Failure failure
        PyObject* code
        int instruction

    cdef cppclass Item:
        int what, stage
        const char* name
        Task task
        CCall* call
        void* python

    cdef cppclass CRecord "lanes::Record":
        int kind
        const char* name
        long long start, end
        unsigned long thread
        long long* numbers

    cdef cppclass Current:
        CCall* call
        int stage
        cbool at_once

    cdef cppclass CLane "lanes::Lane":
        int put(Item&, AtomicLong*, long long*, double)
        vector[Item] close(cbool)
        size_t length()

    cdef cppclass CProgress "lanes::Progress":
        AtomicLong reached
        void reach(long long)
        cbool wait(long long, double)

    cdef cppclass CLanes "lanes::Lanes":
        AtomicLong issued
        AtomicBool watching, abandoned
        CProgress* progress
        CLanes(size_t, long long)
        cbool idle()
        cbool take(int, void**)
        void wait_for(int, long long, double, cbool*)
        cbool dispatch(int, const char*, Task, Failure*)
        void finish_here(CCall*)
        void throw_away(Item&)
        cbool run(int, const char*, Task, Failure*)
        cbool any_unseen()
        vector[CCall*] take_unseen()
        vector[CRecord] take_records()
        void watch(cbool)
        void note(int, const char*, long long, long long, long long, long long, long long)

    Current current
    Current take_current()
    cbool in_a_call()
    cbool in_a_lane()
    void become_a_lane()
    void enter_call(CCall*, cbool, Value**)
    void release_value(Value*) noexcept
    void release_buffer(Buffer*) noexcept
    void release_call(CCall*) noexcept
    void belongs_to(Value*, CCall*) noexcept
    Value* make(int, int, const int64_t*)
    Value* view_of(const Value*)
    Value* new_value "new ms_ext::Value" ()
    Buffer* new_buffer "new ms_ext::Buffer" ()
    CCall* new_call "new lanes::Call" ()
    cbool fill_in(Value*)
    cbool allocate(Buffer*)
    int size_of(int)
    Value* operate(const char*, Value**, int, const int64_t*, int, Failure*) noexcept
    long long now()

cdef extern from * namespace "lanes":
    void empty_trash()
    void forget(PyObject*) noexcept
    PyObject* frame_code(int*)

cdef extern from * nogil:
    """
    static inline void retain(ms_ext::Value* value) { ++value->references; }
    static inline void retain_call(lanes::Call* call) { ++call->references; }
    static inline lanes::Lane* lane_of(lanes::Lanes* all, int stage) { return all->lane[stage].get(); }
    static inline void run_these(lanes::Lanes* all) { lanes::running = all; }
    static inline long long* raw_count(std::atomic<long long>* count) {
      return reinterpret_cast<long long*>(count);
    }
    """
    void retain(Value*)
    void retain_call(CCall*)
    CLane* lane_of(CLanes*, int)
    void run_these(CLanes*)
    long long* raw_count(AtomicLong*)
