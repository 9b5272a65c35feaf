/* Functions of one float that the compiler can vectorise: no branch, no table, no call.

   The polynomials of exp, log and tanh are those of the Cephes library (S. Moshier), erf's is by
   N. Juffa. Compared with the exact value they are off by at most: exp 2, log 2, tanh 3, sigmoid
   3, erf 2 units in the last place (tests/test_backends_results.py measures it). double goes to the C
   library. */

#if defined(__FMA__)
#define MULTIPLY_ADD(a, b, c) __builtin_fmaf(a, b, c)
#else
#define MULTIPLY_ADD(a, b, c) ((a) * (b) + (c))
#endif

static inline float float_of(int32_t bits) { float x; memcpy(&x, &bits, sizeof x); return x; }
static inline int32_t bits_of(float x) { int32_t b; memcpy(&b, &x, sizeof b); return b; }
static inline float with_sign_of(float size, float x) {
    return float_of((bits_of(size) & INT32_MAX) | (bits_of(x) & INT32_MIN));
}

/* e^x = 2^k e^r with |r| <= log(2) / 2; 2^k in two factors, so that subnormals and inf come out. */
static inline float exp_f32(float x) {
    const float to_integer = 12582912.0f; /* 1.5 * 2^23: adding it rounds to a whole number */
    float inside = x > 89.0f ? 89.0f : x;
    inside = inside < -104.0f ? -104.0f : inside; /* NaN stays NaN */
    float k = (inside * 1.44269504f + to_integer) - to_integer;
    float r = MULTIPLY_ADD(k, -0.693359375f, inside);
    r = MULTIPLY_ADD(k, 2.12194440e-4f, r);
    float p = MULTIPLY_ADD(1.9875691500e-4f, r, 1.3981999507e-3f);
    p = MULTIPLY_ADD(p, r, 8.3334519073e-3f);
    p = MULTIPLY_ADD(p, r, 4.1665795894e-2f);
    p = MULTIPLY_ADD(p, r, 1.6666665459e-1f);
    p = MULTIPLY_ADD(p, r, 5.0000001201e-1f);
    p = MULTIPLY_ADD(p, r * r, r) + 1.0f;
    int32_t whole = (int32_t)k, half = whole >> 1;
    return p * float_of((half + 127) * (1 << 23)) * float_of((whole - half + 127) * (1 << 23));
}

/* x = 2^e m with m in [sqrt(1/2), sqrt(2)). */
static inline float log_f32(float x) {
    float normal = x < 1.17549435e-38f ? x * 8388608.0f : x;
    int32_t bits = bits_of(normal);
    float e = (float)(((bits >> 23) & 255) - 126) - (x < 1.17549435e-38f ? 23.0f : 0.0f);
    float m = float_of((bits & 0x007fffff) | 0x3f000000);
    int low = m < 0.707106781f;
    e = low ? e - 1.0f : e;
    m = low ? m + m - 1.0f : m - 1.0f;
    float p = MULTIPLY_ADD(7.0376836292e-2f, m, -1.1514610310e-1f);
    p = MULTIPLY_ADD(p, m, 1.1676998740e-1f);
    p = MULTIPLY_ADD(p, m, -1.2420140846e-1f);
    p = MULTIPLY_ADD(p, m, 1.4249322787e-1f);
    p = MULTIPLY_ADD(p, m, -1.6668057665e-1f);
    p = MULTIPLY_ADD(p, m, 2.0000714765e-1f);
    p = MULTIPLY_ADD(p, m, -2.4999993993e-1f);
    p = MULTIPLY_ADD(p, m, 3.3333331174e-1f);
    float square = m * m;
    float y = MULTIPLY_ADD(e, -2.12194440e-4f, p * m * square);
    y = MULTIPLY_ADD(square, -0.5f, y);
    float result = MULTIPLY_ADD(e, 0.693359375f, m + y);
    result = x == INFINITY ? x : result;
    result = x == 0.0f ? -INFINITY : result;
    return x < 0.0f || x != x ? NAN : result;
}

static inline float tanh_f32(float x) {
    float size = fabsf(x), square = x * x;
    float p = MULTIPLY_ADD(-5.70498872745e-3f, square, 2.06390887954e-2f);
    p = MULTIPLY_ADD(p, square, -5.37397155531e-2f);
    p = MULTIPLY_ADD(p, square, 1.33314422036e-1f);
    p = MULTIPLY_ADD(p, square, -3.33332819422e-1f);
    float near_zero = MULTIPLY_ADD(p * square, x, x);
    float far = 1.0f - 2.0f / (exp_f32(size + size) + 1.0f);
    return with_sign_of(size < 0.625f ? near_zero : far, x); /* -0 stays -0 */
}

static inline float sigmoid_f32(float x) { return 1.0f / (1.0f + exp_f32(-x)); }

static inline float erf_f32(float x) {
    float size = fabsf(x), square = x * x;
    float far = MULTIPLY_ADD(-1.72853470e-5f, size, 3.83197126e-4f);
    float more = MULTIPLY_ADD(-3.88396438e-3f, size, 2.42546219e-2f);
    far = MULTIPLY_ADD(far, square, more);
    far = MULTIPLY_ADD(far, size, -1.06777877e-1f);
    far = MULTIPLY_ADD(far, size, -6.34846687e-1f);
    far = MULTIPLY_ADD(far, size, -1.28717512e-1f);
    far = MULTIPLY_ADD(far, size, -size);
    far = with_sign_of(1.0f - exp_f32(far), x);
    float p = MULTIPLY_ADD(-5.96761703e-4f, square, 4.99119423e-3f);
    p = MULTIPLY_ADD(p, square, -2.67681349e-2f);
    p = MULTIPLY_ADD(p, square, 1.12819925e-1f);
    p = MULTIPLY_ADD(p, square, -3.76125336e-1f);
    p = MULTIPLY_ADD(p, square, 1.28379166e-1f);
    float near_zero = MULTIPLY_ADD(p, x, x);
    float result = size > 0.927734375f ? far : near_zero;
    result = size > 4.0f ? with_sign_of(1.0f, x) : result;
    return x != x ? x : result;
}

static inline double sigmoid_f64(double x) { return 1.0 / (1.0 + exp(-x)); }

#define BOTH(name, f32, f64) \
    static inline float name##_f32(float x) { return f32; } \
    static inline double name##_f64(double x) { return f64; }
#define DOUBLE(name) static inline double name##_f64(double x) { return name(x); }
#define LIBRARY(name) BOTH(name, name##f(x), name(x))

DOUBLE(exp) DOUBLE(log) DOUBLE(tanh) DOUBLE(erf)
LIBRARY(floor) LIBRARY(ceil) LIBRARY(rint) LIBRARY(trunc)
LIBRARY(sin) LIBRARY(cos) LIBRARY(tan) LIBRARY(asin) LIBRARY(acos) LIBRARY(atan)
LIBRARY(sinh) LIBRARY(cosh) LIBRARY(log1p) LIBRARY(expm1)
BOTH(sign, x != x ? x : (float)((x > 0) - (x < 0)), x != x ? x : (double)((x > 0) - (x < 0)))

static inline float pow_f32(float x, float y) { return powf(x, y); }
static inline double pow_f64(double x, double y) { return pow(x, y); }
static inline float atan2_f32(float x, float y) { return atan2f(x, y); }
static inline double atan2_f64(double x, double y) { return atan2(x, y); }
