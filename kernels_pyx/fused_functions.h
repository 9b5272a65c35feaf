/* Each function as a loop over one tile, and the table that CALL looks into. Included twice. */

enum { NAME(TILE) = TILE_BYTES / sizeof(REAL) };
typedef void (*NAME(function))(REAL* restrict t, const REAL* restrict other);

#define LOOP1(name) \
    static void NAME(each_##name)(REAL* restrict t, const REAL* restrict other) { \
        (void)other; \
        for (int i = 0; i < NAME(TILE); i++) t[i] = NAME(name)(t[i]); \
    }
#define LOOP2(name) \
    static void NAME(each_##name)(REAL* restrict t, const REAL* restrict other) { \
        for (int i = 0; i < NAME(TILE); i++) t[i] = NAME(name)(t[i], other[i]); \
    }
#define ENTRY(name) NAME(each_##name),

FUNCTIONS_OF_ONE(LOOP1)
FUNCTIONS_OF_TWO(LOOP2)
static const NAME(function) NAME(functions)[] = {FUNCTIONS_OF_ONE(ENTRY) FUNCTIONS_OF_TWO(ENTRY)};

#undef LOOP1
#undef LOOP2
#undef ENTRY
