import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { proxyHeader } from "../testing/proxy-header.ts";
import { readProxyHeader } from "./proxy-protocol.ts";

test("the link identifier is read independently of the following bytes", () => {
  fc.assert(
    fc.property(fc.nat(0xff_ff_ff_ff), fc.uint8Array(), (id, rest) => {
      const header = proxyHeader({ linkId: id });
      const found = readProxyHeader(Buffer.concat([header, rest]));
      assert.deepEqual(found, { kind: "complete", bytes: header.length, linkId: `${id}` });
    }),
  );
});

test("a header that arrives in pieces is incomplete until its last byte", () => {
  const header = proxyHeader({ linkId: 7, fields: [{ type: 0x04, value: Buffer.alloc(9) }] });
  for (let length = 0; length < header.length; length++)
    assert.deepEqual(readProxyHeader(header.subarray(0, length)), { kind: "incomplete" }, `${length} bytes`);
});

test("no input makes it throw", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each)),
    fc
      .tuple(fc.uint8Array({ maxLength: 80 }), fc.nat(0xff_ff), fc.nat(0xff))
      .map(([rest, length, family]) =>
        Buffer.concat([
          proxyHeader({ linkId: 1 }).subarray(0, 13),
          Buffer.from([family, length >> 8, length & 0xff]),
          rest,
        ]),
      ),
  );
  fc.assert(fc.property(bytes, (data) => void readProxyHeader(data)));
});

const cases: readonly (readonly [what: string, data: Buffer, kind: string])[] = [
  ["a request", Buffer.from("GET /healthz/ready HTTP/1.1\r\n"), "absent"],
  ["a ClientHello", Buffer.from([0x16, 3, 1, 0, 5]), "absent"],
  ["an empty line with a different continuation", Buffer.from("\r\n\r\nGET"), "absent"],
  ["version 1 of the binary form", proxyHeader({ linkId: 1, version: 1 }), "malformed"],
  ["addresses of an unknown family", proxyHeader({ linkId: 1, family: 9 }), "malformed"],
  [
    "a field longer than the header",
    proxyHeader({ fields: [{ type: 1, value: Buffer.alloc(2), length: 50 }] }),
    "malformed",
  ],
  [
    "a header longer than any balancer's",
    proxyHeader({ fields: [{ type: 1, value: Buffer.alloc(5_000) }] }),
    "malformed",
  ],
];
for (const [what, data, kind] of cases)
  test(`${what} is ${kind}`, () => assert.equal(readProxyHeader(data).kind, kind));

test("headers without Azure's field, with a different subtype or from the load balancer have no link", () => {
  for (const header of [
    proxyHeader({}),
    proxyHeader({ fields: [{ type: 0xee, value: Buffer.from([2, 1, 0, 0, 0]) }] }),
    proxyHeader({ fields: [{ type: 0xee, value: Buffer.from([1, 1, 0, 0]) }] }),
    proxyHeader({ linkId: 5, isLocal: true }),
  ])
    assert.deepEqual(readProxyHeader(header), { kind: "complete", bytes: header.length });
});
