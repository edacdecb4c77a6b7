import assert from "node:assert/strict";
import { test } from "node:test";
import { flagFault } from "./flag-fault.ts";

const cases: readonly (readonly [name: string, value: string, fault: string | undefined])[] = [
  ["aro.banner.enabled", "true", undefined],
  ["aro.banner.enabled", "FALSE", undefined],
  [
    "aro.banner.enabled",
    "yes",
    "invalid value 'yes' of operator flag 'aro.banner.enabled', can only be 'true' or 'false'",
  ],
  [
    "aro.banner.enabled",
    "",
    "invalid value '' of operator flag 'aro.banner.enabled', can only be 'true' or 'false'",
  ],
  ["rh.srep.muo.managed", "", undefined],
  [
    "rh.srep.muo.managed",
    "maybe",
    "invalid value 'maybe' of operator flag 'rh.srep.muo.managed', can only be 'true', 'false' or empty",
  ],
  ["aro.guardrails.method", "vap", undefined],
  [
    "aro.guardrails.method",
    "opa",
    "invalid value 'opa' of operator flag 'aro.guardrails.method', can only be 'gatekeeper', 'vap' or 'auto'",
  ],
  ["aro.guardrails.reconciliationMinutes", "60", undefined],
  [
    "aro.guardrails.reconciliationMinutes",
    "0",
    "invalid value '0' of operator flag 'aro.guardrails.reconciliationMinutes', can only be a whole number above 0",
  ],
  ["aro.environment", "anything", undefined],
  [
    "aro.baner.enabled",
    "true",
    "unknown operator flag 'aro.baner.enabled', did you mean 'aro.banner.enabled'?",
  ],
  [
    "ARO.Banner.Enabled",
    "true",
    "unknown operator flag 'ARO.Banner.Enabled', did you mean 'aro.banner.enabled'?",
  ],
  ["reconcileNSGs", "true", "unknown operator flag 'reconcileNSGs'"],
  ["toString", "true", "unknown operator flag 'toString'"],
];
for (const [name, value, fault] of cases) {
  test(`the flag ${name} = '${value}' is ${fault === undefined ? "fine" : "refused"}`, () => {
    assert.equal(flagFault(name, value), fault);
  });
}

test("a name as long as a request may be is refused at once and not repeated", () => {
  const fault = flagFault("a".repeat(1_000_000), "true");
  assert.equal(fault, `unknown operator flag '${"a".repeat(100)}'`);
});
