import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { listAt, stringAt, systemClock } from "@keelson/base";
import { type CheckOutcome, isReachable, statusAfter } from "./check-status.ts";
import { dial } from "./dial.ts";

const signal = new AbortController().signal;
const outcome = (second: number, reason: CheckOutcome["reason"]): CheckOutcome => ({
  at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
  latencyMs: 1.5,
  reason,
  message: reason,
});

test("a status keeps ten of each, and an outage from its first failure to its end", () => {
  let status: unknown = {};
  for (let second = 0; second < 15; second += 1) status = statusAfter(status, outcome(second, "TCPConnect"));
  assert.equal(listAt(status, "successes").length, 10);
  assert.equal(isReachable(status), true);
  for (let second = 15; second < 30; second += 1)
    status = statusAfter(status, outcome(second, "TCPConnectError"));
  assert.equal(isReachable(status), false);
  assert.equal(listAt(status, "failures").length, 10);
  assert.equal(listAt(status, "outages").length, 1);
  status = statusAfter(status, outcome(30, "TCPConnect"));
  const [outage] = listAt(status, "outages");
  assert.deepEqual(
    [stringAt(outage, "start"), stringAt(outage, "end")],
    ["2026-01-01T00:00:15Z", "2026-01-01T00:00:30Z"],
  );
  const [condition] = listAt(status, "conditions");
  assert.equal(stringAt(condition, "reason"), "TCPConnectSuccess");
  for (let second = 31; second < 91; second += 1)
    status = statusAfter(status, outcome(second, second % 2 === 0 ? "TCPConnect" : "DNSError"));
  assert.equal(listAt(status, "outages").length, 20);
});

test("an endpoint accepts or refuses the connection, or is invalid", async () => {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address);
  const reasonOf = async (endpoint: string) => (await dial("check", endpoint, systemClock, signal)).reason;
  assert.equal(await reasonOf(`127.0.0.1:${address.port}`), "TCPConnect");
  server.close();
  await once(server, "close");
  assert.equal(await reasonOf(`127.0.0.1:${address.port}`), "TCPConnectError");
  assert.equal(await reasonOf("nowhere"), "TCPConnectError");
  assert.equal(await reasonOf("no-such-host.invalid:443"), "DNSError");
});
