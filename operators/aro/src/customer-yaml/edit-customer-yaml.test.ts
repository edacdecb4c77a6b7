import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { editCustomerYaml } from "./edit-customer-yaml.ts";
import { webhookUrl } from "./edits/webhook-receivers.ts";

const signal = AbortSignal.timeout(900_000);
const mebibyte = 1024 * 1024;
const limits = { bytes: mebibyte, cpuMs: 250, memoryMb: 64 };

/** Returns a document of about `bytes` bytes. */
function textOf(bytes: number, line: (index: number) => string): string {
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += lines.at(-1)?.length ?? 0) lines.push(line(lines.length));
  return lines.join("");
}

const bomb = textOf(1_000, (index) =>
  index === 0
    ? `a0: &a0 [${"x,".repeat(10)}]\n`
    : `a${index}: &a${index} [${`*a${index - 1},`.repeat(10)}]\n`,
);

/** Documents that blocked the event loop for seconds when they were parsed in the main thread. */
const hostile: readonly (readonly [name: string, text: string])[] = [
  ["a mebibyte of keys", textOf(mebibyte - 100, (index) => `${index.toString(36)}:\n`)],
  ["keys of one line", `{${textOf(mebibyte / 2, (index) => `${index.toString(36)},`)}}`],
  ["deep lists", "[".repeat(mebibyte - 1)],
  ["deep lists that end", "[".repeat(mebibyte / 2) + "]".repeat(mebibyte / 2)],
  ["deep lists of lines", "- ".repeat(mebibyte / 2)],
  ["deep mappings", textOf(mebibyte - 10_000, (index) => `${" ".repeat(index)}a:\n`)],
  ["an alias bomb", `${bomb}receivers: *a9\n`],
  ["aliases", `a: &a x\nreceivers:\n${textOf(mebibyte / 2, () => "- *a\n")}`],
  ["mistakes alone", "]".repeat(mebibyte)],
  ["commas", `{${",".repeat(mebibyte - 10)}}`],
  [
    "a receiver, and a mebibyte of comments",
    `receivers:\n- name: Default\n${textOf(mebibyte - 100, () => "#\n")}`,
  ],
];

for (const [name, text] of hostile)
  test(`${name}: nothing else waits for it`, async () => {
    // Longest event loop iteration of each attempt. A garbage collection may block one attempt, but a document that blocks the
    // event loop would block every attempt.
    const longest: number[] = [];
    do {
      const stop = longestTurn();
      const outcome = await editCustomerYaml("withWebhooks", text, signal, limits).catch(String);
      longest.push(await stop());
      if (/^Error/.test(outcome)) assert.match(outcome, /^Error: (?:is no |takes more )/);
    } while (Math.min(...longest) >= 50 && longest.length < 3);
    assert.ok(Math.min(...longest) < 50, `${longest.join(", ")} ms of the processor`);
  });

test("errors name the exceeded limit and quote nothing of the document", async () => {
  const keys = textOf(100_000, (index) => `secret${index}:\n`);
  const edit = (limit: Partial<typeof limits>) =>
    editCustomerYaml("withWebhooks", keys, signal, { ...limits, ...limit });
  await assert.rejects(edit({ bytes: 1_000 }), { message: "is longer than 1000 bytes" });
  await assert.rejects(edit({ cpuMs: 1 }), { message: "takes more than 1 ms to read" });
  const wide = `a: [${"x,".repeat(200_000)}]`;
  const small = editCustomerYaml("withWebhooks", wide, signal, { ...limits, cpuMs: 20_000, memoryMb: 8 });
  await assert.rejects(small, { message: "takes more memory than there is for it" });
});

test("large documents are edited like small ones, and invalid ones rejected the same way", async () => {
  const receivers = "receivers:\n- name: Default\n";
  const comment = textOf(10_000, () => "# a customer's\n");
  const edited = await editCustomerYaml("withWebhooks", comment + receivers, signal);
  assert.equal(edited, `${comment}${receivers}  webhook_configs:\n  - url: ${webhookUrl}\n`);
  assert.equal(await editCustomerYaml("withWebhooks", edited, signal), edited);
  await assert.rejects(editCustomerYaml("withWebhooks", `${comment}- a\n`, signal), {
    message: "is not a mapping",
  });
});

test("a thread that waits for CPU time is not aborted", async () => {
  const stopped = setInterval(() => {
    for (const until = performance.now() + 400; performance.now() < until; );
  }, 1);
  const text = textOf(2_000, () => "# a customer's\n");
  try {
    const edited = await editCustomerYaml("withWebhooks", `${text}receivers:\n- name: Default\n`, signal, {
      ...limits,
      cpuMs: 400,
    });
    assert.match(edited, /webhook_configs/);
  } finally {
    clearInterval(stopped);
  }
});

test("an aborted edit ends immediately", async () => {
  const abort = new AbortController();
  const text = textOf(400_000, (index) => `${index.toString(36)}:\n`);
  const edit = editCustomerYaml("withWebhooks", text, abort.signal);
  abort.abort(new Error("the operator ends"));
  await assert.rejects(edit, /the operator ends/);
});

/** Starts a measurement. The returned function stops it and returns the maximum CPU time of one event loop iteration, in ms. */
function longestTurn(): () => Promise<number> {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let before = used();
  let longest = 0;
  let over = false;
  const turn = () => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
    if (!over) setImmediate(turn);
  };
  setImmediate(turn);
  return async () => {
    over = true;
    await new Promise((resolve) => setImmediate(resolve));
    return longest;
  };
}
