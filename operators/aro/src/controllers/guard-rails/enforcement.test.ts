import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReleaseVersion } from "../../runtime/cluster-version.ts";
import { actionOf, engineOf, isManaged } from "./enforcement.ts";
import { majorUpgradePolicy as policy } from "./major-upgrade-policy.ts";
import { optionalPolicies } from "./optional-policies.ts";
import { privilegedNamespaces } from "./privileged-namespaces.ts";
import { protectedConfigs } from "./protected-configs.ts";

const old: ReleaseVersion = [4, 16, 99];
const present: ReleaseVersion = [4, 17, 0];
for (const [method, version, engine] of [
  ["auto", present, "policies"],
  ["VAP", present, "policies"],
  ["gatekeeper", present, "gatekeeper"],
  [undefined, present, "gatekeeper"],
  ["other", present, "gatekeeper"],
  ["", present, "gatekeeper"],
  ["auto", old, "none"],
  [undefined, old, "none"],
] as const)
  test(`method ${method} on ${version.join(".")}: ${engine}`, () => {
    const flags = method === undefined ? {} : { "aro.guardrails.method": method };
    assert.equal(engineOf(flags, version), engine);
  });

for (const [enforcement, action] of [
  ["deny", "Deny"],
  ["Warn", "Warn"],
  ["dryrun", "Audit"],
  ["AUDIT", "Audit"],
  ["other", "Warn"],
  [undefined, "Audit"],
] as const)
  test(`enforcement ${enforcement}: ${action}`, () => {
    const flag = `aro.guardrails.policies.${policy.name}`;
    const flags = {
      [`${flag}.managed`]: "True",
      ...(enforcement ? { [`${flag}.enforcement`]: enforcement } : {}),
    };
    assert.equal(actionOf(flags, policy), action);
    assert.equal(actionOf({ ...flags, [`${flag}.managed`]: "yes" }, policy), undefined);
  });

test("an undecided flag changes nothing", () => {
  const values = ["True", "false", "", "maybe"].map((value) =>
    isManaged({ "aro.guardrails.deploy.managed": value }),
  );
  assert.deepEqual([...values, isManaged({})], [true, false, undefined, undefined, undefined]);
});

test("each policy, namespace and MachineConfig is named once", () => {
  for (const [names, count] of [
    [privilegedNamespaces, 48],
    [protectedConfigs, 21],
    [optionalPolicies.map(({ name }) => name), 4],
  ] as const)
    assert.deepEqual([names.length, new Set(names).size], [count, count]);
});
