import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@keelson/base";
import type { ManagedObjects } from "@keelson/operator-kit";
import { rebootGate } from "./reboot-gate.ts";

const now = new Date("2026-11-24T12:00:00Z");
const completed = (completionTime: string) => ({ state: "Completed", version: "4.19.24", completionTime });
const installed = completed("2026-11-24T11:50:00Z");
const reported = [{ type: "AControllerAvailable", status: "True" }];
const forced = { "aro.forcereconciliation": "true" };

const cases: readonly {
  readonly name: string;
  readonly history: readonly unknown[] | undefined;
  readonly flags?: Readonly<Record<string, string>>;
  readonly conditions?: readonly unknown[];
  readonly gate: string;
}[] = [
  { name: "forced, without a ClusterVersion", history: undefined, flags: forced, gate: "forced" },
  { name: "upgrading", history: [{ state: "Partial" }, installed], conditions: reported, gate: "upgrading" },
  { name: "new, before the controller reported", history: [installed], gate: "installing" },
  { name: "new, once it reported", history: [installed], conditions: reported, gate: "closed" },
  { name: "an hour old", history: [completed("2026-11-24T11:00:00Z")], gate: "closed" },
  { name: "just upgraded", history: [installed, installed], gate: "closed" },
  { name: "of unknown age", history: [completed("yesterday")], gate: "closed" },
];
for (const { name, history, flags = {}, conditions = [], gate } of cases)
  test(`the gate of a cluster that is ${name}: ${gate}`, async () => {
    const found = history && { metadata: { name: "version" }, status: { history } };
    const objects = { find: async () => found } as unknown as ManagedObjects;
    const cluster = { apiVersion: "", kind: "", metadata: { name: "cluster" }, status: { conditions } };
    const clock = { ...systemClock, now: () => now };
    const request = { flags, objects, clock, cluster: cluster as never };
    assert.equal(await rebootGate(request, "A"), gate);
  });
