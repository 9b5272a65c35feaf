"""The kernels of the articles on custom operators, in C++ for this CPU.

They stand for the device kernels that the articles print: the same names, the same operands. What
a device kernel is told beside them, sizes of blocks and of heads, a kernel here reads from shapes.
"""

from custom_kernels import elementwise

#: 003, 4.1: out = x * y in half precision.
MY_MUL = elementwise("my_mul", "a * b")
HEADS = 8
#: 002, 3.2: attention with its projections. Half precision in and out, wider in between.
ATTENTION = """
#include <cmath>
#include <vector>
typedef std::vector<float> Row;
static const int64_t HEADS = 8;

static Row widened(const void *p, int64_t n) {
  const Half *half = static_cast<const Half *>(p);
  return Row(half, half + n);
}

// out[rows, n] = x[rows, n] @ w[n, n] + bias
static Row projected(const Row &x, const Row &w, const float *bias, int64_t rows, int64_t n) {
  Row out(rows * n);
  for (int64_t r = 0; r < rows; ++r) {
    float *to = &out[r * n];
    for (int64_t k = 0; k < n; ++k) {
      float a = x[r * n + k];
      for (int64_t j = 0; j < n; ++j) to[j] += a * w[k * n + j];
    }
    for (int64_t j = 0; bias && j < n; ++j) to[j] += bias[j];
  }
  return out;
}

static void softmax(float *row, int64_t n) {
  float most = row[0], sum = 0;
  for (int64_t i = 1; i < n; ++i) most = row[i] > most ? row[i] : most;
  for (int64_t i = 0; i < n; ++i) sum += row[i] = std::exp(row[i] - most);
  for (int64_t i = 0; i < n; ++i) row[i] /= sum;
}

// One head of one sequence: q, k, v and out begin at its first element, H elements a row.
static void head(const float *q, const float *k, const float *v, float *out, int64_t S, int64_t H,
                 bool causal) {
  int64_t D = H / HEADS;
  Row score(S);
  for (int64_t i = 0; i < S; ++i) {
    for (int64_t j = 0; j < S; ++j) {
      float sum = 0;
      for (int64_t d = 0; d < D; ++d) sum += q[i * H + d] * k[j * H + d];
      score[j] = causal && j > i ? -1e4f : sum / std::sqrt(float(D));
    }
    softmax(score.data(), S);
    for (int64_t j = 0; j < S; ++j)
      for (int64_t d = 0; d < D; ++d) out[i * H + d] += score[j] * v[j * H + d];
  }
}

extern "C" int attention_fused_kernel(ABI) {  // x wq wk wv wo bq mask -> y
  if (nparam != 8 || ndims[0] != 3) return 1;
  for (int i = 0; i < nparam; ++i) if (strcmp(dtypes[i], "float16")) return 2;
  int64_t B = shapes[0][0], S = shapes[0][1], H = shapes[0][2];
  bool causal = count(6, ndims, shapes) != 0;
  Row x = widened(params[0], B * S * H), bq = widened(params[5], H), w[4];
  for (int i = 0; i < 4; ++i) w[i] = widened(params[1 + i], H * H);
  Row q = projected(x, w[0], bq.data(), B * S, H), k = projected(x, w[1], 0, B * S, H);
  Row v = projected(x, w[2], 0, B * S, H), mixed(B * S * H);
  for (int64_t b = 0; b < B; ++b)
    for (int64_t h = 0; h < HEADS; ++h) {
      int64_t at = b * S * H + h * (H / HEADS);
      head(&q[at], &k[at], &v[at], &mixed[at], S, H, causal);
    }
  Row y = projected(mixed, w[3], 0, B * S, H);
  for (int64_t i = 0; i < B * S * H; ++i) static_cast<Half *>(params[7])[i] = y[i];
  return 0;
}
"""
