import assert from "node:assert/strict";
import { test } from "node:test";
import type { RoleRules } from "@keelson/aro-api";
import { compareRights } from "@keelson/operator-kit/testing";
import fc from "fast-check";
import type { Permission } from "../runtime/aro-controller.ts";
import { roleRules } from "./role-rules.ts";

function permissionsIn({ cluster, namespaces }: RoleRules): readonly Permission[] {
  return [
    ...cluster,
    ...Object.entries(namespaces).flatMap(([namespace, rules]) =>
      rules.map((each) => ({ namespace, ...each })),
    ),
  ];
}

test("rules of one object, of objects with the same verbs and of resources are merged", () => {
  const reading = ["get", "list", "watch"];
  assert.deepEqual(
    roleRules([
      { apiGroups: ["a"], resources: ["two"], resourceNames: ["y"], verbs: ["patch", "get"] },
      { apiGroups: ["a"], resources: ["two", "one"], resourceNames: ["x"], verbs: ["get", "patch"] },
      { apiGroups: ["a"], resources: ["one"], resourceNames: ["y"], verbs: ["get"] },
      { apiGroups: ["a"], resources: ["one"], resourceNames: ["y"], verbs: ["patch"] },
      { namespace: "n", apiGroups: ["a"], resources: ["three"], verbs: reading },
      { namespace: "n", apiGroups: ["a"], resources: ["one"], resourceNames: ["x"], verbs: ["get"] },
    ]),
    {
      cluster: [
        { apiGroups: ["a"], resources: ["one", "two"], resourceNames: ["x", "y"], verbs: ["get", "patch"] },
      ],
      namespaces: { n: [{ apiGroups: ["a"], resources: ["three"], verbs: reading }] },
    },
  );
});

const someOf = (...values: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const permissions = fc.array(
  fc.record(
    {
      namespace: fc.constantFrom("n", "m"),
      apiGroups: someOf("", "apps"),
      resources: someOf("pods", "secrets", "nodes"),
      resourceNames: someOf("x", "y", "z"),
      verbs: someOf("get", "list", "escalate", "patch"),
    },
    { requiredKeys: ["apiGroups", "resources", "verbs"] },
  ),
  { maxLength: 6 },
);

test("rules grant the same rights as the permissions, in any order", () => {
  fc.assert(
    fc.property(permissions, (given) => {
      const rules = roleRules(given);
      assert.deepEqual(compareRights(permissionsIn(rules), given), { lacks: [], doesNotNeed: [] });
      assert.deepEqual(roleRules(given.toReversed()), rules);
    }),
  );
});
