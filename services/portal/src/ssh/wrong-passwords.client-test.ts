/**
 * These tests are in a separate file, because 10,000 passwords need about 3,400 connections. Client and server together need 15 s
 * of CPU time for these connections.
 */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { memoryUsage } from "node:process";
import { after, before, test } from "node:test";
import { createLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import ssh2 from "ssh2";
import { connectSsh, runSsh, SshSetup } from "../testing/ssh-setup.ts";

const attempts = 10_000;
const atOnce = 20;
const mostBytes = 200 * 2 ** 20;
let at: SshSetup;
before(async () => {
  at = await SshSetup.start();
});
after(() => at?.[Symbol.asyncDispose]());

test("10,000 wrong passwords: all are rejected, few are checked, little is stored, and a correct one works", async () => {
  const clock = new ManualClock(new Date());
  const refusals = new Map<string, number>();
  let refused = 0;
  const count = (line: string) => {
    const { msg, reason } = JSON.parse(line);
    if (msg !== "SSH authentication failed") return;
    refused++;
    refusals.set(reason, (refusals.get(reason) ?? 0) + 1);
  };
  const logger = createLogger({ level: "info", destination: { write: count } });
  await using proxy = await at.startProxy({ clock, logger });
  let accepted = 0;
  const attempt = () =>
    new Promise<void>((resolve) => {
      const client = new ssh2.Client();
      client.on("error", () => undefined);
      client.once("ready", () => accepted++);
      client.once("close", () => resolve());
      client.connect({
        host: "127.0.0.1",
        port: proxy.port,
        username: "ada",
        authHandler: (_left, _partial, next) =>
          next({ type: "password", username: "ada", password: randomUUID() }),
      });
    });
  const before = memoryUsage().rss;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (refused < attempts) await attempt();
    }),
  );
  const grown = memoryUsage().rss - before;
  assert.equal(accepted, 0);
  assert.ok(refused >= attempts, `${refused}`);
  // Number of passwords that the portal checked. It should be the limit per address and minute, plus the attempts that were in
  // flight when the limit was reached.
  const lookedUp = refusals.get("invalid password") ?? 0;
  assert.ok(lookedUp >= 20 && lookedUp <= 20 + atOnce, `${lookedUp} were looked up`);
  assert.equal(refusals.get("too many wrong passwords"), refused - lookedUp);
  assert.ok(grown < mostBytes, `${grown} bytes more`);

  const password = await at.openPassword(await at.putCluster());
  const config = { port: proxy.port, username: "ada", password };
  await assert.rejects(connectSsh(config), /authentication methods failed/);
  await clock.advance(60_000);
  const client = await connectSsh(config);
  assert.equal((await runSsh(client, "echo in")).text, "in\n");
  client.end();
});
