/**
 * Tests the ARM API and the admin API over HTTPS with client certificates. The checks have the numbers of the reference list.
 * Every response is validated against the API documents.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { adminChecks } from "./checks/admin.ts";
import { apiChecks } from "./checks/api.ts";
import { backendChecks } from "./checks/backend.ts";
import { frontendChecks, lastChecks } from "./checks/frontend.ts";
import { identityChecks } from "./checks/identities.ts";
import { throughArmChecks } from "./checks/through-arm.ts";
import { traceChecks } from "./checks/traces.ts";
import { clientChecks } from "./checks/typescript-client.ts";
import { rehearse, rehearsed } from "./rehearsals.ts";
import type { Check } from "./support/check.ts";
import { Service } from "./support/service.ts";
import { ofTheClient } from "./support/typescript-client.ts";
import { failing, living, makeWorld } from "./support/world.ts";

const service = new Service();

before(async () => {
  await service.start([...rehearsed, ...living, ...failing, "other", ofTheClient]);
  await makeWorld(service);
});
after(() => service[Symbol.asyncDispose]());

function perform(checks: readonly Check[]): void {
  for (const { id, what, run } of checks) test(`${id}: ${what}`, () => run(service));
}

describe("the ARM API", () => perform(apiChecks));
describe("managed identities", () => perform(identityChecks));
describe("the frontend", () => perform(frontendChecks));
describe("the workers", () => perform(backendChecks));
describe("administrators", () => perform(adminChecks));
describe("through Azure Resource Manager", () => perform(throughArmChecks));
describe("the TypeScript client", () => perform(clientChecks));
describe("traces", () => perform(traceChecks));

describe("failures of Azure and of customers", () => rehearse(service));

describe("all responses so far", () => {
  test("contain no secret of the service", () => {
    const secrets =
      /sshKey|adminKubeconfig|aroServiceKubeconfig|SigningKey|"pullSecret"|"clientSecret"|PRIVATE KEY/;
    // Ensures that the search for secrets covers enough responses. Each check sends at least one request.
    assert.ok(service.served.length > 200, `${service.served.length} answers`);
    for (const { method, path, response } of service.served)
      assert.doesNotMatch(response.text, secrets, `${method} ${path}`);
  });

  test("match the documents of their versions", () => {
    assert.ok(service.documents.checked > 50);
    assert.deepEqual(service.documents.findings, []);
  });
});

describe("the end", () => perform(lastChecks));
