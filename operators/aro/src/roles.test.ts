import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorRoles, type PolicyRule } from "@keelson/aro-api";
import { operatorManifests } from "@keelson/aro-api/manifests";
import { listAt, textAt } from "@keelson/kube";
import { controllersOf } from "./controllers/controllers.ts";
import type { Permission } from "./runtime/aro-controller.ts";
import { permissionsOf } from "./runtime/permissions.ts";

const manifests = operatorManifests({
  image: "keelson:test",
  usesWorkloadIdentity: false,
  supportsPodSecurity: true,
}).map(({ object }) => object);

/** What the roles that are bound to a service account let it do. */
function granted(account: string): readonly Permission[] {
  return manifests
    .filter(
      ({ kind, subjects }) =>
        /RoleBinding$/.test(kind) && textAt(listAt({ subjects }, "subjects")[0], "name") === account,
    )
    .flatMap((binding) => {
      const { namespace } = binding.metadata;
      const role = manifests.find(
        ({ kind, metadata }) =>
          kind === textAt(binding, "roleRef", "kind") &&
          metadata.name === textAt(binding, "roleRef", "name") &&
          metadata.namespace === namespace,
      );
      // The manifests' own rules.
      const rules = listAt(role, "rules") as readonly PolicyRule[];
      return rules.map((rule) => (namespace === undefined ? rule : { ...rule, namespace }));
    });
}

/** One line for each right; one on single objects that there is for all of them too is none of its own. */
function lines(permissions: readonly Permission[]): readonly string[] {
  const all = new Set<string>();
  for (const { namespace, apiGroups = [], resources, nonResourceURLs, resourceNames, verbs } of permissions)
    for (const group of nonResourceURLs ? ["URL"] : apiGroups)
      for (const resource of resources ?? nonResourceURLs ?? [])
        for (const name of resourceNames ?? ["*"])
          for (const verb of verbs) all.add([verb, resource, group, name, namespace ?? "*"].join(" | "));
  const wider = (line: string) => {
    const [verb, resource, group] = line.split(" | ");
    const [, , , name, namespace] = line.split(" | ");
    return [
      [verb, resource, group, "*", namespace],
      [verb, resource, group, name, "*"],
      [verb, resource, group, "*", "*"],
    ]
      .map((each) => each.join(" | "))
      .filter((each) => each !== line);
  };
  return [...all].filter((line) => !wider(line).some((each) => all.has(each))).toSorted();
}

for (const role of operatorRoles) {
  test(`the ${role} may do what its controllers name, and nothing else`, () => {
    const needed = lines(permissionsOf(role, controllersOf[role]));
    const has = lines(granted(`aro-operator-${role}`));
    assert.deepEqual(
      {
        lacks: needed.filter((each) => !has.includes(each)),
        doesNotNeed: has.filter((each) => !needed.includes(each)),
      },
      { lacks: [], doesNotNeed: [] },
      "bring libraries/aro-api/src/manifests/master-rules.ts (or roles.ts) in line: verb | resource | group | name | namespace",
    );
  });
}

test("the master may read and write Secrets by their names alone, and grant roles by theirs", () => {
  const unnamed = granted("aro-operator-master").filter(
    ({ resources = [], verbs, resourceNames }) =>
      resourceNames === undefined &&
      (resources.some((each) => each === "secrets" || each === "*") ||
        ["escalate", "bind", "impersonate", "*"].some((each) => verbs.includes(each))),
  );
  assert.deepEqual(unnamed, []);
});
