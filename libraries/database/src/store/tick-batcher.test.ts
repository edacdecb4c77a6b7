import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { TickBatcher } from "./tick-batcher.ts";

const never = new AbortController().signal;

/** Creates a batcher with responses that the test controls. */
function held() {
  const asked: { readonly questions: readonly string[]; readonly response: (fail?: Error) => void }[] = [];
  const signals: AbortSignal[] = [];
  const batch = new TickBatcher<string, string>((questions, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    const response = (fail?: Error) => (fail ? reject(fail) : resolve(questions.map((each) => `${each}!`)));
    asked.push({ questions, response });
    signals.push(signal);
    return promise;
  });
  return {
    batch,
    asked,
    signals,
    get: (question: string, signal = never) => batch.get(question, question, signal),
  };
}

test("what is asked in one turn goes together, and the same question once", async () => {
  const { asked, get } = held();
  const responses = Promise.all([get("a"), get("b"), get("a")]);
  await turn();
  assert.deepEqual(
    asked.map(({ questions }) => questions),
    [["a", "b"]],
  );
  asked[0]?.response();
  assert.deepEqual(await responses, ["a!", "b!", "a!"]);
});

test("a question is never answered by a batch that was sent before it", async () => {
  const { asked, get } = held();
  const first = get("a");
  await turn();
  const second = get("a");
  asked[0]?.response();
  assert.equal(await first, "a!");
  while (asked.length < 2) await turn();
  asked[1]?.response();
  assert.equal(await second, "a!");
  assert.equal(asked.length, 2);
});

test("questions that arrive during a batch wait and are sent together", async (t) => {
  // With real timers, the batch could exceed `usualMs` on a busy machine and count as slow.
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { asked, get } = held();
  const responses: Promise<string>[] = [];
  for (let n = 0; n < 10; n++) {
    responses.push(get(`${n}`));
    await turn();
  }
  assert.equal(asked.length, 1);
  asked[0]?.response();
  await responses[0];
  while (asked.length < 2) await turn();
  assert.deepEqual(asked[1]?.questions, ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  asked[1]?.response();
  assert.equal((await Promise.all(responses)).length, 10);
});

test("a slow batch lets the next one start, up to a limit", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { asked, get } = held();
  const responses: Promise<string>[] = [];
  for (let n = 1; n <= 4; n++) {
    responses.push(get(`${n}`));
    while (asked.length < n) await turn();
    t.mock.timers.tick(19);
    await turn();
    t.mock.timers.tick(1);
  }
  responses.push(get("5"));
  await turn();
  assert.equal(asked.length, 4);
  asked[3]?.response();
  while (asked.length < 5) await turn();
  assert.deepEqual(asked[4]?.questions, ["5"]);
  for (const { response } of asked) response();
  assert.equal((await Promise.all(responses)).length, 5);
});

test("a failure reaches all of its batch, and the next one is asked again", async () => {
  const { asked, get } = held();
  const responses = Promise.allSettled([get("a"), get("b")]);
  await turn();
  asked[0]?.response(new Error("connection lost"));
  assert.deepEqual(
    (await responses).map(({ status }) => status),
    ["rejected", "rejected"],
  );
  const again = get("a");
  await turn();
  asked[1]?.response();
  assert.equal(await again, "a!");
});

test("an abort ends the wait of its caller with its reason; the last one ends the batch", async () => {
  const { asked, signals, get } = held();
  const [one, other] = [new AbortController(), new AbortController()];
  const results = Promise.allSettled([get("a", one.signal), get("a", other.signal)]);
  await turn();
  one.abort(new Error("gone"));
  await turn();
  assert.equal(signals[0]?.aborted, false);
  other.abort(new Error("gone too"));
  assert.equal(signals[0]?.aborted, true);
  assert.deepEqual(
    (await results).map((each) => each.status === "rejected" && each.reason.message),
    ["gone", "gone too"],
  );
  asked[0]?.response();
  assert.throws(() => get("b", one.signal), { message: "gone" });
});

test("what all callers have left before it was sent is not sent", async () => {
  const { asked, get } = held();
  const stop = new AbortController();
  const response = assert.rejects(get("a", stop.signal), { message: "gone" });
  stop.abort(new Error("gone"));
  await response;
  await turn();
  assert.equal(asked.length, 0);
});

test("a caller who joins a batch that all earlier callers have left gets a response", async () => {
  const { asked, get } = held();
  const stop = new AbortController();
  const left = assert.rejects(get("a", stop.signal), { message: "gone" });
  stop.abort(new Error("gone"));
  await left;
  const joined = [get("a"), get("b")];
  await turn();
  assert.deepEqual(
    asked.map(({ questions }) => questions),
    [["a", "b"]],
  );
  asked[0]?.response();
  assert.deepEqual(await Promise.all(joined), ["a!", "b!"]);
});

/** Random events of a batcher: callers join and leave, time passes, requests complete. */
const event = fc.oneof(
  fc.record({ kind: fc.constant("join" as const), key: fc.constantFrom("a", "b", "c"), signal: fc.nat(3) }),
  fc.record({ kind: fc.constant("abort" as const), signal: fc.nat(3) }),
  fc.constant({ kind: "tick" as const }),
  fc.record({ kind: fc.constant("answer" as const), fails: fc.boolean() }),
);

test("every caller gets a response, the error of its batch, or a rejection by its own abort", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 40 }), async (events) => {
      const { asked, get } = held();
      const signals = Array.from({ length: 4 }, () => new AbortController());
      const callers: {
        readonly key: string;
        readonly stop: AbortSignal;
        readonly result: Promise<string>;
      }[] = [];
      let answered = 0;
      for (const each of events) {
        if (each.kind === "tick") await turn();
        if (each.kind === "answer")
          asked[answered++]?.response(each.fails ? new Error("refused") : undefined);
        if (each.kind === "answer" && answered > asked.length) answered = asked.length;
        if (each.kind === "abort") {
          signals[each.signal]?.abort(new Error("gone"));
          signals[each.signal] = new AbortController();
        }
        if (each.kind !== "join") continue;
        const stop = signals[each.signal]?.signal ?? never;
        const result = get(each.key, stop).catch((error: Error) => error.message);
        callers.push({ key: each.key, stop, result });
      }
      const finished = Promise.all(callers.map(({ result }) => result));
      let open = true;
      void finished.then(() => {
        open = false;
      });
      for (let ticks = 0; open && ticks < 200; ticks++) {
        while (answered < asked.length) asked[answered++]?.response();
        await turn();
      }
      assert.equal(open, false, "a caller is still waiting although every request got a response");
      for (const { key, stop, result } of callers) {
        const possible = stop.aborted ? [`${key}!`, "refused", "gone"] : [`${key}!`, "refused"];
        assert.ok(possible.includes(await result));
      }
    }),
    { numRuns: 300 },
  );
});
