// SPDX-License-Identifier: MIT
// The linker takes the C interface, which JavaScript calls, from the library.
