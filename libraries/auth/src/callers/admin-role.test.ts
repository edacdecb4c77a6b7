import assert from "node:assert/strict";
import { test } from "node:test";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { certificateRoles } from "../certificates/certificate-roles.ts";
import { requestWith } from "../testing/callers.ts";
import { adminRoles, greatestRole, hasRole } from "./admin-role.ts";
import type { CallerRule } from "./caller-rule.ts";

test("a role covers itself and those before it; without roles everything is allowed, or nothing", () => {
  for (const [at, role] of adminRoles.entries())
    for (const [needed, name] of adminRoles.entries()) assert.equal(hasRole(role, name), at >= needed);
  assert.equal(hasRole(true, "elevated"), true);
  assert.equal(hasRole(false, "reader"), false);
});

test("of several groups the greatest role counts, in any case of their names", () => {
  const assigned = { reader: ["R"], operator: ["o"], elevated: [] };
  assert.equal(greatestRole(["r"], assigned), "reader");
  assert.equal(greatestRole(["R", "O"], assigned), "operator");
  assert.equal(greatestRole(["x", 1, null], assigned), undefined);
});

test("certificates have the role of their name, or no role", async () => {
  const authority = await createCertificateAuthority("root", 1);
  const requestOf = async (commonName: string) =>
    requestWith([await issueCertificate(authority, { commonName, usage: "client", validDays: 1 })]);
  const everyone: CallerRule = { admits: () => true, ready: () => true };
  const rule = certificateRoles(everyone, { ops: "operator", sre: "elevated" });
  assert.equal(rule.admits(await requestOf("ops")), "operator");
  assert.equal(rule.admits(await requestOf("sre")), "elevated");
  for (const name of ["other", "OPS", "toString", "__proto__"])
    assert.equal(rule.admits(await requestOf(name)), false, name);
  assert.equal(rule.admits(requestWith([])), false);
  const nobody = certificateRoles({ admits: async () => false, ready: () => true }, { ops: "operator" });
  assert.equal(await nobody.admits(await requestOf("ops")), false);
});
