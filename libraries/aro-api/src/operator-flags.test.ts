import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultOperatorFlags } from "./operator-flags.ts";

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
