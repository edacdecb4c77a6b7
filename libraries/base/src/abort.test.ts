import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { queryObjects, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { aborted, timeLimit, withTimeout } from "./abort.ts";

const never = new AbortController().signal;

test("a time limit aborts as AbortSignal.timeout does, whether or not something listens", async () => {
  const limited = withTimeout(never, 10);
  const heard = Promise.withResolvers<unknown>();
  const listened = withTimeout(never, 10);
  listened.addEventListener("abort", () => heard.resolve(listened.reason));
  const alone = timeLimit(10);
  const original = AbortSignal.timeout(10);
  // Event loop delays extend time limits, so the test waits until all signals have aborted.
  while (![limited, alone, original].every(({ aborted }) => aborted)) await delay(10);
  for (const reason of [limited.reason, await heard.promise, alone.reason])
    assert.deepEqual([reason.name, reason.message], [original.reason.name, original.reason.message]);
});

test("the caller's abort comes first, with its reason", () => {
  const caller = new AbortController();
  const limited = withTimeout(withTimeout(caller.signal, 60_000), 60_000);
  assert.equal(limited.aborted, false);
  caller.abort("draining");
  assert.equal(limited.reason, "draining");
  assert.equal(withTimeout(caller.signal, 60_000).reason, "draining");
});

test("a response that arrived while the event loop was late comes before the end of the limit", async () => {
  const server = createServer((socket) => void socket.end("a response"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const limited = withTimeout(never, 100);
  const socket = connect(port, "127.0.0.1");
  let isAborted: boolean | undefined;
  socket.once("data", () => (isAborted = limited.aborted));
  for (let turns = 0; turns < 3; turns++) {
    for (const until = performance.now() + 150; performance.now() < until; );
    await new Promise((resolve) => setImmediate(resolve));
  }
  await once(socket, "close");
  assert.equal(isAborted, false);
  server.close();
  await aborted(limited);
});

test("an event loop that is always late extends a limit to ten times its length at most", async () => {
  let isOver = false;
  const limited = withTimeout(never, 50);
  limited.addEventListener("abort", () => (isOver = true));
  const begunMs = performance.now();
  while (!isOver) {
    for (const until = performance.now() + 300; performance.now() < until; );
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.ok(performance.now() - begunMs < 60_000);
  }
  assert.ok(performance.now() - begunMs >= 300);
});

test("limits inside limits leave nothing when their time is over", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const count = () => {
    collect();
    return queryObjects(AbortSignal, { format: "count" });
  };
  const before = count();
  for (let calls = 0; calls < 500; calls++) {
    const signal = withTimeout(withTimeout(timeLimit(30), 20), 10);
    const listener = () => undefined;
    signal.addEventListener("abort", listener);
    signal.removeEventListener("abort", listener);
  }
  assert.ok(count() > before + 500, "they last as long as their limits");
  for (let waits = 0; waits < 100 && count() > before + 10; waits++) await delay(50);
  assert.ok(count() <= before + 10, `${count() - before} are left`);
});
