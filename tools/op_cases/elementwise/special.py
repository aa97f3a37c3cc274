# SPDX-License-Identifier: MIT
"""Cases: special functions, tests of numbers, searching."""
import torch

from ..case import fn, raw

ODD = lambda: torch.tensor([float("nan"), float("inf"), float("-inf"), -0.0, 0.0, 1.5, -2.5, 1e30])
for name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit", "sgn", "angle", "deg2rad", "rad2deg", "nan_to_num", "frac", "sinc"):
    fn(f"{name}_odd", lambda x, name=name: getattr(torch, name)(x), ODD)
for name in ("i0", "digamma"):
    fn(name, lambda x, name=name: getattr(torch, name)(x), ("pos", (3, 7)), tolerance=1e-4)
for name in ("entr", "erfcx", "ndtr", "log_ndtr", "i0e", "i1", "i1e", "expit", "exp2", "expm1", "sinc", "bessel_j0", "bessel_j1"):
    fn(name + "_special", lambda x, name=name: getattr(torch.special, name)(x * 3), (3, 7), tolerance=1e-4)
fn("ndtri", torch.special.ndtri, ("unit", (3, 7)), tolerance=1e-4)
fn("logit", torch.logit, ("unit", (3, 7)), tolerance=1e-4)
fn("logit_eps", lambda x: torch.logit(x, eps=0.1), (3, 7), tolerance=1e-4)
fn("polygamma", lambda x: torch.polygamma(2, x), ("pos", (3, 7)), tolerance=1e-4)
fn("mvlgamma", lambda x: torch.mvlgamma(x + 2, 3), ("pos", (3, 7)), tolerance=1e-4)
fn("zeta", lambda x, y: torch.special.zeta(x + 1.5, y), ("pos", (3, 7)), ("pos", (3, 7)), tolerance=1e-4)
for name in ("hypot", "copysign", "logaddexp2", "xlogy", "nextafter", "fmax", "fmin"):
    fn(name, lambda x, y, name=name: getattr(torch, name)(x, y), ("pos", (3, 7)), ("pos", (7,)))
fn("xlog1py", torch.special.xlog1py, ("pos", (3, 7)), ("pos", (3, 7)))
for name in ("gcd", "lcm"):
    fn(name, lambda x, y, name=name: getattr(torch, name)(x, y), ("signed", (3, 7), 40), ("signed", (7,), 40))
# Not all of these are numbers of double.
LARGE = [2**53 + 1, 2**63 - 1, -2**63, 0]
OTHERS = [2**53, 2**63 - 2, 5, 2**62 + 1]
for name in ("fmax", "fmin", "heaviside"):
    fn(f"{name}_int64", getattr(torch, name), lambda: torch.tensor(LARGE), lambda: torch.tensor(OTHERS))
fn("heaviside", torch.heaviside, lambda: torch.tensor([-1.0, 0.0, 2.0]), (3,))
fn("ldexp", lambda x, y: torch.ldexp(x, y), (3, 7), ("signed", (7,), 5))
fn("lerp", lambda x, y: torch.lerp(x, y, 0.3), (3, 7), (3, 7))
fn("lerp_tensor", torch.lerp, (3, 7), (3, 7), (7,))
fn("addcmul", lambda x, y, z: torch.addcmul(x, y, z, value=0.5), (3, 7), (3, 7), (7,))
fn("addcdiv", lambda x, y, z: torch.addcdiv(x, y, z, value=2), (3, 7), (3, 7), ("pos", (7,)))
fn("float_power", lambda x: torch.float_power(x, 2), ("signed", (3, 7), 9))
fn("isclose", lambda x, y: torch.isclose(x, y, rtol=0.5, atol=0.1), (3, 7), (3, 7))
fn("isclose_odd", lambda x: torch.isclose(x, x, equal_nan=True), ODD)
fn("isclose_infinite", lambda x: torch.isclose(x, -x), ODD)
COMPLEX = lambda: torch.tensor([float("nan"), float("inf"), float("-inf"), -0.0, 1.5, 300.0]).to(torch.complex64)
for name, numbers in (("default", (None, None, None)), ("numbers", (1.0, 2.0, None))):
    raw(f"nan_to_num_complex_{name}", "aten::nan_to_num", lambda x, numbers=numbers: torch.nan_to_num(x, *numbers), ["$0", *numbers], COMPLEX)
raw("float_power_complex", "aten::float_power", torch.float_power, ["$0", "$1"], lambda: torch.tensor([1 + 2j, -3j, 0.5]), ("pos", (3,)),
    tolerance=1e-10)
fn("nan_to_num_numbers", lambda x: torch.nan_to_num(x, 1.0, 2.0, -3.0), ODD)
for right in (False, True):
    fn(f"bucketize_{int(right)}", lambda x, right=right: torch.bucketize(x, torch.tensor([-1.0, 0.0, 0.5, 1.0]), right=right), (3, 7))
    fn(f"searchsorted_{int(right)}", lambda s, x, right=right: torch.searchsorted(s, x, right=right), lambda: torch.randn(3, 6).sort(1)[0], (3, 4))
fn("searchsorted_shared", lambda s, x: torch.searchsorted(s, x, out_int32=True), lambda: torch.randn(6).sort()[0], (3, 4))
for rule in ("linear", "lower", "higher", "midpoint", "nearest"):
    fn(f"quantile_{rule}", lambda x, rule=rule: torch.quantile(x, 0.3, dim=1, interpolation=rule), (3, 7))
fn("quantile_all", lambda x: torch.quantile(x, 0.75), (3, 7))
fn("quantile_several", lambda x, q: torch.quantile(x, q, dim=0, keepdim=True), (5, 3), lambda: torch.tensor([0.0, 0.25, 1.0]))
fn("nanquantile", lambda x: torch.nanquantile(x, 0.5, dim=0), lambda: torch.tensor([[1.0, float("nan")], [3.0, 2.0], [2.0, 4.0]]))
fn("one_hot_sized", lambda i: torch.nn.functional.one_hot(i, 6), ("int", (2, 3), 6))
fn("one_hot_counted", lambda i: torch.nn.functional.one_hot(i), lambda: torch.tensor([0, 3, 1]))
