import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorRoles } from "@keelson/aro-api";
import { operatorManifests } from "@keelson/aro-api/manifests";
import { compareRights, permissionsOfAccount } from "@keelson/operator-kit/testing";
import { controllersOf } from "./controllers/controllers.ts";
import { permissionsOf } from "./runtime/permissions.ts";

const manifests = operatorManifests({
  image: "keelson:test",
  usesWorkloadIdentity: false,
  supportsPodSecurity: true,
}).map(({ object }) => object);

const granted = (account: string) => permissionsOfAccount(manifests, account);

for (const role of operatorRoles) {
  test(`the ${role} has exactly the permissions that its controllers declare`, () => {
    assert.deepEqual(
      compareRights(granted(`aro-operator-${role}`), permissionsOf(role, controllersOf[role])),
      { lacks: [], doesNotNeed: [] },
      "run make generate: verb | resource | group | name | namespace",
    );
  });
}

test("the master may access Secrets and grant roles only by name", () => {
  const unnamed = granted("aro-operator-master").filter(
    ({ resources = [], verbs, resourceNames }) =>
      resourceNames === undefined &&
      (resources.some((each) => each === "secrets" || each === "*") ||
        ["escalate", "bind", "impersonate", "*"].some((each) => verbs.includes(each))),
  );
  assert.deepEqual(unnamed, []);
});

test("the worker writes nothing but patches of the Cluster's status", () => {
  const writes = granted("aro-operator-worker").filter(({ verbs }) =>
    verbs.some((verb) => !["get", "list", "watch"].includes(verb)),
  );
  assert.deepEqual(writes, [
    {
      apiGroups: ["aro.openshift.io"],
      resources: ["clusters/status"],
      resourceNames: ["cluster"],
      verbs: ["patch"],
    },
  ]);
});
