/* What the C that is made of a function of the Hybrid DSL uses: checked indices, Python's division,
 * 16-bit floats. The one function that is seen from outside is hybrid_call, at the end.
 */
#ifndef HYBRID_WORDS_H
#define HYBRID_WORDS_H

#include <math.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef BUFFERS
#define BUFFERS 0
#endif

/* One call: where to go when something is wrong, what to say then, and the buffers to free. */
struct call {
    jmp_buf out;
    int64_t *fault; /* the place in the source (-1: none), and up to three numbers about it */
    void *kept[BUFFERS + 1];
};

static void run(struct call *call, void **arrays, const int64_t *const *shapes);

/* Faults ------------------------------------------------------------------------------------- */

static void wrong(struct call *call, int place, int64_t one, int64_t two, int64_t three)
{
    call->fault[0] = place;
    call->fault[1] = one;
    call->fault[2] = two;
    call->fault[3] = three;
    longjmp(call->out, 1);
}

/* An index below size; a negative one counts from the end. */
static inline int64_t at(struct call *call, int64_t index, int64_t size, int axis, int place)
{
    if ((uint64_t)index < (uint64_t)size) return index;
    if (index < 0 && index + size >= 0) return index + size;
    wrong(call, place, index, axis, size);
    return 0;
}

/* A result has the size that was promised. */
static inline void promised(struct call *call, int64_t size, int64_t given, int axis, int place)
{
    if (size != given) wrong(call, place, size, axis, given);
}

/* A number is stored where only smaller ones have room. */
static inline int64_t fitting(struct call *call, int64_t value, int64_t low, int64_t high, int place)
{
    if (value < low || value > high) wrong(call, place, value, low, high);
    return value;
}

static inline int64_t fitting_float(struct call *call, double value, int64_t low, int64_t high, int place)
{
    if (!isfinite(value)) wrong(call, place, isnan(value) ? 0 : 1, 1, 0);
    if (fabs(value) >= 0x1p63) wrong(call, place, 2, 1, 0);
    return fitting(call, (int64_t)value, low, high, place);
}

/* How often a loop runs. */
static inline int64_t times(struct call *call, int64_t first, int64_t stop, int64_t step, int place)
{
    if (step == 0) wrong(call, place, 0, 0, 0);
    if (step > 0) return first < stop ? (stop - first - 1) / step + 1 : 0;
    return first > stop ? (first - stop - 1) / -step + 1 : 0;
}

/* A buffer of zeros; the one of the last round of a loop is given back. */
static inline void *zeros(struct call *call, int slot, int64_t count, int64_t width, int place)
{
    free(call->kept[slot]);
    call->kept[slot] = calloc(count > 0 ? (size_t)count : 1, (size_t)width);
    if (call->kept[slot] == NULL) wrong(call, place, -2, count, width);
    return call->kept[slot];
}

static inline int64_t size_of(struct call *call, int64_t size, int place)
{
    if (size < 0) wrong(call, place, -1, size, 0);
    return size;
}

/* Numbers ------------------------------------------------------------------------------------ */

static inline int64_t max_int(int64_t a, int64_t b) { return b > a ? b : a; }
static inline int64_t min_int(int64_t a, int64_t b) { return b < a ? b : a; }
static inline double max_float(double a, double b) { return b > a ? b : a; }
static inline double min_float(double a, double b) { return b < a ? b : a; }
static inline int64_t abs_int(int64_t a) { return a < 0 ? -a : a; }
static inline int64_t sign_int(int64_t a) { return (a > 0) - (a < 0); }
static inline double sign_of(double a) { return isnan(a) ? a : (double)((a > 0) - (a < 0)); }

/* Whole numbers of NumPy's: x // 0 is 0. */
static inline int64_t floor_div(int64_t a, int64_t b)
{
    if (b == 0) return 0;
    if (b == -1) return -a;
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static inline int64_t floor_mod(int64_t a, int64_t b)
{
    if (b == 0 || b == -1) return 0;
    int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

/* Numbers of Python's: x // 0 is an error. */
static inline int64_t no_zero(struct call *call, int64_t b, int place)
{
    if (b == 0) wrong(call, place, 0, 0, 0);
    return b;
}

static inline double no_zero_float(struct call *call, double b, int place)
{
    if (b == 0) wrong(call, place, 0, 0, 0);
    return b;
}

#define FLOOR_DIV(type, f)                                                       \
    static inline type float_mod##f(type a, type b)                              \
    {                                                                            \
        type rest = fmod##f(a, b);                                               \
        if (b == 0 || isnan(rest)) return rest;                                  \
        if (rest == 0) return copysign##f(0, b);                                 \
        return (b < 0) != (rest < 0) ? rest + b : rest;                          \
    }                                                                            \
    static inline type float_div##f(type a, type b)                              \
    {                                                                            \
        if (b == 0) return a / b;                                                \
        type rest = fmod##f(a, b), whole = (a - rest) / b;                       \
        if (rest != 0 && (b < 0) != (rest < 0)) whole -= 1;                      \
        if (whole == 0) return copysign##f(0, a / b);                            \
        type below = floor##f(whole);                                            \
        return whole - below > (type)0.5 ? below + 1 : below;                    \
    }
FLOOR_DIV(float, f)
FLOOR_DIV(double, )

static inline int64_t power_int(struct call *call, int64_t a, int64_t b, int place)
{
    if (b < 0) wrong(call, place, b, 0, 0);
    uint64_t result = 1, factor = (uint64_t)a;
    for (; b > 0; b >>= 1, factor *= factor)
        if (b & 1) result *= factor;
    return (int64_t)result;
}

static inline int64_t shift_left(int64_t a, int64_t b, int bits)
{
    return b < 0 || b >= bits ? 0 : (int64_t)((uint64_t)a << b);
}

static inline int64_t shift_right(int64_t a, int64_t b, int bits)
{
    return b < 0 || b >= bits ? (a < 0 ? -1 : 0) : a >> b;
}

/* 16-bit floats: calculated as float, rounded after each operation -------------------------- */

static inline float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float from_f16(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = h & 0x7fff;
    if (rest >= 0x7c00) return from_bits(sign | 0x7f800000 | (rest & 0x3ff) << 13);
    if (rest >= 0x0400) return from_bits(sign | ((rest << 13) + 0x38000000));
    float small = (float)rest * 0x1p-24f;
    return sign ? -small : small;
}

static inline uint16_t to_f16(float x)
{
    uint32_t bits = bits_of(x), sign = bits >> 16 & 0x8000, rest = bits & 0x7fffffff;
    if (rest > 0x7f800000) return (uint16_t)(sign | 0x7e00);
    if (rest >= 0x477ff000) return (uint16_t)(sign | 0x7c00);
    if (rest < 0x38800000) return (uint16_t)(sign | (uint32_t)rintf(from_bits(rest) * 0x1p24f));
    rest += 0xfff + (rest >> 13 & 1); /* to the nearest, halves to the even one */
    return (uint16_t)(sign | ((rest - 0x38000000) >> 13));
}

static inline float from_bf16(uint16_t h) { return from_bits((uint32_t)h << 16); }

static inline uint16_t to_bf16(float x)
{
    uint32_t bits = bits_of(x);
    if (isnan(x)) return (uint16_t)(bits >> 16 | 0x40);
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static inline float f16(float x) { return from_f16(to_f16(x)); }
static inline float bf16(float x) { return from_bf16(to_bf16(x)); }

/* The way in --------------------------------------------------------------------------------- */

#if defined(_WIN32)
__declspec(dllexport)
#endif
int64_t hybrid_call(void **arrays, const int64_t *const *shapes, int64_t *fault)
{
    struct call call;
    memset(&call, 0, sizeof call);
    call.fault = fault;
    int failed = setjmp(call.out);
    if (!failed) run(&call, arrays, shapes);
    for (int slot = 0; slot < BUFFERS; slot++) free(call.kept[slot]);
    return failed;
}

#endif
