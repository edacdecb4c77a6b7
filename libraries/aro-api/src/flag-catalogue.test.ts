import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultOperatorFlags, operatorFlags, withNewerFlags } from "./flag-catalogue.ts";
import { flagFault } from "./flag-fault.ts";
import type { OperatorFlag } from "./operator-flag.ts";

test("a new cluster's operator does everything but these", () => {
  const others = Object.entries(defaultOperatorFlags).filter(([, value]) => value !== "true");
  assert.deepEqual(Object.fromEntries(others), {
    "aro.banner.enabled": "false",
    "aro.cpms.enabled": "false",
    "aro.forcereconciliation": "false",
    "aro.genevalogging.otel.profile": "minimal-logs",
    "aro.guardrails.method": "auto",
    "aro.guardrails.policies.aro-machine-config-deny.enforcement": "dryrun",
    "aro.guardrails.policies.aro-machines-deny.enforcement": "deny",
    "aro.guardrails.policies.aro-nodes-deny.enforcement": "deny",
    "aro.guardrails.policies.aro-privileged-namespace-deny.enforcement": "dryrun",
    "aro.monitoring.enabled": "false",
    "aro.restartdnsmasq.enabled": "false",
  });
});

for (const flag of [
  ...["aro.azuresubnets.nsg.managed", "aro.dnsmasq.enabled", "aro.guardrails.deploy.managed"],
  ...["aro.machinehealthcheck.managed", "aro.workaround.enabled", "rh.srep.muo.managed"],
]) {
  test(`${flag} is on`, () => assert.equal(defaultOperatorFlags[flag], "true"));
}

test("older clusters get flags that are newer than they, and keep their own values", () => {
  const catalogue = new Map<string, OperatorFlag>([
    ["first", { values: "switch", default: "true" }],
    ["newer", { values: "switch", default: "true", onOlderClusters: "false" }],
    ["set", { values: "switch", default: "true", onOlderClusters: "false" }],
    ["by.hand", { values: "text" }],
  ]);
  assert.deepEqual(withNewerFlags({ set: "", unknown: "x" }, catalogue), {
    newer: "false",
    set: "",
    unknown: "x",
  });
});

/**
 * Number of flags that had a default value in the first release. Only these flags may lack `onOlderClusters`. Do not increase the
 * number when you add flags.
 */
const firstDefaults = 46;

test("a flag with a default has a value for older clusters, unless it is of the first release", () => {
  const undecided = [...operatorFlags.values()].filter(
    (flag) => flag.default !== undefined && flag.onOlderClusters === undefined,
  );
  assert.equal(undecided.length, firstDefaults);
});

test("every default is a value that its flag may have", () => {
  for (const [name, { default: value, onOlderClusters = value }] of operatorFlags) {
    if (value !== undefined) assert.equal(flagFault(name, value), undefined);
    if (onOlderClusters !== undefined) assert.equal(flagFault(name, onOlderClusters), undefined);
  }
});
