// SPDX-License-Identifier: MIT
#include "kernel/elementwise/special_functions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include <gtest/gtest.h>

namespace kuiper_infer::kernel {
namespace {

constexpr double kEuler = 0.57721566490153286061;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void ExpectRelative(double got, double want, double allowed = 1e-12) {
  EXPECT_NEAR(got, want, allowed * std::max(1.0, std::abs(want)));
}

TEST(SpecialFunctionsTest, KnownValues) {
  ExpectRelative(Digamma(1), -kEuler);
  ExpectRelative(Digamma(0.5), -kEuler - 2 * std::log(2.0));
  ExpectRelative(Digamma(-0.5), Digamma(0.5) + 2);
  ExpectRelative(HurwitzZeta(2, 1), M_PI * M_PI / 6);
  ExpectRelative(HurwitzZeta(4, 1), std::pow(M_PI, 4) / 90);
  ExpectRelative(HurwitzZeta(2, 0.5), M_PI * M_PI / 2);
  ExpectRelative(Polygamma(1, 1), M_PI * M_PI / 6);
  ExpectRelative(Polygamma(3, 1), std::pow(M_PI, 4) / 15);
  ExpectRelative(BesselI(0, 1, false), 1.2660658777520083356);
  ExpectRelative(BesselI(1, -1, false), -0.56515910399248502721);
  ExpectRelative(ScaledErfc(1), 0.42758357615580700442);
  ExpectRelative(LogNormalIntegral(0), -std::log(2.0));
}

using Special = double (*)(double, double);
const std::map<std::string, Special> kSpecial = {
    {"digamma", [](double x, double) { return Digamma(x); }},
    {"zeta", HurwitzZeta},
    {"polygamma", [](double order, double x) { return Polygamma(static_cast<int>(order), x); }},
    {"i0", [](double x, double) { return BesselI(0, x, false); }},
    {"i0e", [](double x, double) { return BesselI(0, x, true); }},
    {"i1", [](double x, double) { return BesselI(1, x, false); }},
    {"i1e", [](double x, double) { return BesselI(1, x, true); }},
    {"erfcx", [](double x, double) { return ScaledErfc(x); }},
    {"erfinv", [](double x, double) { return InverseErf(x); }},
    {"log_ndtr", [](double x, double) { return LogNormalIntegral(x); }},
};

/// Values that mpmath computed with 50 digits.
struct Known {
  const char* name;
  double a, b;
  double value;
};
constexpr Known kKnown[] = {
    {"digamma", -37.4375, 0.0, 4.2608706475538917346},
    {"digamma", -7.3125, 0.0, 4.1555508411780452658},
    {"digamma", -2.5625, 0.0, 0.49869385049721855459},
    {"digamma", -0.0625, 0.0, 15.31499932550430223},
    {"digamma", 0.0009765625, 0.0, -1024.5756104293406219},
    {"digamma", 0.3125, 0.0, -3.3551055762098399163},
    {"digamma", 1.4375, 0.0, -0.023613544005297899142},
    {"digamma", 2.75, 0.0, 0.81890102497543259228},
    {"digamma", 9.9375, 0.0, 2.2451580165141401678},
    {"digamma", 10.0625, 0.0, 2.2583039972732653579},
    {"digamma", 57.5, 0.0, 4.0430640916027097178},
    {"digamma", 1000000.0, 0.0, 13.815510057964190771},
    {"zeta", 1.0625, 0.5, 18.050021021803593171},
    {"zeta", 1.5, 3.25, 1.2012173113703717397},
    {"zeta", 2.0, 0.0625, 257.50642004291541426},
    {"zeta", 2.5, 7.75, 0.034050219958540894635},
    {"zeta", 3.0, 1.0, 1.2020569031595942854},
    {"zeta", 3.0, -2.5, 0.054102025820863701502},
    {"zeta", 4.75, 11.5, 0.000032968470928709125962},
    {"zeta", 10.0, 0.75, 17.761481181337004353},
    {"zeta", 17.5, 2.25, 6.8787346812991063714e-7},
    {"zeta", 30.0, 5.5, 6.1950151978564512923e-23},
    {"polygamma", 1.0, 0.25, 17.197329154507110739},
    {"polygamma", 1.0, 12.5, 0.083285224601578370444},
    {"polygamma", 2.0, 0.75, -5.3026332163376396314},
    {"polygamma", 2.0, 3.5, -0.108204051641727403},
    {"polygamma", 3.0, 7.25, 0.0064330375979401566587},
    {"polygamma", 4.0, 1.5, -3.4742498266672251905},
    {"polygamma", 5.0, 20.5, 7.4766576402396593713e-6},
    {"i0", 0.0625, 0.0, 1.0009768009444507521},
    {"i0e", 0.0625, 0.0, 0.940330682380461363},
    {"i0", 0.75, 0.0, 1.1456467780440013276},
    {"i0e", 0.75, 0.0, 0.54116521920349532314},
    {"i0", 2.5, 0.0, 3.2898391440501230357},
    {"i0e", 2.5, 0.0, 0.27004644161220273956},
    {"i0", -7.5, 0.0, 268.16131151518936488},
    {"i0e", -7.5, 0.0, 0.14831583007739550284},
    {"i0", 19.0, 0.0, 16446190.440611710822},
    {"i0e", 19.0, 0.0, 0.092144657211718757775},
    {"i0", 88.0, 0.0, 7.0340196973223037758e+36},
    {"i0e", 88.0, 0.0, 0.042588188991696896281},
    {"i0", 312.5, 0.0, 1.1767511906949919116e+134},
    {"i0e", 312.5, 0.0, 0.022576626678336350321},
    {"i0", 499.5, 0.0, 1.5200043174871747509e+215},
    {"i0e", 499.5, 0.0, 0.01785464052822134757},
    {"i0", 501.0, 0.0, 6.8019761010000732206e+215},
    {"i0e", 501.0, 0.0, 0.017827878603696937348},
    {"i0", 700.0, 0.0, 1.5295933476718737363e+302},
    {"i0e", 700.0, 0.0, 0.015081295651531357587},
    {"i1", 0.0625, 0.0, 0.031265261272791485444},
    {"i1e", 0.0625, 0.0, 0.029370994851936599621},
    {"i1", 0.75, 0.0, 0.40199246158092220525},
    {"i1e", 0.75, 0.0, 0.18988779330485501727},
    {"i1", 2.5, 0.0, 2.5167162452886984415},
    {"i1e", 2.5, 0.0, 0.20658464953126655421},
    {"i1", -7.5, 0.0, -249.5843654226881361},
    {"i1e", -7.5, 0.0, -0.13804121154855420249},
    {"i1", 19.0, 0.0, 16007373.785836995498},
    {"i1e", 19.0, 0.0, 0.089686056821614961777},
    {"i1", 88.0, 0.0, 6.9939388227902535037e+36},
    {"i1e", 88.0, 0.0, 0.042345515252785807584},
    {"i1", 312.5, 0.0, 1.1748668777041213477e+134},
    {"i1e", 312.5, 0.0, 0.022540475084629528517},
    {"i1", 499.5, 0.0, 1.5184820285900356451e+215},
    {"i1e", 499.5, 0.0, 0.01783675905201379687},
    {"i1", 501.0, 0.0, 6.7951843074903744212e+215},
    {"i1e", 501.0, 0.0, 0.017810077413514207294},
    {"i1", 700.0, 0.0, 1.5285003902339006881e+302},
    {"i1e", 700.0, 0.0, 0.015070519444716846949},
    {"erfcx", -5.5, 0.0, 27443409954929.709659},
    {"erfcx", -1.25, 0.0, 9.1736434474828444344},
    {"erfcx", -0.0625, 0.0, 1.0746215300274210361},
    {"erfcx", 0.03125, 0.0, 0.96569222461770288705},
    {"erfcx", 0.75, 0.0, 0.50693765029314480579},
    {"erfcx", 2.5, 0.0, 0.21080636406114358065},
    {"erfcx", 7.75, 0.0, 0.072207170814669760508},
    {"erfcx", 19.5, 0.0, 0.028894903811938217647},
    {"erfcx", 20.5, 0.0, 0.027488815151934872126},
    {"erfcx", 97.0, 0.0, 0.0058160784221393513743},
    {"erfcx", 100000.0, 0.0, 5.6418958351954680777e-6},
    {"erfinv", -0.9999999990686774, 0.0, -4.3280282758009464554},
    {"erfinv", -0.96875, 0.0, -1.523019401996956111},
    {"erfinv", -0.5625, 0.0, -0.54901309236850152043},
    {"erfinv", -0.125, 0.0, -0.11123545184094995915},
    {"erfinv", 0.000244140625, 0.0, 0.0002163639988481080673},
    {"erfinv", 0.375, 0.0, 0.34561711478320660073},
    {"erfinv", 0.625, 0.0, 0.62730734778855896105},
    {"erfinv", 0.9921875, 0.0, 1.8809517454731394206},
    {"erfinv", 0.9999990463256836, 0.0, 3.4655050258033307173},
    {"erfinv", 0.9999999999999432, 0.0, 5.3140172701697468573},
    {"log_ndtr", -38.5, 0.0, -745.69527029041108133},
    {"log_ndtr", -20.25, 0.0, -208.96076728764923992},
    {"log_ndtr", -7.5, 0.0, -31.075890902890001243},
    {"log_ndtr", -1.125, 0.0, -2.0379578745025305556},
    {"log_ndtr", -0.875, 0.0, -1.6565979035822067142},
    {"log_ndtr", -0.0625, 0.0, -0.74426716160764088226},
    {"log_ndtr", 0.5, 0.0, -0.36894641528865639307},
    {"log_ndtr", 2.25, 0.0, -0.012299806091449408906},
    {"log_ndtr", 6.5, 0.0, -4.0160005839397591118e-11},
};

TEST(SpecialFunctionsTest, TwelveDigitsAreRightOnBothSidesOfEachChangeOfMethod) {
  for (const Known& known : kKnown) {
    const double error = std::abs(kSpecial.at(known.name)(known.a, known.b) / known.value - 1);
    EXPECT_LE(error, 1e-13) << known.name << " of " << known.a << ", " << known.b;
  }
}

TEST(SpecialFunctionsTest, Identities) {
  for (double x = -0.999; x < 1; x += 0.01) ExpectRelative(std::erf(InverseErf(x)), x, 1e-14);
  for (double x = 0.1; x < 30; x += 0.37) {
    ExpectRelative(Digamma(x + 1), Digamma(x) + 1 / x);
    ExpectRelative(HurwitzZeta(3, x), HurwitzZeta(3, x + 1) + std::pow(x, -3));
  }
  // The function is continuous where the method changes.
  ExpectRelative(BesselI(0, 499.9999, true) / BesselI(0, 500.0001, true), 1, 1e-6);
  ExpectRelative(ScaledErfc(19.9999) / ScaledErfc(20.0001), 1, 2e-5);
  EXPECT_NEAR(LogNormalIntegral(-1.0000001) - LogNormalIntegral(-0.9999999), 0, 1e-6);
}

TEST(SpecialFunctionsTest, EndsOfTheDomain) {
  EXPECT_EQ(InverseErf(1), kInfinity);
  EXPECT_EQ(InverseErf(-1), -kInfinity);
  EXPECT_TRUE(std::isnan(InverseErf(1.5)));
  EXPECT_TRUE(std::isnan(Digamma(-3)));
  EXPECT_EQ(Digamma(0.0), -kInfinity);
  EXPECT_EQ(HurwitzZeta(1, 2), kInfinity);
  EXPECT_TRUE(std::isnan(HurwitzZeta(0.5, 2)));
  EXPECT_TRUE(std::isnan(BesselI(0, std::nan(""), true)));
  EXPECT_EQ(BesselI(0, 1e9, false), kInfinity);
}

}  // namespace
}  // namespace kuiper_infer::kernel
