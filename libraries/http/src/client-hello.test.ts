import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { longestHelloBytes, readClientHello } from "./client-hello.ts";
import { clientHelloFor } from "./testing/client-hello.ts";

let hello: Buffer;
before(async () => {
  hello = await clientHelloFor("Management.Azure.com");
});

test("the name is read from a real client's message, in lower case", () =>
  assert.deepEqual(readClientHello(hello), { kind: "complete", name: "management.azure.com" }));

test("a ClientHello without a server name differs from an incomplete one", async () => {
  assert.deepEqual(readClientHello(await clientHelloFor()), { kind: "complete" });
  for (let length = 0; length < hello.length; length++)
    assert.deepEqual(readClientHello(hello.subarray(0, length)), { kind: "incomplete" }, `${length} bytes`);
});

test("a message that spans records of any sizes is the same", () => {
  const message = hello.subarray(5);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (sizes) => {
      const records: Buffer[] = [];
      for (let at = 0, turn = 0; at < message.length; turn++) {
        const part = message.subarray(at, at + (sizes[turn % sizes.length] ?? 1));
        records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 0xff]), part);
        at += part.length;
      }
      assert.deepEqual(readClientHello(Buffer.concat(records)), {
        kind: "complete",
        name: "management.azure.com",
      });
    }),
  );
});

test("no input makes it throw", () => {
  const changed = fc
    .array(fc.tuple(fc.nat(hello.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 })
    .map((changes) => {
      const bytes = Buffer.from(hello);
      for (const [at, value] of changes) bytes[at] = value;
      return bytes;
    });
  fc.assert(
    fc.property(
      fc.oneof(
        changed,
        fc.uint8Array().map((each) => Buffer.from(each)),
      ),
      (data) => void readClientHello(data),
    ),
  );
});

const record = (...bytes: number[]) =>
  Buffer.from([22, 3, 1, bytes.length >> 8, bytes.length & 0xff, ...bytes]);
const cases: readonly (readonly [what: string, data: Buffer])[] = [
  ["a request", Buffer.from("GET / HTTP/1.1\r\n\r\n")],
  ["another handshake message", record(2, 0, 0, 0)],
  ["an empty record", record()],
  ["a message longer than the limit", record(1, 0xff, 0xff, 0xff)],
  [
    "a message that never ends",
    Buffer.concat([record(1, 0, 0x40, 0), Buffer.alloc(longestHelloBytes + 1, record(0))]),
  ],
];
for (const [what, data] of cases)
  test(`${what} is malformed`, () => assert.equal(readClientHello(data).kind, "malformed"));
