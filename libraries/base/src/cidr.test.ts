import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { networkAddress, overlaps, parseCidr, parseIpv4Range } from "./cidr.ts";

const ipv4 = fc.record({
  bits: fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }),
  prefix: fc.integer({ min: 0, max: 32 }),
});

function textOf(bits: bigint, prefix: number): string {
  const octets = [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n);
  return `${octets.join(".")}/${prefix}`;
}

/** Returns the first and last address, computed with bigints to avoid overflow. */
function rangeOf({ bits, prefix }: { bits: bigint; prefix: number }): [bigint, bigint] {
  const size = 2n ** BigInt(32 - prefix);
  const start = (bits / size) * size;
  return [start, start + size - 1n];
}

test("networks overlap exactly when their ranges do", () => {
  fc.assert(
    fc.property(ipv4, ipv4, (one, other) => {
      const [a, b] = [one, other].map(({ bits, prefix }) => parseCidr(textOf(bits, prefix)));
      assert.ok(a && b);
      const [from, to] = rangeOf(one);
      const [otherFrom, otherTo] = rangeOf(other);
      assert.equal(overlaps(a, b), from <= otherTo && otherFrom <= to);
    }),
  );
});

test("a network's address is the first of its range", () => {
  fc.assert(
    fc.property(ipv4, (one) => {
      const cidr = parseCidr(textOf(one.bits, one.prefix));
      assert.ok(cidr);
      assert.equal(`${networkAddress(cidr)}/0`, textOf(rangeOf(one)[0], 0));
    }),
  );
});

for (const text of [
  "10.0.0.0",
  "10.0.0/8",
  "10.0.0.0/33",
  "010.0.0.0/8",
  "10.0.0.0/-1",
  "::/129",
  "fe80::1%1/64",
  "/8",
  "",
]) {
  test(`'${text}' is no CIDR`, () => assert.equal(parseCidr(text), undefined));
}

for (const text of ["10.0.0.0", "10.0.0.0/33", "10.0.0.256/8", "fd00::/64", "10.0.0.0/x", ""]) {
  test(`'${text}' is no IPv4 range`, () => assert.equal(parseIpv4Range(text), undefined));
}

test("parseIpv4Range returns the canonical form and both ends of a network", () => {
  assert.deepEqual(parseIpv4Range("10.1.2.3/16"), {
    text: "10.1.0.0/16",
    first: 0x0a_01_00_00,
    last: 0x0a_01_ff_ff,
    prefixLength: 16,
  });
});
