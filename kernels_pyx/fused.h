/* What the tile machine knows: its instructions, the functions of one number, both lane widths. */

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(__GNUC__)
#error "the tile machine needs the vector types of GCC or Clang"
#endif

/* INTRINSIC(max, ps): what the processor calls it. Without one, plain C does. */
#if defined(__AVX__)
#include <immintrin.h>
#define VECTOR_BYTES 32
#define INTRINSIC(name, kind) _mm256_##name##_##kind
#elif defined(__SSE2__)
#include <emmintrin.h>
#define VECTOR_BYTES 16
#define INTRINSIC(name, kind) _mm_##name##_##kind
#else
#define VECTOR_BYTES 16
#endif
#define TILE_BYTES (8 * VECTOR_BYTES)

/* Finish one vector before the next: mixing the eight would need more registers than there are. */
#if defined(__x86_64__)
#define SETTLE(vector) __asm__ volatile("" : "+x"(vector));
#else
#define SETTLE(vector)
#endif

/* One instruction in a program: operands p[a] and p[b]; f is the function of `call`. */
typedef void (*instruction_t)(void);
typedef struct { instruction_t run; uint16_t a, b, f; } Step;

/* a is the accumulator before, b the operand p[a], both vectors; the expression is the accumulator
after. */
#define REAL_INSTRUCTIONS(X) \
    X(load, b) X(add, a + b) X(sub, a - b) X(sub_swapped, b - a) X(mul, a * b) \
    X(div, a / b) X(div_swapped, b / a) \
    X(square, a * a) X(reciprocal, 1 / a) X(sqrt, NAME(root)(a)) \
    X(maximum, NAME(maximum)(a, b)) X(maximum_swapped, NAME(maximum)(b, a)) \
    X(minimum, NAME(minimum)(a, b)) X(minimum_swapped, NAME(minimum)(b, a)) \
    X(less, a < b) X(less_equal, a <= b) X(greater, a > b) X(greater_equal, a >= b) \
    X(equal, a == b) X(not_equal, a != b)
#define INT_INSTRUCTIONS(X) \
    X(neg, a ^ SIGN_BIT) X(abs, a & ~SIGN_BIT) \
    X(add_int, a + b) X(sub_int, a - b) X(sub_int_swapped, b - a) \
    X(mul_int, a * b) X(square_int, a * a) \
    X(neg_int, -a) X(abs_int, NAME(choose)(a < 0, -a, a)) \
    X(maximum_int, NAME(choose)(a > b, a, b)) X(minimum_int, NAME(choose)(a < b, a, b)) \
    X(less_int, a < b) X(less_equal_int, a <= b) \
    X(greater_int, a > b) X(greater_equal_int, a >= b) \
    X(equal_int, a == b) X(not_equal_int, a != b) \
    X(and, a & b) X(or, a | b) X(xor, a ^ b) X(not, ~a) \
    X(truth_to_int, -a) X(truth_to_real, __builtin_convertvector(-a, V)) \
    X(int_to_real, __builtin_convertvector(a, V))
/* select: truth in the accumulator; select_yes, select_no: the accumulator is that value, b the
truth */
#define CHOICES(X) X(select, a, b, c) X(select_yes, b, a, c) X(select_no, b, c, a)
#define OTHERS(X) X(store) X(load_truth) X(store_truth) X(call) X(call_swapped) X(end)
#define ALL_INSTRUCTIONS(X) REAL_INSTRUCTIONS(X) INT_INSTRUCTIONS(X) CHOICES(X) OTHERS(X)

#define FUNCTIONS_OF_ONE(X) \
    X(exp) X(log) X(tanh) X(sigmoid) X(erf) X(sign) X(floor) X(ceil) X(rint) X(trunc) \
    X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(log1p) X(expm1)
#define FUNCTIONS_OF_TWO(X) X(pow) X(atan2)

#define TEXT(name, ...) #name,
static const char* const instruction_names[] = {ALL_INSTRUCTIONS(TEXT)};
static const char* const function_names[] = {FUNCTIONS_OF_ONE(TEXT) FUNCTIONS_OF_TWO(TEXT)};
enum {
    INSTRUCTION_COUNT = sizeof instruction_names / sizeof *instruction_names,
    FUNCTION_COUNT = sizeof function_names / sizeof *function_names,
};

#include "fused_math.h"

#define REAL float
#define INT int32_t
#define NAME(x) x##_f32
#define SIGN_BIT INT32_MIN
#if defined(INTRINSIC)
#define ROOT INTRINSIC(sqrt, ps)
#define LARGER INTRINSIC(max, ps)
#define SMALLER INTRINSIC(min, ps)
#endif
#include "fused_functions.h"
#include "fused_machine.h"
#undef REAL
#undef INT
#undef NAME
#undef SIGN_BIT
#undef ROOT
#undef LARGER
#undef SMALLER

#define REAL double
#define INT int64_t
#define NAME(x) x##_f64
#define SIGN_BIT INT64_MIN
#if defined(INTRINSIC)
#define ROOT INTRINSIC(sqrt, pd)
#define LARGER INTRINSIC(max, pd)
#define SMALLER INTRINSIC(min, pd)
#endif
#include "fused_functions.h"
#include "fused_machine.h"
