/* float16 and bfloat16 to float32 and back, rounding to the nearest, ties to even.

   Written with integers so that every compiler can do it and vectorize it. */

static inline float bits_to_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static inline uint32_t float_to_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, 4);
    return bits;
}

/* Shifted up, a half has the layout of a float whose exponent is 112 too small: one product repairs
   that, subnormal halves included. Infinity and NaN get the largest exponent. */
static inline float half_to_float(uint16_t half) {
    const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
    const uint32_t magnitude = (uint32_t)(half & 0x7FFF) << 13;
    const float scaled = bits_to_float(magnitude) * 5.192296858534828e33f; /* 2 ** 112 */
    const uint32_t special = 0x7F800000 | (magnitude & 0x007FE000);
    return bits_to_float(sign | (magnitude >= 0x0F800000 ? special : float_to_bits(scaled)));
}

/* Normal: rebias and round in integers. Subnormal: adding to 0.5 aligns and rounds the bits. */
static inline uint16_t float_to_half(float value) {
    const uint32_t bits = float_to_bits(value), magnitude = bits & 0x7FFFFFFF;
    const uint32_t normal = (magnitude - 0x38000000 + 0x0FFF + ((magnitude >> 13) & 1)) >> 13;
    const uint32_t subnormal = float_to_bits(bits_to_float(magnitude) + 0.5f) - 0x3F000000;
    const uint32_t nan = 0x7E00 | ((magnitude >> 13) & 0x03FF);
    const uint32_t special = magnitude > 0x7F800000 ? nan : 0x7C00;
    const uint32_t finite = magnitude < 0x38800000 ? subnormal : normal;
    return (uint16_t)(((bits >> 16) & 0x8000) | (magnitude >= 0x477FF000 ? special : finite));
}

static inline float brain_to_float(uint16_t brain) {
    return bits_to_float((uint32_t)brain << 16);
}

static inline uint16_t float_to_brain(float value) {
    const uint32_t bits = float_to_bits(value);
    const uint32_t rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
    return (uint16_t)((bits & 0x7FFFFFFF) > 0x7F800000 ? (bits >> 16) | 0x0040 : rounded);
}
