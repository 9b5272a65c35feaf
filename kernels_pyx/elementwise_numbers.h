/* What the kernels calculate with beyond C's own functions. */

/* Constants in the type of the calculation. */
#define SQRT_HALF(x) _Generic((x), float: 0.70710678f, default: 0.7071067811865476)
#define SLOPE(x) _Generic((x), float: 0.79788456f, default: 0.7978845608028654)
#define CUBIC(x) _Generic((x), float: 0.044715f, default: 0.044715)

/* Division rounded down, and its remainder with the divisor's sign; by zero: 0, as in NumPy. */
static inline int64_t whole_floor_mod(int64_t x, int64_t y) {
    if (y == 0 || y == -1)
        return 0;
    const int64_t rest = x % y;
    return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

static inline int64_t whole_floor_div(int64_t x, int64_t y) {
    if (y == 0)
        return 0;
    if (y == -1)
        return (int64_t)(0 - (uint64_t)x);
    return x / y - (x % y != 0 && (x % y < 0) != (y < 0));
}

static inline double floor_mod_double(double x, double y) {
    const double rest = (fmod)(x, y);
    if (rest == 0)
        return (copysign)(0.0, y);
    return (rest < 0) != (y < 0) ? rest + y : rest;
}

static inline double floor_div_double(double x, double y) {
    if (y == 0)
        return x / y;
    const double rest = (fmod)(x, y);
    double quotient = (x - rest) / y;
    if (rest != 0 && (rest < 0) != (y < 0))
        quotient -= 1;
    if (quotient == 0)
        return (copysign)(0.0, x / y);
    const double down = (floor)(quotient);
    return quotient - down > 0.5 ? down + 1 : down;
}

static inline float floor_mod_float(float x, float y) { return (float)floor_mod_double(x, y); }
static inline float floor_div_float(float x, float y) { return (float)floor_div_double(x, y); }
#define floor_mod(x, y) _Generic((x), float: floor_mod_float, default: floor_mod_double)(x, y)
#define floor_div(x, y) _Generic((x), float: floor_div_float, default: floor_div_double)(x, y)

/* A float as an integer: towards zero; what does not fit gives the smallest, as on x86. */
static inline int64_t whole_of_double(double x) {
    return x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? (int64_t)x : INT64_MIN;
}
static inline int64_t whole_of_float(float x) { return whole_of_double(x); }
static inline int64_t whole_of_whole(int64_t x) { return x; }
#define as_whole(x) \
    _Generic((x), float: whole_of_float, double: whole_of_double, default: whole_of_whole)(x)

/* exp of a float, in steps a compiler can vectorize: 2 ** k * exp(r), |r| <= log(2) / 2. */
static inline float exp_float(float x) {
    const float limited = x < -104.0f ? -104.0f : x > 89.0f ? 89.0f : x;
    const float shifted = limited * 1.44269504f + 12582912.0f; /* rounds to a whole number k */
    const float k = shifted - 12582912.0f;
    const float r = (limited - k * 0.693359375f) + k * 2.12194440e-4f;
    float e = 1.9875691500e-4f;
    e = e * r + 1.3981999507e-3f;
    e = e * r + 8.3334519073e-3f;
    e = e * r + 4.1665795894e-2f;
    e = e * r + 1.6666665459e-1f;
    e = e * r + 5.0000001201e-1f;
    e = e * r * r + r + 1.0f;
    const int32_t whole = (int32_t)k, half = whole >> 1;
    const float once = bits_to_float((uint32_t)(half + 127) << 23);
    const float rest = bits_to_float((uint32_t)(whole - half + 127) << 23);
    return x != x ? x : e * once * rest;
}
static inline double exp_double(double x) { return (exp)(x); }
#define exp_of(x) _Generic((x), float: exp_float, default: exp_double)(x)

/* tanh of a float: a quotient of polynomials where exp would lose digits, else by exp. */
static inline float tanh_float(float x) {
    const float size = x < 0 ? -x : x;
    const float square = x * x;
    float small = -5.70498872745e-3f;
    small = small * square + 2.06390887954e-2f;
    small = small * square - 5.37397155531e-2f;
    small = small * square + 1.33314422036e-1f;
    small = small * square - 3.33332819422e-1f;
    small = small * square * x + x;
    const float large = 1.0f - 2.0f / (exp_float(2.0f * size) + 1.0f);
    return x != x ? x : size < 0.625f ? small : x < 0 ? -large : large;
}
static inline double tanh_double(double x) { return (tanh)(x); }
#define tanh_of(x) _Generic((x), float: tanh_float, default: tanh_double)(x)
