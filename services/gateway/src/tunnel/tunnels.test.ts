import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, Socket } from "node:net";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Tunnels } from "./tunnels.ts";

const limits = { idleMs: 60_000, perCluster: 2, total: 3 };

test("places are available up to each limit, and again after their release", () => {
  const tunnels = new Tunnels(limits);
  const first = tunnels.admit("1", new Socket());
  assert.ok(first.isAdmitted);
  assert.ok(tunnels.admit("1", new Socket()).isAdmitted);
  assert.match(refusal(tunnels, "1"), /cluster has its limit of 2/);
  assert.ok(tunnels.admit("2", new Socket()).isAdmitted);
  assert.match(refusal(tunnels, "2"), /gateway has its limit of 3/);
  first.release();
  first.release();
  assert.equal(tunnels.open, 2);
  assert.ok(tunnels.admit("2", new Socket()).isAdmitted);
});

function refusal(tunnels: Tunnels, linkId: string): string {
  const admission = tunnels.admit(linkId, new Socket());
  return admission.isAdmitted ? "" : admission.reason;
}

/** Returns two connected sockets. */
async function pair(): Promise<readonly [Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const near = connect({ port: Object(server.address()).port, host: "127.0.0.1", allowHalfOpen: true });
  const [far] = await once(server, "connection");
  server.close();
  for (const socket of [near, far]) socket.on("error", () => undefined);
  return [near, far];
}

test("a connection ends after idleMs without a byte, not before and not after twice the time", async (context) => {
  const idleMs = 60_000;
  const [[client, tunnelClient], [tunnelHost, host]] = [await pair(), await pair()];
  context.mock.timers.enable({ apis: ["setInterval"] });
  const joined = new Tunnels({ ...limits, idleMs }).join(tunnelClient, tunnelHost);
  let isOver = false;
  void joined.then(() => {
    isOver = true;
  });
  const arrived = once(host, "data");
  context.mock.timers.tick(0.9 * idleMs);
  client.write("late");
  await arrived;
  context.mock.timers.tick(0.9 * idleMs);
  await turn();
  assert.equal(isOver, false);
  assert.equal(tunnelClient.destroyed, false);
  context.mock.timers.tick(0.15 * idleMs);
  await joined;
  assert.ok(tunnelClient.destroyed && tunnelHost.destroyed);
  client.destroy();
  host.destroy();
});
