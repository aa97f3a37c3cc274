// SPDX-License-Identifier: MIT
#pragma once

#include "../runtime/ir.h"
