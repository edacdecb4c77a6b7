import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleSettings } from "../testing/example-cluster.ts";
import { kubernetesVersionOf, parseSettings } from "./cluster-settings.ts";

test("settings survive being stored", () => {
  const settings = exampleSettings();
  assert.deepEqual(parseSettings(JSON.parse(JSON.stringify(settings))), settings);
});

test("settings that an earlier release stored, with endpoints of Azure, are read", () => {
  const settings = exampleSettings();
  const platform = { ...settings.platform, armEndpoint: "https://localhost:1", audience: "a", caPem: "b" };
  assert.deepEqual(parseSettings({ ...settings, platform }), settings);
});

for (const [openShift, kubernetes] of [
  ["4.19.24", "1.32.9"],
  ["4.14.3", "1.27.9"],
  ["5.0.1", "1.36.9"],
] as const)
  test(`OpenShift ${openShift} carries Kubernetes ${kubernetes}`, () => {
    assert.equal(kubernetesVersionOf(openShift), kubernetes);
  });
