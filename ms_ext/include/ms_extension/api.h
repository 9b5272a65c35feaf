// What an operator in C++ includes: tensors, PyboostRunner, pybind11. <ms_extension/all.h> is the
// same; function.h (operators with a gradient) is included by those who need it, as in MindSpore.
#pragma once

// The usual headers of C++ that operators rely on without including them.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ms_extension/caster.h"
#include "ms_extension/dispatch.h"
#include "ms_extension/factories.h"
#include "ms_extension/logging.h"
#include "ms_extension/profiler.h"
#include "ms_extension/runner.h"
#include "ms_extension/tensor_methods.h"
#include "ms_extension/types.h"

// The device's libraries, for operators built with backend="Ascend", enable_atb or enable_asdsip.
#ifdef CUSTOM_ASCEND_OP
#include "include/pynative/backward/function.h"
#include "ms_extension/aclnn.h"
#ifdef CUSTOM_ENABLE_ATB
#include "ms_extension/atb.h"
#endif
#ifdef CUSTOM_ENABLE_ASDSIP
#include "ms_extension/asdsip.h"
#endif
#endif
