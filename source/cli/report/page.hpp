// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kuiper_infer::cli {

/// The page of a report that shows this JSON. Its structure, style and script are the files page.html, *.css and *.js
/// beside this one, which the build puts together.
std::string MakePage(std::string json);

}  // namespace kuiper_infer::cli
