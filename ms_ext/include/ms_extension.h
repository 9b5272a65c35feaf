// The umbrella of MindSpore's older tutorials: api.h, and operators with a gradient.
#pragma once

#include "include/pynative/backward/function.h"
#include "ms_extension/api.h"
