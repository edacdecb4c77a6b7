import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { declaredLength, mediaTypeOf, receiveBody } from "./receive-body.ts";

const limits = { maxBytes: 10, receiveMs: 10_000 };
const { signal } = new AbortController();

for (const { name, chunks, declared, expected } of [
  { name: "of the maximum length", chunks: ["12345", "67890"], expected: "1234567890" },
  { name: "without bytes", chunks: [], expected: "" },
  { name: "one byte too large", chunks: ["1234567890", "1"], expected: { kind: "too-large", isRead: true } },
  {
    name: "more than eight times too large",
    chunks: Array.from({ length: 9 }, () => "1234567890"),
    expected: { kind: "too-large", isRead: false },
  },
  {
    name: "declared as more than eight times too large",
    chunks: ["1"],
    declared: 81,
    expected: { kind: "too-large", isRead: false },
  },
]) {
  test(`receiveBody receives a body ${name} as ${JSON.stringify(expected)}`, async () => {
    const stream = Readable.from(chunks.map((each) => Buffer.from(each)));
    const received = await receiveBody(stream, limits, signal, declared);
    if (typeof expected !== "string") assert.deepEqual(received, expected);
    else assert.deepEqual(received, { kind: "complete", bytes: Buffer.from(expected) });
    stream.destroy();
  });
}

test("receiveBody pauses the stream after the time limit, and after one second of a body that is too large", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [slow, large] = [new PassThrough(), new PassThrough()];
  const late = receiveBody(slow, limits, signal);
  const unread = receiveBody(large, limits, signal);
  slow.write("x");
  large.write("12345678901");
  await setImmediate();
  // The time advances in steps, because real delays of this process and rounding extend the limits.
  const advanced = async <T>(result: Promise<T>): Promise<T> => {
    let isSettled = false;
    void result.then(() => {
      isSettled = true;
    });
    for (; !isSettled; await setImmediate()) context.mock.timers.tick(500);
    return result;
  };
  assert.deepEqual(await advanced(unread), { kind: "too-large", isRead: false });
  assert.equal(slow.listenerCount("data"), 1);
  assert.deepEqual(await advanced(late), { kind: "late" });
  for (const stream of [slow, large]) {
    assert.equal(stream.isPaused(), true);
    assert.equal(stream.listenerCount("data"), 0);
  }
});

test("receiveBody reports a broken stream and an aborted signal", async () => {
  const [broken, slow] = [new PassThrough(), new PassThrough()];
  const received = receiveBody(broken, limits, signal);
  const cause = new Error("reset");
  broken.destroy(cause);
  assert.deepEqual(await received, { kind: "broken", cause });
  assert.deepEqual(await receiveBody(slow, limits, AbortSignal.abort()), { kind: "aborted" });
});

test("headers of a body are read without parameters and unsafe numbers", () => {
  assert.equal(mediaTypeOf("Application/JSON ; charset=utf-8"), "application/json");
  assert.equal(mediaTypeOf(undefined), "");
  assert.deepEqual(["12", undefined, "-1", "1".repeat(16)].map(declaredLength), [
    12,
    undefined,
    undefined,
    undefined,
  ]);
});
