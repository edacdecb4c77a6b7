import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  addQuantities,
  canonicalQuantity,
  formatQuantity,
  parseQuantity,
  quantityFault,
} from "./quantity.ts";

/**
 * Output of kube-apiserver 1.36.3 for a quantity in a resource list. `field` is set if the output differs for a quantity outside
 * of a resource list.
 */
const rows: readonly (readonly [written: string, list: string, field?: string])[] = [
  ["0", "0"],
  ["000", "0"],
  ["-0", "0"],
  ["+", "0"],
  [".", "0"],
  ["0Ki", "0"],
  ["0e3", "0"],
  ["1000", "1k"],
  ["1000000", "1M"],
  ["1023", "1023"],
  ["2048", "2048"],
  ["1000m", "1"],
  ["100000m", "100"],
  ["1001m", "1001m"],
  ["0.5", "500m"],
  [".5", "500m"],
  ["00.5", "500m"],
  ["1.50", "1500m"],
  ["0.5k", "500"],
  ["0.5E", "500P"],
  ["1000T", "1P"],
  ["1024Mi", "1Gi"],
  ["1.5Gi", "1536Mi"],
  ["8Ki", "8Ki"],
  ["1023Ki", "1023Ki"],
  ["10240Ki", "10Mi"],
  ["1.1Ki", "1126400m"],
  ["0.001Ki", "1024m"],
  ["100000000000Ki", "97656250Mi"],
  ["10000000000000Ki", "9765625000Mi"],
  ["1024Ei", "9223372036854775807"],
  ["-0.5Ki", "-512"],
  ["1e3", "1e3"],
  ["1E3", "1E3"],
  ["1e+3", "1e+3"],
  ["1e0", "1e0"],
  ["1e1", "10"],
  ["1e4", "10e3"],
  ["1e20", "100e18"],
  ["1.25e3", "1250"],
  ["12e-4", "2e-3", "1200e-6"],
  ["1e-10", "1e-3", "1e-9"],
  ["0.1e-333", "1e-3", "1e-9"],
  ["1u", "1m", "1u"],
  ["1500u", "2m", "1500u"],
  ["-1500u", "-2m", "-1500u"],
  ["0.0001", "1m", "100u"],
  ["3.14159265", "3142m", "3141592650n"],
  ["+1", "+1"],
  ["01", "01"],
  ["1.", "1."],
  ["5.Ki", "5.Ki"],
  [" 1 ", "1"],
  ["+1.5k", "1500"],
  ["+123456789012345678901", "123456789012345678901"],
  ["123456789012345678901234567890", "123456789012345678901234567890"],
  ["12345678901234567890k", "12345678901234567890k"],
];

test("quantities have the canonical form of Kubernetes", () => {
  for (const [written, list, field = list] of rows) {
    assert.equal(canonicalQuantity(written, "milli"), list, `${written} in a list`);
    assert.equal(canonicalQuantity(written, "nano"), field, written);
  }
});

test("quantities beyond the largest suffix keep their size", () => {
  assert.equal(canonicalQuantity("1000E", "nano"), "1e21");
});

test("an invalid quantity has an error message", () => {
  const format =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  const suffix = "unable to parse quantity's suffix";
  const faults: readonly (readonly [string, string])[] = [
    ["", format],
    ["abc", format],
    ["1.2.3", format],
    ["1x", format],
    ["1Kii", suffix],
    ["1e", suffix],
    ["0e", suffix],
    ["1ee3", suffix],
    ["1e99999999999999999999", suffix],
    ["1e1001", suffix],
    ["1".repeat(129), "quantities have at most 128 characters"],
  ];
  for (const [text, why] of faults) {
    assert.equal(quantityFault(text), why, text);
    assert.equal(canonicalQuantity(text, "nano"), undefined, text);
  }
});

const suffixes = [
  "",
  "n",
  "u",
  "m",
  "k",
  "M",
  "G",
  "T",
  "P",
  "E",
  "Ki",
  "Mi",
  "Gi",
  "Ti",
  "Pi",
  "Ei",
  "e3",
  "E-7",
  "e12",
];
const quantity = fc
  .tuple(
    fc.constantFrom("", "-", "+"),
    fc.bigInt(0n, 10n ** 24n),
    fc.option(fc.bigInt(0n, 10n ** 12n), { nil: undefined }),
    fc.constantFrom(...suffixes),
  )
  .map(([sign, whole, part, suffix]) => `${sign}${whole}${part === undefined ? "" : `.${part}`}${suffix}`);

test("a canonical quantity has the same amount and is unchanged by canonicalization", () => {
  fc.assert(
    fc.property(quantity, fc.constantFrom("nano" as const, "milli" as const), (text, precision) => {
      const canonical = canonicalQuantity(text, precision) ?? assert.fail(text);
      const [given, found] = [parseQuantity(text), parseQuantity(canonical)];
      assert.ok(given && found);
      const lost = found.nano - given.nano;
      assert.ok(
        (lost < 0n ? -lost : lost) < (precision === "milli" ? 10n ** 6n : 1n),
        `${text}: ${canonical}`,
      );
      assert.equal(canonicalQuantity(canonical, precision), canonical, text);
    }),
  );
});

test("formatted quantities can be parsed, and sums are exact", () => {
  fc.assert(
    fc.property(quantity, quantity, (one, other) => {
      const [a, b] = [parseQuantity(one), parseQuantity(other)];
      assert.ok(a && b);
      const sum = addQuantities(a, b);
      assert.equal(parseQuantity(formatQuantity(sum))?.nano, a.nano + b.nano);
    }),
  );
});

test("a sum beyond the binary suffixes keeps its amount", () => {
  const [a, b] = [parseQuantity("7Ei"), parseQuantity("3Ei")];
  assert.ok(a && b);
  const sum = addQuantities(a, b);
  assert.equal(formatQuantity(sum), "11529215046068469760");
  assert.equal(parseQuantity(formatQuantity(sum))?.nano, a.nano + b.nano);
});
