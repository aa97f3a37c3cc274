// SPDX-License-Identifier: MIT
#pragma once

// RuntimeDataType, where programs expect it.
#include "../utils/data_type.hpp"
