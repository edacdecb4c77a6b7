import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterClient } from "@keelson/apiserver";
import { scopeRules } from "./scope-rules.ts";

/**
 * Resolves scopes in the namespace `mine` of a cluster with the ClusterRole `worker`. In the result, `read` contains the names of
 * the roles that were read.
 */
async function resolve(...scopes: readonly string[]) {
  const read: string[] = [];
  const client: Pick<ClusterClient, "find"> = {
    find: async (_ref, { name }) => {
      read.push(name);
      if (name !== "worker") return undefined;
      return {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        metadata: { name },
        rules: [{ apiGroups: [""], resources: ["pods", "secrets"], verbs: ["get"] }],
      };
    },
  };
  const { rules, errors } = await scopeRules({ client }, scopes, "mine");
  // The first rule allows discovery.
  return { read, errors, resources: rules.slice(1).map(({ resources }) => resources) };
}

test("each role of the scopes is read once, and other ClusterRoles are not read", async () => {
  const scopes = ["role:worker:mine", "role:worker:*", "role:worker:mine", "role:absent:*", "role:other:x"];
  assert.deepEqual(await resolve(...scopes), {
    read: ["worker", "absent"],
    errors: [],
    resources: [["pods"]],
  });
});

test("a role scope with `:!` allows secrets, regardless of a second scope without it", async () => {
  const expected = { read: ["worker"], errors: [], resources: [["pods", "secrets"]] };
  assert.deepEqual(await resolve("role:worker:mine:!", "role:worker:mine"), expected);
  assert.deepEqual(await resolve("role:worker:mine", "role:worker:mine:!"), expected);
});

test("an invalid scope is reported once, and no role is read", async () => {
  const { read, errors } = await resolve("role:worker:mine", "typo", "typo");
  assert.deepEqual(read, []);
  assert.deepEqual(errors, ['no scope evaluator found for "typo"']);
});

test("at most 100 different scopes are resolved", async () => {
  const roles = (count: number) => Array.from({ length: count }, (_, at) => `role:r${at}:mine`);
  assert.equal((await resolve(...roles(100), ...roles(100))).read.length, 100);
  const message = "Too many: 101: must have at most 100 items";
  await assert.rejects(resolve(...roles(101)), {
    name: "StatusError",
    code: 400,
    reason: "BadRequest",
    message: `spec.scopes: ${message}`,
    details: { causes: [{ reason: "FieldValueTooMany", message, field: "spec.scopes" }] },
  });
});
