// SPDX-License-Identifier: MIT
// The module has no files. Without this, Emscripten's function for builds without them would answer each call to open with
// descriptor 0 instead of an error.
mergeInto(LibraryManager.library, {
  __syscall_open: function () {
    return -{{{ cDefine("ENOENT") }}};
  },
});
