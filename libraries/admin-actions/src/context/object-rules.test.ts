import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import type { KubeResource } from "@keelson/kube";
import { checkContainer, checkObjectAccess, checkVmName, type ObjectAccess } from "./object-rules.ts";
import { isOpenShiftNamespace } from "./open-shift-namespaces.ts";

const resource = (group: string, plural: string, namespaced = true): KubeResource => ({
  group,
  version: "v1",
  plural,
  kind: plural,
  namespaced,
});
const configMaps = resource("", "configmaps");
const secrets = resource("", "secrets");
const nodes = resource("", "nodes", false);
const machines = resource("machine.openshift.io", "machines");
const tokens = resource("oauth.openshift.io", "oauthaccesstokens", false);
const roles = resource("rbac.authorization.k8s.io", "roles");
const clusterRoles = resource("rbac.authorization.k8s.io", "clusterroles", false);
const namespaces = resource("", "namespaces", false);
const operator = "openshift-azure-operator";
const long = "a".repeat(256);

function refusal(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof CloudError);
    return `${error.status} ${error.message}`;
  }
}

test("what administrators may touch", () => {
  const secret = "403 Access to secrets is forbidden.";
  const rows: readonly (readonly [string, ObjectAccess, string | undefined])[] = [
    ["the platform's", { verb: "read", resource: configMaps, namespace: operator, name: "a" }, undefined],
    ["its lists", { verb: "read", resource: configMaps, namespace: operator, name: "" }, undefined],
    ["writing it", { verb: "write", resource: configMaps, namespace: operator, name: "a" }, undefined],
    ["a secret", { verb: "read", resource: secrets, namespace: operator, name: "a" }, secret],
    [
      "a secret, unrestricted",
      { verb: "read", resource: secrets, namespace: "x", name: "a", unrestricted: true },
      secret,
    ],
    [
      "all secrets, unrestricted",
      { verb: "read", resource: secrets, namespace: "", name: "", unrestricted: true },
      secret,
    ],
    ["OAuth", { verb: "read", resource: tokens, namespace: "", name: "a", unrestricted: true }, secret],
    ["reading RBAC", { verb: "read", resource: clusterRoles, namespace: "", name: "a" }, undefined],
    [
      "writing RBAC",
      { verb: "write", resource: roles, namespace: operator, name: "a" },
      "403 Write access to RBAC is forbidden.",
    ],
    [
      "a customer's namespace",
      { verb: "read", resource: configMaps, namespace: "shop", name: "a" },
      "403 Access to the provided namespace 'shop' is forbidden.",
    ],
    [
      "a customer's namespace, unrestricted",
      { verb: "read", resource: configMaps, namespace: "shop", name: "a", unrestricted: true },
      undefined,
    ],
    [
      "writing there, unrestricted",
      { verb: "write", resource: configMaps, namespace: "shop", name: "a", unrestricted: true },
      "403 Access to the provided namespace 'shop' is forbidden.",
    ],
    ["nodes", { verb: "read", resource: nodes, namespace: "", name: "" }, undefined],
    ["machines of all namespaces", { verb: "read", resource: machines, namespace: "", name: "" }, undefined],
    [
      "namespaces",
      { verb: "read", resource: namespaces, namespace: "", name: "" },
      "403 Access to cluster-scoped object '/v1, Resource=namespaces' is forbidden.",
    ],
    [
      "all config maps",
      { verb: "read", resource: configMaps, namespace: "", name: "" },
      "403 Access to cluster-scoped object '/v1, Resource=configmaps' is forbidden.",
    ],
    [
      "all config maps, unrestricted",
      { verb: "read", resource: configMaps, namespace: "", name: "", unrestricted: true },
      undefined,
    ],
    [
      "an invalid name",
      { verb: "read", resource: configMaps, namespace: operator, name: "a/b" },
      "400 The provided name 'a/b' is invalid.",
    ],
    [
      "the collection, as a name",
      { verb: "write", resource: configMaps, namespace: operator, name: "." },
      "400 The provided name '.' is invalid.",
    ],
    [
      "what is above the collection, as a name",
      { verb: "write", resource: configMaps, namespace: operator, name: ".." },
      "400 The provided name '..' is invalid.",
    ],
    [
      "a long name",
      { verb: "read", resource: configMaps, namespace: operator, name: long },
      `400 The provided name '${long}' is invalid.`,
    ],
    [
      "writing without a name",
      { verb: "write", resource: configMaps, namespace: operator, name: "" },
      "400 The provided name '' is invalid.",
    ],
    [
      "an invalid namespace",
      { verb: "read", resource: configMaps, namespace: "a/b", name: "a", unrestricted: true },
      "400 The provided namespace 'a/b' is invalid.",
    ],
    [
      "an object without its namespace",
      { verb: "read", resource: machines, namespace: "", name: "a" },
      "400 A machines is in a namespace, which must be provided.",
    ],
    [
      "a node in a namespace",
      { verb: "read", resource: nodes, namespace: operator, name: "a" },
      `400 A nodes is in no namespace, but '${operator}' was provided.`,
    ],
  ];
  for (const [name, access, expected] of rows)
    assert.equal(
      refusal(() => checkObjectAccess(access)),
      expected,
      name,
    );
});

test("containers are the platform's, under names that can be", () => {
  const good = { namespace: "openshift-etcd", pod: "etcd-0", container: "etcd" };
  const rows: readonly (readonly [Partial<typeof good>, string | undefined])[] = [
    [{}, undefined],
    [{ namespace: "" }, "400 The provided namespace '' is invalid."],
    [{ namespace: "shop" }, "403 Access to the provided namespace 'shop' is forbidden."],
    [{ pod: "" }, "400 The provided pod name '' is invalid."],
    [{ container: "a b" }, "400 The provided container name 'a b' is invalid."],
  ];
  for (const [change, expected] of rows)
    assert.equal(
      refusal(() => checkContainer({ ...good, ...change })),
      expected,
    );
});

test("machines have names that begin with a letter or digit", () => {
  assert.equal(
    refusal(() => checkVmName("demo-x7k2p-master-0")),
    undefined,
  );
  for (const name of ["", "-a", ".a", "a/b", "a;b"])
    assert.equal(
      refusal(() => checkVmName(name)),
      `400 The provided vmName '${name}' is invalid.`,
    );
});

test("the platform's namespaces are the listed ones, not all that begin so", () => {
  for (const name of ["", "openshift", "openshift-etcd", "openshift-azure-guardrails"])
    assert.equal(isOpenShiftNamespace(name), true, name);
  for (const name of ["default", "kube-system", "openshift-authentication", "openshift-etcd2", "Openshift"])
    assert.equal(isOpenShiftNamespace(name), false, name);
});
