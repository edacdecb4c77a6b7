import assert from "node:assert/strict";
import { test } from "node:test";
import { ManualClock } from "@keelson/base/testing";
import { kubeconfigSeconds, kubeconfigTtl } from "./sessions.ts";

const clock = new ManualClock();
const after = (ms: number) => new Date(clock.now().getTime() + ms);

const cases = [
  { name: "no elevation", expiry: undefined, ttl: kubeconfigSeconds },
  { name: "an elevation that ends later", expiry: after(86_400_000), ttl: kubeconfigSeconds },
  { name: "an elevation that ends earlier", expiry: after(90_500), ttl: 90 },
  { name: "an elevation that has just ended", expiry: after(-1), ttl: 1 },
];
for (const { name, expiry, ttl } of cases)
  test(`the lifetime of a kubeconfig with ${name} is ${ttl} s`, () => {
    assert.equal(kubeconfigTtl(expiry, clock), ttl);
  });
