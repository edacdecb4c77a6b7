import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { adminActions, adminPermissions } from "@keelson/admin-actions";
import { type AdminRole, adminRoles, hasRole } from "@keelson/auth";
import { adminAction } from "../admin-actions/admin-action.ts";
import { routes } from "../routes.ts";
import { captureLog } from "../testing/captured-log.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";
import { adminClusterPath } from "./messages/paths.ts";

const id =
  "/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/g/providers/microsoft.redhatopenshift/openshiftclusters/c";
const uuid = "00000000-0000-4000-8000-000000000002";
const urlOf = (path: string) =>
  (path.startsWith("/") ? path : `/admin${id}/${path}`)
    .replace(":namespace/:type", "microsoft.redhatopenshift/openshiftclusters")
    .replace(":hiveResource", "clusterdeployments")
    .replace(/:\w+/g, uuid);

test("every route of the admin API has one role, and every permission has a route", () => {
  const inTable = adminPermissions.map(({ method, path }) => `${method} ${path}`);
  const all = [...routes, ...adminActions.map(adminAction)]
    .filter(({ path }) => path.startsWith("/admin"))
    .map(({ method, path }) => {
      const isCluster = path.startsWith(`${adminClusterPath}/`);
      return `${method} ${isCluster ? path.slice(adminClusterPath.length + 1) : path}`;
    });
  assert.deepEqual(inTable.toSorted(), all.toSorted());
});

describe("an administrator", () => {
  let frontend: TestFrontend;
  let role: AdminRole = "reader";
  const log = captureLog();
  before(async () => {
    frontend = await startTestFrontend({
      authorizer: async () => ({ authorize: async () => role, ready: () => true }),
      requireReason: true,
      logger: log.logger,
    });
  });
  after(() => frontend[Symbol.asyncDispose]());

  const send = async (method: string, url: string, headers: Record<string, string> = {}) => {
    const { status, json } = await frontend.client.send(method, url, { headers });
    return { status, message: `${Object(Object(json).error).message}` };
  };
  const refusal = /^The role '\w+' may not do this: it needs the role '\w+'\.$/;

  for (const each of adminRoles)
    test(`with the role ${each} may call its routes only`, async () => {
      role = each;
      const headers = { "x-keelson-reason": "a test" };
      for (const { method, path, role: needed } of adminPermissions) {
        const { status, message } = await send(method, urlOf(path), headers);
        const isRefused = status === 403 && refusal.test(message);
        assert.equal(isRefused, !hasRole(each, needed), `${method} ${path}: ${status} ${message}`);
      }
      for (const [method, needed] of [
        ["GET", "reader"],
        ["PATCH", "elevated"],
        ["DELETE", "elevated"],
      ] as const) {
        const { status, message } = await send(method, `${id}?api-version=admin`, headers);
        assert.equal(status === 403 && refusal.test(message), !hasRole(each, needed), `${method} admin`);
      }
      assert.notEqual(
        (await send("GET", `${id}?api-version=2025-07-25`)).status,
        403,
        "customers have no roles",
      );
    });

  test("gives a required reason, and the audit contains it", async () => {
    role = "elevated";
    const path = urlOf("resize");
    const without = await send("POST", path, { "x-keelson-reason": "  " });
    assert.deepEqual(without, {
      status: 403,
      message: "Say why in the header X-Keelson-Reason: the audit keeps it.",
    });
    assert.notEqual((await send("POST", path, { "x-keelson-reason": "ticket 42" })).status, 403);
    const lines = log
      .text()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const kept = lines.find(({ logKind, reason }) => logKind === "audit" && reason === "ticket 42");
    assert.equal(kept?.role, "elevated");
    role = "operator";
    assert.notEqual((await send("POST", urlOf("cordonnode"))).status, 403, "only for what needs all rights");
  });
});
