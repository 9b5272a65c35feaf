/* The tile machine: a list of instructions applied to one tile of elements after the other.

   A tile is eight vectors, a0..a7, the accumulator. An instruction is a function that changes them
   and jumps to the next one with all eight still in registers (a call in tail position, vectors
   passed as the ABI passes them). So a chain of operations loads one other operand each and stores
   nothing in between. An instruction names operands by their place in the pointer table p: inputs,
   outputs, constants (a tile filled with one number), slots (tiles that keep a value for later);
   p[0] is scratch.

   Included twice by fused.h: REAL float with INT int32_t, REAL double with INT int64_t. Truth
   values are masks as wide as a lane: all bits set, or none. Nothing is contracted to an FMA: the
   results of + - * / and sqrt are those of NumPy, bit for bit. */

#define V NAME(V)
#define M NAME(M)
#define INSTRUCTION NAME(instruction)

typedef REAL V __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(REAL)), may_alias));
typedef INT M __attribute__((vector_size(VECTOR_BYTES), aligned(sizeof(INT)), may_alias));
typedef void (*INSTRUCTION)(V, V, V, V, V, V, V, V, const Step*, char**);

static inline M NAME(choose)(M mask, M yes, M no) { return (yes & mask) | (no & ~mask); }

static inline V NAME(root)(V a) {
#if defined(ROOT)
    return (V)ROOT(a);
#else
    for (unsigned i = 0; i < VECTOR_BYTES / sizeof(REAL); i++) a[i] = sqrt(a[i]);
    return a;
#endif
}

/* NumPy's maximum and minimum: a NaN on either side is the result. The processor's own give b
then. */
#if defined(LARGER)
static inline V NAME(maximum)(V a, V b) { return (V)NAME(choose)(a != a, (M)a, (M)LARGER(a, b)); }
static inline V NAME(minimum)(V a, V b) { return (V)NAME(choose)(a != a, (M)a, (M)SMALLER(a, b)); }
#else
static inline V NAME(maximum)(V a, V b) { return (V)NAME(choose)((a >= b) | (a != a), (M)a, (M)b); }
static inline V NAME(minimum)(V a, V b) { return (V)NAME(choose)((a <= b) | (a != a), (M)a, (M)b); }
#endif

#define EIGHT(DO, ...) DO(0, __VA_ARGS__) DO(1, __VA_ARGS__) DO(2, __VA_ARGS__) DO(3, __VA_ARGS__) \
                       DO(4, __VA_ARGS__) DO(5, __VA_ARGS__) DO(6, __VA_ARGS__) DO(7, __VA_ARGS__)
#define ONE_REAL(j, E) { V a = a##j, b = q[j]; (void)a; (void)b; a##j = (V)(E); SETTLE(a##j) }
#define ONE_INT(j, E) \
    { M a = (M)a##j, b = ((const M*)q)[j]; (void)a; (void)b; a##j = (V)(E); SETTLE(a##j) }
#define ONE_OF(j, mask, yes, no) \
    { M a = (M)a##j, b = ((const M*)q)[j], c = ((const M*)r)[j]; \
      a##j = (V)NAME(choose)(mask, yes, no); SETTLE(a##j) }
#define SAVE(to) EIGHT(SAVE_ONE, to)
#define SAVE_ONE(j, to) ((V*)(to))[j] = a##j;
#define BACK(from) EIGHT(BACK_ONE, from)
#define BACK_ONE(j, from) a##j = ((const V*)(from))[j];

#define DEFINE(name, work) \
    static void NAME(do_##name)(V a0, V a1, V a2, V a3, V a4, V a5, V a6, V a7, \
                                const Step* s, char** p) { \
        const V *q = (const V*)p[s->a], *r = (const V*)p[s->b]; \
        (void)q; (void)r; \
        work \
        s++; \
        ((INSTRUCTION)s->run)(a0, a1, a2, a3, a4, a5, a6, a7, s, p); \
    }
#define ON_REALS(name, E) DEFINE(name, EIGHT(ONE_REAL, E))
#define ON_INTS(name, E) DEFINE(name, EIGHT(ONE_INT, E))
#define CHOICE(name, mask, yes, no) DEFINE(name, EIGHT(ONE_OF, mask, yes, no))
#define SCRATCH ((REAL*)p[0])
#define EACH(i) for (int i = 0; i < NAME(TILE); i++)

REAL_INSTRUCTIONS(ON_REALS)
INT_INSTRUCTIONS(ON_INTS)
CHOICES(CHOICE)
DEFINE(store, SAVE(p[s->a]))
DEFINE(load_truth, EACH(i) ((INT*)SCRATCH)[i] = -(INT)(((const uint8_t*)q)[i] != 0); BACK(SCRATCH))
DEFINE(store_truth, SAVE(SCRATCH) EACH(i) ((uint8_t*)q)[i] = ((INT*)SCRATCH)[i] != 0;)
DEFINE(call, SAVE(SCRATCH) NAME(functions)[s->f](SCRATCH, (const REAL*)q); BACK(SCRATCH))
DEFINE(call_swapped,
       SAVE(SCRATCH + NAME(TILE)) memcpy(SCRATCH, q, TILE_BYTES);
       NAME(functions)[s->f](SCRATCH, SCRATCH + NAME(TILE)); BACK(SCRATCH))

static void NAME(do_end)(V a0, V a1, V a2, V a3, V a4, V a5, V a6, V a7, const Step* s, char** p) {
    (void)a0; (void)a1; (void)a2; (void)a3; (void)a4; (void)a5; (void)a6; (void)a7;
    (void)s; (void)p;
}

#define ENTRY(name, ...) (instruction_t)NAME(do_##name),
static const instruction_t NAME(table)[] = {ALL_INSTRUCTIONS(ENTRY)};

/* p[1] .. p[moving] go on by step[] bytes after each tile; the rest stay. */
static void NAME(run_tiles)(const Step* code, char** p, const ptrdiff_t* step, int moving,
                            ptrdiff_t tiles) {
    const V zero = {0};
    for (; tiles > 0; tiles--) {
        ((INSTRUCTION)code->run)(zero, zero, zero, zero, zero, zero, zero, zero, code, p);
        for (int j = 1; j <= moving; j++) p[j] += step[j];
    }
}

#undef V
#undef M
#undef INSTRUCTION
#undef EIGHT
#undef ONE_REAL
#undef ONE_INT
#undef ONE_OF
#undef SAVE
#undef SAVE_ONE
#undef BACK
#undef BACK_ONE
#undef DEFINE
#undef ON_REALS
#undef ON_INTS
#undef CHOICE
#undef SCRATCH
#undef EACH
#undef ENTRY
