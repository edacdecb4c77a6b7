import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { valueAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { inCreationOrder } from "./creation-order.ts";
import { manifest } from "./manifest.ts";
import { operatorManifests } from "./operator-manifests.ts";

const namespace = "openshift-azure-operator";

test("what others need is created first, and the order within a kind stays", () => {
  const cloud = {
    armEndpoint: "https://a",
    loginEndpoint: "https://b",
    audience: "https://a/",
    caPem: "PEM",
  };
  const all = inCreationOrder([
    ...operatorManifests({ image: "a:1", usesWorkloadIdentity: false, supportsPodSecurity: true, cloud }),
    manifest(resources.secrets, { name: "cluster", namespace }),
    manifest(resources.aroClusters, { name: "cluster" }),
  ]);
  const kinds = [...new Set(all.map(({ object }) => object.kind))];
  assert.deepEqual(kinds.slice(0, 7), [
    "CustomResourceDefinition",
    "ClusterRole",
    "ClusterRoleBinding",
    "Namespace",
    "ConfigMap",
    "Secret",
    "ServiceAccount",
  ]);
  assert.equal(all.at(-1)?.object.kind, "Cluster");
  const deployments = all.filter(({ object }) => object.kind === "Deployment");
  assert.deepEqual(
    deployments.map(({ object }) => object.metadata.name),
    ["aro-operator-master", "aro-operator-worker"],
  );
});

const pod = (volumes: readonly object[]) =>
  manifest(
    resources.deployments,
    { name: "a", namespace },
    {
      spec: {
        template: { metadata: { labels: { app: "a" }, annotations: { kept: "yes" } }, spec: { volumes } },
      },
    },
  );
const annotationsOf = (batch: Parameters<typeof inCreationOrder>[0]) => {
  const found = inCreationOrder(batch).find(({ object }) => object.kind === "Deployment");
  return valueAt(found?.object, "spec", "template", "metadata", "annotations");
};
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("pods carry the hashes of what they mount of the batch", () => {
  const config = manifest(resources.configMaps, { name: "c", namespace }, { data: { b: "2", a: "1" } });
  const secret = manifest(resources.secrets, { name: "s", namespace }, { stringData: { key: "value" } });
  const elsewhere = manifest(resources.configMaps, { name: "d", namespace: "other" }, { data: {} });
  const volumes = [
    { name: "x", configMap: { name: "c" } },
    { name: "y", secret: { secretName: "s" } },
    { name: "z", configMap: { name: "d" } },
    { name: "absent", configMap: { name: "absent" } },
  ];
  assert.deepEqual(annotationsOf([config, secret, elsewhere, pod(volumes)]), {
    kept: "yes",
    "checksum/configmap-c": sha256("a: 1\nb: 2\n"),
    "checksum/secret-s": sha256("key: value\n"),
  });
  assert.deepEqual(annotationsOf([config, pod([])]), { kept: "yes" });
});
