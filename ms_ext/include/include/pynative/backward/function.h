// Where MindSpore has it: mindspore::pynative::autograd::Function.
#pragma once

#include "ms_extension/autograd.h"
