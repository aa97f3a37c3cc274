# SPDX-License-Identifier: MIT
"""Cases: Fourier transforms and complex numbers."""
import torch

from ..case import fn, raw
from ..matrices import complex_of

fft = torch.fft
for length in (1, 2, 3, 8, 12, 17):
    fn(f"fft_{length}", lambda x: fft.fft(x), (2, length), tolerance=1e-4)
    fn(f"irfft_{length}", lambda x, length=length: fft.irfft(x, n=length), complex_of(2, length // 2 + 1), tolerance=1e-4)
for norm in ("ortho", "forward"):
    fn(f"fft_{norm}", lambda x, norm=norm: fft.fft(x, norm=norm), complex_of(2, 6))
    fn(f"ifft_{norm}", lambda x, norm=norm: fft.ifft(x, norm=norm), complex_of(2, 6))
    fn(f"rfft_{norm}", lambda x, norm=norm: fft.rfft(x, norm=norm), (2, 7))
    fn(f"hfft_{norm}", lambda x, norm=norm: fft.hfft(x, norm=norm), complex_of(2, 4))
fn("fft_first_axis", lambda x: fft.fft(x, dim=0), complex_of(6, 3))
fn("fft_padded", lambda x: fft.fft(x, n=9), complex_of(2, 6))
fn("fft_trimmed", lambda x: fft.fft(x, n=4), complex_of(2, 6))
fn("rfft_middle", lambda x: fft.rfft(x, dim=1), (2, 6, 3))
fn("ihfft", lambda x: fft.ihfft(x), (2, 6))
fn("hfft", lambda x: fft.hfft(x), complex_of(2, 4))
fn("fft2", lambda x: fft.fft2(x), complex_of(2, 4, 5))
fn("ifft2", lambda x: fft.ifft2(x), complex_of(2, 4, 5))
fn("rfft2", lambda x: fft.rfft2(x), (2, 4, 5))
fn("irfft2", lambda x: fft.irfft2(x, s=(4, 5)), complex_of(2, 4, 3))
fn("hfft2", lambda x: fft.hfft2(x), complex_of(2, 3, 4), tolerance=1e-4)
fn("ihfft2", lambda x: fft.ihfft2(x), (2, 4, 5))
fn("fftn", lambda x: fft.fftn(x), complex_of(2, 3, 4), tolerance=1e-4)
fn("fftn_axes", lambda x: fft.fftn(x, dim=(0, 2)), complex_of(2, 3, 4))
fn("ifftn", lambda x: fft.ifftn(x), complex_of(2, 3, 4))
fn("rfftn", lambda x: fft.rfftn(x), (2, 3, 4))
fn("irfftn", lambda x: fft.irfftn(x), complex_of(2, 3, 3))
fn("hfftn", lambda x: fft.hfftn(x), complex_of(2, 3, 3), tolerance=1e-4)
fn("ihfftn", lambda x: fft.ihfftn(x), (2, 3, 4))
for name in ("fftn", "ifftn"):
    raw(f"{name}_no_axes", f"aten::fft_{name}", lambda x, name=name: getattr(fft, name)(x, dim=()), ("$0", None, [], None), (2, 3))
    raw(f"{name}_no_lengths", f"aten::fft_{name}", lambda x, name=name: getattr(fft, name)(x, s=()), ("$0", [], None, None), complex_of(2, 3))
for name in ("fft", "ifft", "rfft", "ihfft"):  # the sign of a zero decides the angle of a negative number
    fn(f"{name}_angle", lambda x, name=name: torch.angle(getattr(fft, name)(x)[:, 0]), (9, 3))
    fn(f"{name}_angle_highest", lambda x, name=name: torch.angle(getattr(fft, name)(x)[:, 5]), (9, 10))
    fn(f"{name}2_angle", lambda x, name=name: torch.angle(getattr(fft, name + "2")(x)[:, 0, 0]), (9, 6, 5))
fn("fftshift", lambda x: fft.fftshift(x), (3, 4))
fn("ifftshift", lambda x: fft.ifftshift(x, dim=(1,)), (3, 5))
WINDOW = lambda: torch.hann_window(16)
fn("stft", lambda x, w: torch.stft(x, 16, 4, window=w, return_complex=True), (2, 60), WINDOW)
fn("stft_rank1", lambda x, w: torch.stft(x, 16, window=w, return_complex=True), (50,), WINDOW)
fn("stft_not_centered", lambda x, w: torch.stft(x, 16, 8, window=w, center=False, return_complex=True), (2, 60), WINDOW)
fn("stft_short_window", lambda x, w: torch.stft(x, 20, 5, 16, w, return_complex=True), (1, 60), WINDOW)
fn("stft_normalized", lambda x, w: torch.stft(x, 16, 4, window=w, normalized=True, return_complex=True), (1, 60), WINDOW)
fn("stft_two_sided", lambda x, w: torch.stft(x, 16, 4, window=w, onesided=False, return_complex=True), (1, 60), WINDOW)
fn("stft_constant_pad", lambda x, w: torch.stft(x, 16, 4, window=w, pad_mode="constant", return_complex=True), (1, 60), WINDOW)
fn("stft_real", lambda x, w: torch.view_as_real(torch.stft(x, 16, 4, window=w, return_complex=True)), (1, 60), WINDOW)
fn("istft", lambda x, w: torch.istft(x, 16, 4, window=w), complex_of(2, 9, 14), WINDOW, tolerance=1e-4)
fn("istft_length", lambda x, w: torch.istft(x, 16, 4, window=w, length=50), complex_of(2, 9, 14), WINDOW, tolerance=1e-4)
fn("complex_mul", lambda x, y: x * y, complex_of(2, 3), complex_of(3))
fn("complex_div", lambda x, y: x / y, complex_of(2, 3), complex_of(2, 3))
fn("complex_add_real", lambda x, y: x + y, complex_of(2, 3), (2, 3))
fn("complex_number", lambda x: x * 2.5 - 1, complex_of(2, 3))
fn("complex_abs", lambda x: torch.abs(x) * 2, complex_of(2, 3))
fn("complex_exp", lambda x: torch.exp(x), complex_of(2, 3), tolerance=1e-4)
fn("complex_conj", lambda x: torch.conj(x) * x, complex_of(2, 3))
fn("complex_angle", lambda x: torch.angle(x), complex_of(2, 3))
fn("complex_parts", lambda x: torch.real(x) + torch.imag(x), complex_of(2, 3))
fn("complex_of_parts", lambda x, y: torch.complex(x, y) * 2, (2, 3), (2, 3))
fn("complex_views", lambda x: torch.view_as_real(torch.view_as_complex(x) * 2), (2, 3, 2))
fn("complex_matmul", lambda x, y: torch.matmul(x, y), complex_of(2, 3), complex_of(3, 4))
fn("complex_polar", lambda x, y: torch.polar(x, y), ("pos", (2, 3)), (2, 3))
for two_sided in (False, True):
    kind = "complex" if two_sided else "real"
    fn(f"istft_two_sided_{kind}", lambda x, w, two_sided=two_sided: torch.istft(x, 16, 4, window=w, onesided=False, return_complex=two_sided),
       complex_of(2, 16, 14), WINDOW, tolerance=1e-4)
fn("istft_two_sided_rank2", lambda x, w: torch.istft(x, 20, 5, 16, w, onesided=False, length=52, return_complex=True),
   complex_of(20, 11), lambda: torch.hamming_window(16), tolerance=1e-4)
fn("istft_without_window", lambda x: torch.istft(x, 16, 4), complex_of(2, 9, 14), tolerance=1e-4)
fn("stft_without_window", lambda x: torch.stft(x, 16, 4, return_complex=True), (2, 60), tolerance=1e-4)
fn("istft_two_sided_double", lambda x: torch.istft(x, 16, 4, onesided=False, return_complex=True),
   (torch.complex128, complex_of(16, 14)), tolerance=1e-4)
fn("istft_complex_window", lambda x, w: torch.istft(x, 16, 4, window=w, onesided=False, return_complex=True), complex_of(16, 14),
   lambda: torch.complex(torch.hann_window(16), torch.hann_window(16)), tolerance=1e-4)
fn("stft_of_complex", lambda x, w: torch.stft(x, 16, 4, window=w, center=False, onesided=False, return_complex=True), complex_of(2, 60), WINDOW)
fn("complex_sub_constant", lambda x: x - 4j, complex_of(2, 3))
fn("complex_rsub_constant", lambda x, y: y * (1.2 - 0.9j - x), complex_of(2, 3), complex_of(3))
fn("complex_real_array", lambda x: (x * (2 - 3j) + 1) / (0.5 + 2j), (2, 300))
fn("complex_integer_array", lambda x: x * 2j - 3, ("int", (2, 3), 9))
fn("complex_power_constant", lambda x: x ** (0.5 + 1j), complex_of(2, 3), tolerance=1e-4)
fn("complex_double", lambda x: x * (1 / 3 + 1e-12j) + 1j, (torch.complex128, complex_of(2, 3)))
fn("complex_double_from_real", lambda x: x * (1 / 3 + 1e-12j), (torch.float64, (2, 3)))
fn("complex_constant_tiny", lambda x: x * (1e-30 + 2.5e-7j) * 1e20, complex_of(2, 3))
fn("complex_negative_zero", lambda x: x + (-1.5 - 0j), complex_of(2, 3))
