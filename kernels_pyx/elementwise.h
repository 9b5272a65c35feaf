/* The loops of the elementwise kernels: one line per kernel, one loop per line and dtype.

   A loop gets operand pointers and the result's last, their strides in bytes, and a count. It is
   written three times, so that the compiler sees the usual strides as constants: everything next to
   each other, a number as second operand, anything else. Half floats are calculated in float32. */

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <tgmath.h>

#if defined(_MSC_VER)
#define RESTRICT __restrict
#else
#define RESTRICT restrict
#endif

#include "elementwise_halves.h"
#include "elementwise_numbers.h"

/* dtype: storage type, type of calculation, from and to storage. */
#define STORED_b8 uint8_t
#define STORED_i8 int8_t
#define STORED_i16 int16_t
#define STORED_i32 int32_t
#define STORED_i64 int64_t
#define STORED_u8 uint8_t
#define STORED_f16 uint16_t
#define STORED_bf16 uint16_t
#define STORED_f32 float
#define STORED_f64 double
#define NUMBER_b8 uint8_t
#define NUMBER_i8 int8_t
#define NUMBER_i16 int16_t
#define NUMBER_i32 int32_t
#define NUMBER_i64 int64_t
#define NUMBER_u8 uint8_t
#define NUMBER_f16 float
#define NUMBER_bf16 float
#define NUMBER_f32 float
#define NUMBER_f64 double
#define GET_b8(v) (v)
#define GET_i8(v) (v)
#define GET_i16(v) (v)
#define GET_i32(v) (v)
#define GET_i64(v) (v)
#define GET_u8(v) (v)
#define GET_f16(v) half_to_float(v)
#define GET_bf16(v) brain_to_float(v)
#define GET_f32(v) (v)
#define GET_f64(v) (v)
#define PUT_b8(v) ((v) != 0)
#define PUT_i8(v) ((int8_t)(v))
#define PUT_i16(v) ((int16_t)(v))
#define PUT_i32(v) ((int32_t)(v))
#define PUT_i64(v) ((int64_t)(v))
#define PUT_u8(v) ((uint8_t)(v))
#define PUT_f16(v) float_to_half(v)
#define PUT_bf16(v) float_to_brain(v)
#define PUT_f32(v) (v)
#define PUT_f64(v) (v)

/* The code of each dtype, as in ms_ext/dtype.py. */
enum {
    CODE_b8, CODE_i8, CODE_i16, CODE_i32, CODE_i64, CODE_u8, CODE_f16, CODE_bf16, CODE_f32, CODE_f64
};

/* Sets of dtypes: M(name, dtype, expression) for each. */
#define BOOL(M, name, e) M(name, b8, e)
#define INTS(M, name, e) \
  M(name, i8, e) M(name, i16, e) M(name, i32, e) M(name, i64, e) M(name, u8, e)
#define FLOATS(M, name, e) M(name, f16, e) M(name, bf16, e) M(name, f32, e) M(name, f64, e)
#define NUMBERS(M, name, e) INTS(M, name, e) FLOATS(M, name, e)
#define EVERY(M, name, e) BOOL(M, name, e) NUMBERS(M, name, e)

/* Kernels of two operands x and y: name, dtypes, expression. */
#define BINARY(K) \
  K(add, NUMBERS, (x + y)) K(add, BOOL, (x | y)) \
  K(sub, NUMBERS, (x - y)) K(sub, BOOL, (x != y)) \
  K(mul, NUMBERS, (x * y)) K(mul, BOOL, (x & y)) \
  K(div, FLOATS, (x / y)) \
  K(maximum, INTS, (x > y ? x : y)) K(maximum, BOOL, (x | y)) \
  K(minimum, INTS, (x < y ? x : y)) K(minimum, BOOL, (x & y)) \
  K(maximum, FLOATS, (x >= y || x != x ? x : y)) K(minimum, FLOATS, (x <= y || x != x ? x : y)) \
  K(floor_div, INTS, (whole_floor_div(x, y))) K(floor_div, FLOATS, (floor_div(x, y))) \
  K(floor_mod, INTS, (whole_floor_mod(x, y))) K(floor_mod, FLOATS, (floor_mod(x, y))) \
  K(pow, FLOATS, (pow(x, y))) \
  K(atan2, FLOATS, (atan2(x, y)))

/* The same with a Bool result. */
#define RELATION(K) \
  K(equal, EVERY, (x == y)) K(not_equal, EVERY, (x != y)) \
  K(less, EVERY, (x < y)) K(less_equal, EVERY, (x <= y)) \
  K(greater, EVERY, (x > y)) K(greater_equal, EVERY, (x >= y)) \
  K(logical_and, EVERY, (x != 0 && y != 0)) K(logical_or, EVERY, (x != 0 || y != 0)) \
  K(logical_xor, EVERY, ((x != 0) != (y != 0)))

/* Kernels of one operand. */
#define UNARY(K) \
  K(neg, NUMBERS, (-x)) K(abs, INTS, (x < 0 ? -x : x)) K(abs, FLOATS, (fabs(x))) K(abs, BOOL, (x)) \
  K(sign, NUMBERS, (x != x ? x : (x > 0) - (x < 0))) K(square, NUMBERS, (x * x)) \
  K(relu, INTS, (x < 0 ? 0 : x)) K(relu, FLOATS, (x < 0 ? 0 : x)) K(relu, BOOL, (x)) \
  K(sqrt, FLOATS, (sqrt(x))) K(rsqrt, FLOATS, (1 / sqrt(x))) K(reciprocal, FLOATS, (1 / x)) \
  K(exp, FLOATS, (exp_of(x))) K(expm1, FLOATS, (expm1(x))) K(erf, FLOATS, (erf(x))) \
  K(log, FLOATS, (log(x))) K(log1p, FLOATS, (log1p(x))) \
  K(sin, FLOATS, (sin(x))) K(cos, FLOATS, (cos(x))) K(tan, FLOATS, (tan(x))) \
  K(asin, FLOATS, (asin(x))) K(acos, FLOATS, (acos(x))) K(atan, FLOATS, (atan(x))) \
  K(sinh, FLOATS, (sinh(x))) K(cosh, FLOATS, (cosh(x))) K(tanh, FLOATS, (tanh_of(x))) \
  K(sigmoid, FLOATS, (1 / (1 + exp_of(-x)))) K(silu, FLOATS, (x / (1 + exp_of(-x)))) \
  K(gelu, FLOATS, (x * (1 + erf(x * SQRT_HALF(x))) / 2)) \
  K(gelu_tanh, FLOATS, (x / (1 + exp_of(-2 * SLOPE(x) * (x + CUBIC(x) * x * x * x))))) \
  K(floor, FLOATS, (floor(x))) K(ceil, FLOATS, (ceil(x))) \
  K(round, FLOATS, (rint(x))) K(trunc, FLOATS, (trunc(x)))

#define PREDICATE(K) \
  K(logical_not, EVERY, (x == 0)) K(isnan, FLOATS, (x != x)) \
  K(isinf, FLOATS, (x - x != x - x && x == x)) K(isfinite, FLOATS, (x - x == x - x))

/* Loops ------------------------------------------------------------------------------------- */

#define LOOP2(name, D, R, e) \
static void name##_##D(char** p, const ptrdiff_t* s, ptrdiff_t n) { \
    const ptrdiff_t w = sizeof(STORED_##D), v = sizeof(STORED_##R); \
    const STORED_##D *a = (const STORED_##D*)p[0], *b = (const STORED_##D*)p[1]; \
    STORED_##R* RESTRICT r = (STORED_##R*)p[2]; \
    if (s[0] == w && s[1] == w && s[2] == v) \
        for (ptrdiff_t i = 0; i < n; i++) { \
            NUMBER_##D x = GET_##D(a[i]), y = GET_##D(b[i]); \
            r[i] = PUT_##R(e); \
        } \
    else if (s[0] == w && s[1] == 0 && s[2] == v) { \
        const NUMBER_##D y = GET_##D(*b); \
        for (ptrdiff_t i = 0; i < n; i++) { NUMBER_##D x = GET_##D(a[i]); r[i] = PUT_##R(e); } \
    } else \
        for (ptrdiff_t i = 0; i < n; i++) { \
            NUMBER_##D x = GET_##D(*(const STORED_##D*)(p[0] + i * s[0])); \
            NUMBER_##D y = GET_##D(*(const STORED_##D*)(p[1] + i * s[1])); \
            *(STORED_##R*)(p[2] + i * s[2]) = PUT_##R(e); \
        } \
}

#define LOOP1(name, D, R, e) \
static void name##_##D(char** p, const ptrdiff_t* s, ptrdiff_t n) { \
    const STORED_##D* a = (const STORED_##D*)p[0]; \
    STORED_##R* RESTRICT r = (STORED_##R*)p[1]; \
    if (s[0] == sizeof(STORED_##D) && s[1] == sizeof(STORED_##R)) \
        for (ptrdiff_t i = 0; i < n; i++) { NUMBER_##D x = GET_##D(a[i]); r[i] = PUT_##R(e); } \
    else \
        for (ptrdiff_t i = 0; i < n; i++) { \
            NUMBER_##D x = GET_##D(*(const STORED_##D*)(p[0] + i * s[0])); \
            *(STORED_##R*)(p[1] + i * s[1]) = PUT_##R(e); \
        } \
}

#define TO_SAME2(name, D, e) LOOP2(name, D, D, e)
#define TO_BOOL2(name, D, e) LOOP2(name, D, b8, e)
#define TO_SAME1(name, D, e) LOOP1(name, D, D, e)
#define TO_BOOL1(name, D, e) LOOP1(name, D, b8, e)
#define DEFINE_BINARY(name, SET, e) SET(TO_SAME2, name, e)
#define DEFINE_RELATION(name, SET, e) SET(TO_BOOL2, name, e)
#define DEFINE_UNARY(name, SET, e) SET(TO_SAME1, name, e)
#define DEFINE_PREDICATE(name, SET, e) SET(TO_BOOL1, name, e)

BINARY(DEFINE_BINARY)
RELATION(DEFINE_RELATION)
UNARY(DEFINE_UNARY)
PREDICATE(DEFINE_PREDICATE)

/* Casts: from every dtype to every dtype. A float becomes an integer as in NumPy: through int64. */
#define CAST(S, D) LOOP1(cast_##D, S, D, CONVERT(S, D, x))
#define CAST_TO(name, S, D) CAST(S, D)
#define CASTS_TO(D) EVERY(CAST_TO, cast, D)
#define CONVERT(S, D, x) (CONVERT_##D(x))
#define CONVERT_b8(x) (x != 0)
#define CONVERT_i8(x) ((int8_t)as_whole(x))
#define CONVERT_i16(x) ((int16_t)as_whole(x))
#define CONVERT_i32(x) ((int32_t)as_whole(x))
#define CONVERT_i64(x) as_whole(x)
#define CONVERT_u8(x) ((uint8_t)as_whole(x))
#define CONVERT_f16(x) ((float)x)
#define CONVERT_bf16(x) ((float)x)
#define CONVERT_f32(x) ((float)x)
#define CONVERT_f64(x) ((double)x)
CASTS_TO(b8) CASTS_TO(i8) CASTS_TO(i16) CASTS_TO(i32) CASTS_TO(i64)
CASTS_TO(u8) CASTS_TO(f16) CASTS_TO(bf16) CASTS_TO(f32) CASTS_TO(f64)

/* What elementwise.pyx registers ------------------------------------------------------------- */

typedef void (*loop_function)(char**, const ptrdiff_t*, ptrdiff_t);
typedef struct { const char* name; int code, out; loop_function loop; } Row;

#define ROW_SAME(name, D, e) {#name, CODE_##D, CODE_##D, name##_##D},
#define ROW_BOOL(name, D, e) {#name, CODE_##D, CODE_b8, name##_##D},
#define LIST_SAME(name, SET, e) SET(ROW_SAME, name, e)
#define LIST_BOOL(name, SET, e) SET(ROW_BOOL, name, e)
static const Row ROWS[] = {
    BINARY(LIST_SAME) RELATION(LIST_BOOL) UNARY(LIST_SAME) PREDICATE(LIST_BOOL)
};
enum { ROW_COUNT = sizeof(ROWS) / sizeof(ROWS[0]) };

#define CAST_ROW(name, S, D) {0, CODE_##S, CODE_##D, cast_##D##_##S},
#define CAST_ROWS(D) EVERY(CAST_ROW, cast, D)
static const Row CAST_TABLE[] = {
    CAST_ROWS(b8) CAST_ROWS(i8) CAST_ROWS(i16) CAST_ROWS(i32) CAST_ROWS(i64)
    CAST_ROWS(u8) CAST_ROWS(f16) CAST_ROWS(bf16) CAST_ROWS(f32) CAST_ROWS(f64)
};
enum { CAST_COUNT = sizeof(CAST_TABLE) / sizeof(CAST_TABLE[0]) };
