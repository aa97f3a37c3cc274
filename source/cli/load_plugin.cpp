// SPDX-License-Identifier: MIT
#include "cli/load_plugin.hpp"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <filesystem>

#include "data/byte_source.hpp"
#include "kuiper_infer/layer/abstract/layer_factory.hpp"
#include "kuiper_infer/utils/error.hpp"
#include "kuiper_infer/version.h"

namespace kuiper_infer::cli {
namespace {

[[noreturn]] void Fail(const std::string& file, const std::string& text) {
  throw Error(ErrorCode::kFile, file + ": " + text);
}

/// Throws for a file that is no whole shared object: the loader maps a truncated one without complaint, and dies of it.
/// The table of sections comes last in a file.
void CheckSharedObject(const std::string& file) {
  const auto source = ByteSource::OpenFile(file);
  Elf64_Ehdr header{};
  source->Read(0, std::min<uint64_t>(source->size(), sizeof(header)), &header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) {
    Fail(file, "is not a shared object (64-bit ELF)");
  }
  const uint64_t size = source->size();
  const uint64_t table = uint64_t{header.e_shentsize} * header.e_shnum;
  if (size < sizeof(header) || header.e_shoff > size || table > size - header.e_shoff) Fail(file, "is incomplete");
}

}  // namespace

void ShowLibrary() {
  Dl_info module{};
  if (dladdr(reinterpret_cast<const void*>(&ShowLibrary), &module) == 0) return;
  dlopen(module.dli_fname,
         RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);  // no effect in the program, whose functions are visible
}

void LoadPlugin(const std::string& file) {
  CheckSharedObject(file);
  const std::size_t types = LayerRegisterer::Registry().size();
  // dlopen looks for a file without a folder in its name in the system's folders.
  if (dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    const char* const reason = dlerror();
    Fail(file, std::string("cannot be loaded, it has to be compiled with the headers of version " KUIPER_VERSION ": ") +
                   (reason == nullptr ? "unknown reason" : reason));
  }
  const std::vector<std::string>& errors = LayerRegisterer::wrapper_errors();
  if (!errors.empty()) throw Error(ErrorCode::kArgument, file + ": " + errors.front());
  if (LayerRegisterer::Registry().size() == types) {
    throw Error(ErrorCode::kArgument, file + ": registers no operator, expected a LayerRegistererWrapper in it");
  }
}

}  // namespace kuiper_infer::cli
