import assert from "node:assert/strict";
import { Socket } from "node:net";
import { test } from "node:test";
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
