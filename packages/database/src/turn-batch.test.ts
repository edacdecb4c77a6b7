import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { TurnBatch } from "./turn-batch.ts";

const never = new AbortController().signal;

/** A batch of which the test holds the answers back. */
function held() {
  const asked: { readonly questions: readonly string[]; readonly answer: (fail?: Error) => void }[] = [];
  const signals: AbortSignal[] = [];
  const batch = new TurnBatch<string, string>((questions, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
    const answer = (fail?: Error) => (fail ? reject(fail) : resolve(questions.map((each) => `${each}!`)));
    asked.push({ questions, answer });
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
  const answers = Promise.all([get("a"), get("b"), get("a")]);
  await turn();
  assert.deepEqual(
    asked.map(({ questions }) => questions),
    [["a", "b"]],
  );
  asked[0]?.answer();
  assert.deepEqual(await answers, ["a!", "b!", "a!"]);
});

test("a question put later is never answered by a batch that had left before", async () => {
  const { asked, get } = held();
  const first = get("a");
  await turn();
  const second = get("a");
  asked[0]?.answer();
  assert.equal(await first, "a!");
  while (asked.length < 2) await turn();
  asked[1]?.answer();
  assert.equal(await second, "a!");
  assert.equal(asked.length, 2);
});

test("while a batch is under way, what comes waits and goes together", async () => {
  const { asked, get } = held();
  const answers: Promise<string>[] = [];
  for (let n = 0; n < 10; n++) {
    answers.push(get(`${n}`));
    await turn();
  }
  assert.equal(asked.length, 1);
  asked[0]?.answer();
  await answers[0];
  while (asked.length < 2) await turn();
  assert.deepEqual(asked[1]?.questions, ["1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  asked[1]?.answer();
  assert.equal((await Promise.all(answers)).length, 10);
});

test("a batch that takes long holds nobody up, until several do", async () => {
  const { asked, get } = held();
  const answers: Promise<string>[] = [];
  for (let n = 1; n <= 4; n++) {
    answers.push(get(`${n}`));
    while (asked.length < n) await delay(5);
  }
  answers.push(get("5"));
  await delay(60);
  assert.equal(asked.length, 4);
  asked[3]?.answer();
  while (asked.length < 5) await delay(5);
  assert.deepEqual(asked[4]?.questions, ["5"]);
  for (const { answer } of asked) answer();
  assert.equal((await Promise.all(answers)).length, 5);
});

test("a failure reaches all of its batch, and the next one is asked anew", async () => {
  const { asked, get } = held();
  const answers = Promise.allSettled([get("a"), get("b")]);
  await turn();
  asked[0]?.answer(new Error("connection lost"));
  assert.deepEqual(
    (await answers).map(({ status }) => status),
    ["rejected", "rejected"],
  );
  const again = get("a");
  await turn();
  asked[1]?.answer();
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
  asked[0]?.answer();
  assert.throws(() => get("b", one.signal), { message: "gone" });
});

test("what everybody stopped waiting for before it left is not asked at all", async () => {
  const { asked, get } = held();
  const stop = new AbortController();
  const answer = assert.rejects(get("a", stop.signal), { message: "gone" });
  stop.abort(new Error("gone"));
  await answer;
  await turn();
  assert.equal(asked.length, 0);
});
