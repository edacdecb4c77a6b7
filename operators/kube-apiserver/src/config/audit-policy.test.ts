import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, valueAt } from "@keelson/base";
import { auditPolicy } from "./audit-policy.ts";

const levels = (audit: unknown) =>
  listAt(auditPolicy(audit), "rules")
    .slice(2)
    .map((rule) => valueAt(rule, "level"));

test("each profile has its rules after those of the base", () => {
  assert.deepEqual(levels(undefined), ["RequestResponse", "Metadata"]);
  assert.deepEqual(levels({ profile: "None" }), ["None"]);
  assert.deepEqual(levels({ profile: "WriteRequestBodies" }), ["Metadata", "RequestResponse", "Metadata"]);
  assert.deepEqual(levels({ profile: "AllRequestBodies" }), ["Metadata", "RequestResponse"]);
});

test("rules of a group precede those of everyone else, in their order", () => {
  const customRules = [
    { group: "ops", profile: "None" },
    { group: "dev", profile: "Default" },
  ];
  const rules = listAt(auditPolicy({ profile: "AllRequestBodies", customRules }), "rules").slice(2);
  assert.deepEqual(
    rules.map((rule) => valueAt(rule, "userGroups")),
    [["ops"], ["dev"], ["dev"], undefined, undefined],
  );
});

test("unknown profiles are rejected", () => {
  assert.throws(() => auditPolicy({ profile: "X" }), { message: 'unknown audit profile "X"' });
  assert.throws(() => auditPolicy({ customRules: [{ group: "G", profile: "X" }] }), {
    message: 'unknown audit profile "X" in customRules for group "G"',
  });
});

test("bodies of the complete group machineconfiguration.openshift.io are excluded", () => {
  const excluded = listAt(auditPolicy({ profile: "AllRequestBodies" }), "rules").filter(
    (rule) => valueAt(rule, "level") === "Metadata",
  );
  const entries = excluded.flatMap((rule) => listAt(rule, "resources"));
  const found = entries.find((each) => valueAt(each, "group") === "machineconfiguration.openshift.io");
  assert.deepEqual(found, { group: "machineconfiguration.openshift.io" });
});
