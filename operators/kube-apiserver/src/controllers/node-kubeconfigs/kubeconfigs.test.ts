import assert from "node:assert/strict";
import { test } from "node:test";
import { stringAt } from "@keelson/base";
import { parse } from "yaml";
import { configObject, dataObject } from "../../testing/observe.ts";
import { nodeKubeconfigs } from "./kubeconfigs.ts";

const client = dataObject(
  "Secret",
  "openshift-kube-apiserver-operator/node-system-admin-client",
  { data: { "tls.crt": "Q0VSVA==", "tls.key": "S0VZ" } },
  { "auth.openshift.io/certificate-not-after": "2028-01-01T00:00:00Z", other: "x" },
);
const serving = dataObject("ConfigMap", "openshift-kube-apiserver/kube-apiserver-server-ca", {
  data: { "ca-bundle.crt": "CA" },
});
const infrastructure = configObject("Infrastructure", {
  status: { apiServerURL: "https://api:6443", apiServerInternalURI: "https://api-int:6443" },
});

test("a node's administrator has four ways to the API", () => {
  const { data, metadata } = nodeKubeconfigs({ client, serving, infrastructure });
  const servers = Object.entries(data).map(([name, encoded]) => {
    const kubeconfig = parse(Buffer.from(encoded, "base64").toString());
    const [{ cluster }] = kubeconfig.clusters;
    assert.equal(stringAt(kubeconfig.users[0], "user", "client-key-data"), "S0VZ");
    assert.equal(cluster["certificate-authority-data"], "Q0E=");
    return [name, cluster.server, cluster["tls-server-name"]];
  });
  assert.deepEqual(servers, [
    ["localhost.kubeconfig", "https://localhost:6443", undefined],
    ["localhost-recovery.kubeconfig", "https://localhost:6443", "localhost-recovery"],
    ["lb-ext.kubeconfig", "https://api:6443", undefined],
    ["lb-int.kubeconfig", "https://api-int:6443", undefined],
  ]);
  assert.deepEqual(metadata.annotations, {
    "openshift.io/owning-component": "kube-apiserver",
    "auth.openshift.io/certificate-not-after": "2028-01-01T00:00:00Z",
  });
});

const rows: readonly (readonly [Partial<Parameters<typeof nodeKubeconfigs>[0]>, RegExp])[] = [
  [{ client: undefined }, /secret "node-system-admin-client" not found/],
  [{ client: { ...client, data: { "tls.crt": "Q0VSVA==" } } }, /private key missing from secret/],
  [{ serving: undefined }, /configmap "kube-apiserver-server-ca" not found/],
  [{ serving: { ...serving, data: {} } }, /serving CA bundle missing/],
  [
    { infrastructure: configObject("Infrastructure", { status: {} }) },
    /APIServerInternalURL missing from infrastructure\/cluster/,
  ],
];
for (const [change, message] of rows)
  test(`${message}`, () =>
    assert.throws(() => nodeKubeconfigs({ client, serving, infrastructure, ...change }), message));
