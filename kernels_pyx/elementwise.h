/* The loops of the elementwise kernels: one line per kernel, one loop per line and dtype.

   A loop gets operand pointers and the result's last, their strides in bytes, and a count. For the
   wider dtypes it is written once for each usual case (elements next to each other, a number on one
   side), where the strides are constants to the compiler. Half floats are calculated in float32. */

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <tgmath.h>

#if defined(_MSC_VER)
#define RESTRICT __restrict
#else
#define RESTRICT restrict
#endif

/* Vector code for strides that are not known is long, slow to compile, and no faster. */
#if defined(__GNUC__) && !defined(__clang__)
#define ONE_BY_ONE __attribute__((optimize("no-tree-vectorize")))
#else
#define ONE_BY_ONE
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

/* How the loops of a dtype are written: FULL, so that the compiler vectorizes the usual strides, or
   PLAIN, one loop for all strides; then NumPy's own loops win above some number of elements. */
#define FORM_b8 PLAIN
#define FORM_i8 PLAIN
#define FORM_i16 PLAIN
#define FORM_i32 FULL
#define FORM_i64 FULL
#define FORM_u8 PLAIN
#define FORM_f16 PLAIN
#define FORM_bf16 PLAIN
#define FORM_f32 FULL
#define FORM_f64 FULL
enum {
    FEW = 256, NO_LIMIT = 0x7FFFFFFF,
    LIMIT_b8 = FEW, LIMIT_i8 = FEW, LIMIT_i16 = FEW, LIMIT_u8 = FEW,
    LIMIT_i32 = NO_LIMIT, LIMIT_i64 = NO_LIMIT, LIMIT_f32 = NO_LIMIT, LIMIT_f64 = NO_LIMIT,
    LIMIT_f16 = NO_LIMIT, LIMIT_bf16 = NO_LIMIT /* NumPy calculates these one by one too */
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
  K(relu_grad, NUMBERS, (y > 0 ? x : 0))
#define BINARY_PLAIN(K) \
  K(floor_div, INTS, (whole_floor_div(x, y))) K(floor_div, FLOATS, (floor_div(x, y))) \
  K(floor_mod, INTS, (whole_floor_mod(x, y))) K(floor_mod, FLOATS, (floor_mod(x, y))) \
  K(pow, FLOATS, (pow(x, y))) K(atan2, FLOATS, (atan2(x, y))) \
  K(bitwise_and, INTS, (x & y)) K(bitwise_or, INTS, (x | y)) K(bitwise_xor, INTS, (x ^ y)) \
  K(bitwise_and, BOOL, (x & y)) K(bitwise_or, BOOL, (x | y)) K(bitwise_xor, BOOL, (x ^ y))

/* The same with a Bool result. */
#define RELATION(K) \
  K(equal, EVERY, (x == y)) K(not_equal, EVERY, (x != y)) \
  K(less, EVERY, (x < y)) K(less_equal, EVERY, (x <= y)) \
  K(greater, EVERY, (x > y)) K(greater_equal, EVERY, (x >= y))
#define RELATION_PLAIN(K) \
  K(logical_and, EVERY, (x != 0 && y != 0)) K(logical_or, EVERY, (x != 0 || y != 0)) \
  K(logical_xor, EVERY, ((x != 0) != (y != 0)))

/* Kernels of one operand. */
#define UNARY(K) \
  K(neg, NUMBERS, (-x)) K(square, NUMBERS, (x * x)) \
  K(abs, INTS, (x < 0 ? -x : x)) K(abs, FLOATS, (fabs(x))) K(abs, BOOL, (x)) \
  K(relu, INTS, (x < 0 ? 0 : x)) K(relu, FLOATS, (x < 0 ? 0 : x)) K(relu, BOOL, (x)) \
  K(sqrt, FLOATS, (sqrt(x))) K(rsqrt, FLOATS, (1 / sqrt(x))) K(reciprocal, FLOATS, (1 / x)) \
  K(floor, FLOATS, (floor(x))) K(ceil, FLOATS, (ceil(x))) \
  K(round, FLOATS, (rint(x))) K(trunc, FLOATS, (trunc(x)))
#define UNARY_EXP(K) \
  K(exp, FLOATS, (exp_of(x))) K(tanh, FLOATS, (tanh_of(x))) \
  K(sigmoid, FLOATS, (1 / (1 + exp_of(-x)))) K(silu, FLOATS, (x / (1 + exp_of(-x)))) \
  K(gelu_tanh, FLOATS, (x / (1 + exp_of(-2 * SLOPE(x) * (x + CUBIC(x) * x * x * x)))))
#define UNARY_PLAIN(K) \
  K(sign, NUMBERS, (x != x ? x : (x > 0) - (x < 0))) \
  K(expm1, FLOATS, (expm1(x))) K(log, FLOATS, (log(x))) K(log1p, FLOATS, (log1p(x))) \
  K(sin, FLOATS, (sin(x))) K(cos, FLOATS, (cos(x))) K(tan, FLOATS, (tan(x))) \
  K(asin, FLOATS, (asin(x))) K(acos, FLOATS, (acos(x))) K(atan, FLOATS, (atan(x))) \
  K(sinh, FLOATS, (sinh(x))) K(cosh, FLOATS, (cosh(x)))
#define UNARY_ALONE(K) /* NumPy has no erf: its way is slower at every size */ \
  K(erf, FLOATS, (erf(x))) K(gelu, FLOATS, (x * (1 + erf(x * SQRT_HALF(x))) / 2))
#define PREDICATE_PLAIN(K) \
  K(logical_not, EVERY, (x == 0)) K(isnan, FLOATS, (x != x)) \
  K(isinf, FLOATS, (x - x != x - x && x == x)) K(isfinite, FLOATS, (x - x == x - x))

/* Loops ------------------------------------------------------------------------------------- */

#define HEAD(name, D) static void name##_##D(char** p, const ptrdiff_t* s, ptrdiff_t n)
#define AT(D, k) GET_##D(*(const STORED_##D*)(p[k] + i * s[k]))
#define OUT(R, k) *(STORED_##R*)(p[k] + i * s[k])
#define EACH for (ptrdiff_t i = 0; i < n; i++)

#define PLAIN2(name, D, R, e) ONE_BY_ONE HEAD(name, D) { \
    EACH { NUMBER_##D x = AT(D, 0), y = AT(D, 1); OUT(R, 2) = PUT_##R(e); } \
}

#define FULL2(name, D, R, e) HEAD(name, D) { \
    const ptrdiff_t w = sizeof(STORED_##D), v = sizeof(STORED_##R); \
    const STORED_##D *a = (const STORED_##D*)p[0], *b = (const STORED_##D*)p[1]; \
    STORED_##R* RESTRICT r = (STORED_##R*)p[2]; \
    if (s[0] == w && s[1] == w && s[2] == v) \
        EACH { NUMBER_##D x = GET_##D(a[i]), y = GET_##D(b[i]); r[i] = PUT_##R(e); } \
    else if (s[0] == w && s[1] == 0 && s[2] == v) { \
        const NUMBER_##D y = GET_##D(*b); \
        EACH { NUMBER_##D x = GET_##D(a[i]); r[i] = PUT_##R(e); } \
    } else if (s[0] == 0 && s[1] == w && s[2] == v) { \
        const NUMBER_##D x = GET_##D(*a); \
        EACH { NUMBER_##D y = GET_##D(b[i]); r[i] = PUT_##R(e); } \
    } else \
        EACH { NUMBER_##D x = AT(D, 0), y = AT(D, 1); OUT(R, 2) = PUT_##R(e); } \
}

#define PLAIN1(name, D, R, e) ONE_BY_ONE HEAD(name, D) { \
    EACH { NUMBER_##D x = AT(D, 0); OUT(R, 1) = PUT_##R(e); } \
}

#define FULL1(name, D, R, e) HEAD(name, D) { \
    const STORED_##D* a = (const STORED_##D*)p[0]; \
    STORED_##R* RESTRICT r = (STORED_##R*)p[1]; \
    if (s[0] == sizeof(STORED_##D) && s[1] == sizeof(STORED_##R)) \
        EACH { NUMBER_##D x = GET_##D(a[i]); r[i] = PUT_##R(e); } \
    else \
        EACH { NUMBER_##D x = AT(D, 0); OUT(R, 1) = PUT_##R(e); } \
}

/* CHOSEN(PLAIN, 2) is PLAIN2; the detour has FORM_f32 replaced first. */
#define CHOSEN(form, count) CHOSEN_(form, count)
#define CHOSEN_(form, count) form##count

#define SAME2(name, D, e) CHOSEN(FORM_##D, 2)(name, D, D, e)
#define SAME1(name, D, e) CHOSEN(FORM_##D, 1)(name, D, D, e)
#define BOOL2(name, D, e) CHOSEN(FORM_##D, 2)(name, D, b8, e)
#define PLAIN_SAME2(name, D, e) PLAIN2(name, D, D, e)
#define PLAIN_SAME1(name, D, e) PLAIN1(name, D, D, e)
#define PLAIN_BOOL2(name, D, e) PLAIN2(name, D, b8, e)
#define PLAIN_BOOL1(name, D, e) PLAIN1(name, D, b8, e)
#define LOOPS_SAME2(name, SET, e) SET(SAME2, name, e)
#define LOOPS_SAME1(name, SET, e) SET(SAME1, name, e)
#define LOOPS_BOOL2(name, SET, e) SET(BOOL2, name, e)
#define LOOPS_PLAIN_SAME2(name, SET, e) SET(PLAIN_SAME2, name, e)
#define LOOPS_PLAIN_SAME1(name, SET, e) SET(PLAIN_SAME1, name, e)
#define LOOPS_PLAIN_BOOL2(name, SET, e) SET(PLAIN_BOOL2, name, e)
#define LOOPS_PLAIN_BOOL1(name, SET, e) SET(PLAIN_BOOL1, name, e)

BINARY(LOOPS_SAME2)
BINARY_PLAIN(LOOPS_PLAIN_SAME2)
RELATION(LOOPS_BOOL2)
RELATION_PLAIN(LOOPS_PLAIN_BOOL2)
UNARY(LOOPS_SAME1)
UNARY_EXP(LOOPS_SAME1)
UNARY_PLAIN(LOOPS_PLAIN_SAME1)
UNARY_ALONE(LOOPS_PLAIN_SAME1)
PREDICATE_PLAIN(LOOPS_PLAIN_BOOL1)

/* Casts: from every dtype to every dtype. A float becomes an integer as in NumPy: through int64. */
#define CAST(name, S, D) PLAIN1(cast_##D, S, D, CONVERT_##D(x))
#define CASTS_TO(D) EVERY(CAST, cast, D)
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
typedef struct { const char* name; int code, out, limit; loop_function loop; } Row;

/* The C library calculates float32 and float64 one by one; NumPy has vector forms of most. */
#define LIBRARY_LIMIT(D) (LIMIT_##D == NO_LIMIT && sizeof(STORED_##D) > 2 ? FEW : LIMIT_##D)
#define ROW_SAME(name, D, e) {#name, CODE_##D, CODE_##D, LIMIT_##D, name##_##D},
#define ROW_BOOL(name, D, e) {#name, CODE_##D, CODE_b8, LIMIT_##D, name##_##D},
#define ROW_PLAIN(name, D, e) {#name, CODE_##D, CODE_##D, LIBRARY_LIMIT(D), name##_##D},
#define ROW_PLAIN_BOOL(name, D, e) {#name, CODE_##D, CODE_b8, LIBRARY_LIMIT(D), name##_##D},
#define LIST_SAME(name, SET, e) SET(ROW_SAME, name, e)
#define LIST_BOOL(name, SET, e) SET(ROW_BOOL, name, e)
#define LIST_PLAIN(name, SET, e) SET(ROW_PLAIN, name, e)
#define LIST_PLAIN_BOOL(name, SET, e) SET(ROW_PLAIN_BOOL, name, e)
static const Row ROWS[] = {
    BINARY(LIST_SAME) BINARY_PLAIN(LIST_PLAIN) RELATION(LIST_BOOL) RELATION_PLAIN(LIST_PLAIN_BOOL)
    UNARY(LIST_SAME) UNARY_EXP(LIST_SAME) UNARY_PLAIN(LIST_PLAIN) UNARY_ALONE(LIST_SAME)
    PREDICATE_PLAIN(LIST_PLAIN_BOOL)
};
enum { ROW_COUNT = sizeof(ROWS) / sizeof(ROWS[0]) };

#define CAST_ROW(name, S, D) {0, CODE_##S, CODE_##D, 0, cast_##D##_##S},
#define CAST_ROWS(D) EVERY(CAST_ROW, cast, D)
static const Row CAST_TABLE[] = {
    CAST_ROWS(b8) CAST_ROWS(i8) CAST_ROWS(i16) CAST_ROWS(i32) CAST_ROWS(i64)
    CAST_ROWS(u8) CAST_ROWS(f16) CAST_ROWS(bf16) CAST_ROWS(f32) CAST_ROWS(f64)
};
enum { CAST_COUNT = sizeof(CAST_TABLE) / sizeof(CAST_TABLE[0]) };
