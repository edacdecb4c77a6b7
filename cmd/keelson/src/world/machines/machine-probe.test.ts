import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { portOf } from "@keelson/http";
import { MachineProbe } from "./machine-probe.ts";

test("a failed probe counts only if this process was on time", async (t) => {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const clock = new ManualClock();
  let port: number | undefined = portOf(server);
  let stallMs = 0;
  using probe = new MachineProbe({
    probe: { protocol: "tcp", port: 0, path: "", intervalSeconds: 5, failures: 2 },
    clock,
    port: () => {
      clock.stall(stallMs);
      return port;
    },
  });
  const running = probe.run().catch(() => undefined);
  const probed = async () => {
    while (clock.sleeping === 0) await new Promise((resolve) => setImmediate(resolve));
  };
  await probed();
  assert.equal(probe.isReady, true);
  port = undefined;
  stallMs = 1_000;
  for (let probes = 0; probes < 3; probes++) {
    await clock.advance(5_000);
    await probed();
  }
  assert.equal(probe.isReady, true);
  stallMs = 0;
  for (let probes = 0; probes < 2; probes++) {
    await clock.advance(5_000);
    await probed();
  }
  assert.equal(probe.isReady, false);
  probe[Symbol.dispose]();
  await running;
});
