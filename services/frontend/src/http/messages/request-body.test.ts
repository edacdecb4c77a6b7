import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { CloudError } from "@keelson/arm";
import fc from "fast-check";
import { bodyLimitBytes, checkBody, checkTexts, parseJson, readBody } from "./request-body.ts";

const cutOff = {
  status: 413,
  body: { code: "InvalidResource", message: "The resource definition is invalid." },
};
const signal = new AbortController().signal;
const parse = (text: string) => parseJson(Buffer.from(text));

const malformed = [
  { name: "an empty body", text: "", reason: "unexpected end of JSON input" },
  { name: "a broken member", text: '{"a" 1}', reason: "invalid JSON at position 5" },
  { name: "plain text", text: "hunter2", reason: "invalid JSON" },
  {
    name: "200,000 nested arrays",
    text: "[".repeat(200_000) + "]".repeat(200_000),
    reason: "nested more than 100 levels deep",
  },
  {
    name: "200,000 nested objects",
    text: `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`,
    reason: "nested more than 100 levels deep",
  },
];

for (const { name, text, reason } of malformed) {
  test(`${name} is InvalidRequestContent`, () => {
    assert.throws(
      () => parse(text),
      (error) => {
        assert.ok(error instanceof CloudError);
        assert.equal(error.status, 400);
        assert.equal(error.body.code, "InvalidRequestContent");
        assert.equal(
          error.body.message,
          `The request content was invalid and could not be deserialized: "${reason}".`,
        );
        return true;
      },
    );
  });
}

for (const [name, text] of [
  ["a NUL in a value", '{"a":"\\u0000"}'],
  ["a NUL in a name", '{"a":{"\\u0000":1}}'],
  ["half a surrogate pair", '["\\ud800"]'],
] as const) {
  test(`${name} is a string that cannot be stored`, () => {
    const value = parse(text);
    assert.throws(() => checkTexts(value), {
      message:
        'The request content was invalid and could not be deserialized: "a string holds a NUL character or an unpaired surrogate".',
    });
  });
}

test("the error of a malformed body never quotes the body", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 40 }), (secret) => {
      assert.throws(
        () => parse(`{"clientSecret": s3cr3t-${secret}`),
        (error) => error instanceof CloudError && !error.message.includes("s3cr3t"),
      );
    }),
  );
});

test("properties named like those of Object.prototype are ordinary properties", () => {
  const value = parse('{"a":[{"__proto__":{"polluted":1},"b":2}],"\\u005f_proto__":3,"constructor":4}');
  assert.equal(
    JSON.stringify(value),
    '{"a":[{"__proto__":{"polluted":1},"b":2}],"__proto__":3,"constructor":4}',
  );
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal(Reflect.get({}, "polluted"), undefined);
});

test("any JSON is parsed as it is", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5, noUnicodeString: true }), (text) => {
      assert.equal(JSON.stringify(parse(text)), JSON.stringify(JSON.parse(text)));
    }),
  );
});

test("a body of exactly the limit is whole, one byte more is too large", async () => {
  const chunks = (length: number) => Readable.from([Buffer.alloc(length - 1, " "), Buffer.from("1")]);
  const whole = await readBody(chunks(bodyLimitBytes), signal, undefined);
  assert.deepEqual([whole.tooLarge, whole.bytes.length], [false, bodyLimitBytes]);
  const larger = await readBody(chunks(bodyLimitBytes + 1), signal, bodyLimitBytes + 1);
  assert.equal(larger.tooLarge, true);
  assert.throws(() => checkBody(larger, "application/json"), {
    message: "The resource definition is invalid.",
  });
});

test("a body without an end is given up after eight times the limit", async () => {
  const endless = Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(bodyLimitBytes);
    })(),
  );
  await assert.rejects(readBody(endless, signal, undefined), cutOff);
  assert.equal(endless.isPaused(), true);
  endless.destroy();
});

test("a body that declares an excessive size is not read", async () => {
  const stream = new PassThrough();
  await assert.rejects(readBody(stream, signal, 8 * bodyLimitBytes + 1), cutOff);
  assert.equal(stream.listenerCount("data"), 0);
});

/** Advances the mocked time until the promise is settled. The steps allow for real delays of this process. */
async function advanceUntil(settled: Promise<unknown>, tick: () => void): Promise<void> {
  let isSettled = false;
  const end = () => {
    isSettled = true;
  };
  settled.then(end, end);
  for (;;) {
    await setImmediate();
    if (isSettled) return;
    tick();
  }
}

test("a body over the limit gets a second to end, and one below it ten seconds per pause and 60 in total", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const large = new PassThrough({ highWaterMark: 4 * bodyLimitBytes });
  const tooLarge = readBody(large, signal, undefined);
  large.write(Buffer.alloc(bodyLimitBytes + 1));
  await setImmediate();
  context.mock.timers.tick(999);
  assert.ok(large.listenerCount("data") > 0);
  await advanceUntil(tooLarge, () => context.mock.timers.tick(1));
  await assert.rejects(tooLarge, cutOff);

  const paused = new PassThrough();
  const stopped = readBody(paused, signal, 100);
  paused.write("x");
  await setImmediate();
  context.mock.timers.tick(9_999);
  assert.ok(paused.listenerCount("data") > 0);
  await advanceUntil(stopped, () => context.mock.timers.tick(1_000));
  await assert.rejects(stopped, { status: 408 });

  const slow = new PassThrough();
  const late = readBody(slow, signal, 100);
  for (let pause = 0; pause < 6; pause++) {
    slow.write("x");
    await setImmediate();
    context.mock.timers.tick(9_999);
  }
  assert.ok(slow.listenerCount("data") > 0);
  await advanceUntil(late, () => {
    slow.write("x");
    context.mock.timers.tick(1_000);
  });
  await assert.rejects(late, {
    status: 408,
    body: { code: "InvalidRequestContent", message: "The request did not arrive in time." },
  });
  assert.equal(slow.listenerCount("data"), 0);
});

test("a connection that breaks is an incomplete body, and a signal that aborts is 503", async () => {
  const broken = new PassThrough();
  broken.write("{");
  process.nextTick(() => broken.destroy());
  await assert.rejects(readBody(broken, signal, undefined), { message: "The request body is incomplete." });
  const late = new AbortController();
  const slow = new PassThrough();
  process.nextTick(() => late.abort(new Error("too late")));
  await assert.rejects(readBody(slow, late.signal, undefined), {
    status: 503,
    body: {
      code: "ServiceUnavailable",
      message: "The service interrupted the request. Please try again later.",
    },
  });
  assert.equal(slow.listenerCount("data"), 0);
});

const mediaTypes = [
  { contentType: "application/json", body: "{}", accepted: true },
  { contentType: "Application/JSON ; charset=utf-8", body: "{}", accepted: true },
  { contentType: undefined, body: "", accepted: true },
  { contentType: undefined, body: "{}", accepted: false },
  { contentType: "text/plain", body: "", accepted: false },
  { contentType: "application/json-patch+json", body: "{}", accepted: false },
];

for (const { contentType, body, accepted } of mediaTypes) {
  test(`content type ${contentType} is ${accepted ? "accepted" : "refused"} with the body '${body}'`, () => {
    const run = () => checkBody({ bytes: Buffer.from(body), tooLarge: false }, contentType);
    if (accepted) run();
    else {
      assert.throws(run, {
        message: `The content media type '${contentType ?? ""}' is not supported. Only 'application/json' is supported.`,
      });
    }
  });
}
