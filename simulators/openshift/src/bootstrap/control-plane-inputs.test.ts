import assert from "node:assert/strict";
import { createPublicKey, verify, X509Certificate } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { createSecureContext } from "node:tls";
import type { ClusterClient } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { parse } from "yaml";
import { stringMapAt } from "../base/fields.ts";
import { resources } from "../base/resources.ts";
import { installed } from "../testing/installed-cluster.ts";
import { infraId, type TestWorld } from "../testing/installed-world.ts";

const config = "openshift-config";
const managed = "openshift-config-managed";
const etcd = "openshift-etcd";

async function bundle(
  client: ClusterClient,
  namespace: string,
  name: string,
): Promise<readonly X509Certificate[]> {
  const text =
    stringAt(await client.get(resources.configMaps, { namespace, name }), "data", "ca-bundle.crt") ?? "";
  const found = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  return found.map((pem) => new X509Certificate(pem));
}

async function secretTexts(client: ClusterClient, namespace: string, name: string) {
  const data = stringMapAt(await client.get(resources.secrets, { namespace, name }), "data");
  return Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text, "base64").toString()]),
  );
}

/** Verifies the key and the CA of a Secret's certificate. Returns the certificate. */
function assertSigned(
  texts: Readonly<Record<string, string>>,
  stem: string,
  authorities: readonly X509Certificate[],
) {
  const { [`${stem}.crt`]: cert = "", [`${stem}.key`]: key = "" } = texts;
  createSecureContext({ cert, key });
  const certificate = new X509Certificate(cert);
  assert.ok(
    authorities.some((authority) => certificate.verify(authority.publicKey)),
    `${stem} is not signed by a CA of the bundle`,
  );
  return certificate;
}

describe("inputs of a control plane's operators", { timeout: 900_000 }, () => {
  let world: TestWorld;
  before(async () => {
    world = await installed({ workers: 2 });
  });
  after(() => world?.[Symbol.asyncDispose]());

  test("is all there, with certificates that fit", async () => {
    const { client } = world;

    for (const [namespace, name] of [
      [config, "admin-kubeconfig-client-ca"],
      [config, "etcd-ca-bundle"],
      [config, "etcd-serving-ca"],
      [config, "initial-kube-apiserver-server-ca"],
      [etcd, "etcd-ca-bundle"],
      [managed, "csr-controller-ca"],
      [managed, "kubelet-bootstrap-kubeconfig"],
      [managed, "kubelet-serving-ca"],
      [managed, "kube-apiserver-aggregator-client-ca"],
      [managed, "kube-apiserver-client-ca"],
      [managed, "kube-apiserver-server-ca"],
    ] as const) {
      const authorities = await bundle(client, namespace, name);
      assert.ok(authorities.length > 0 || name === "admin-kubeconfig-client-ca", name);
      for (const authority of authorities) assert.ok(authority.ca || name.includes("server-ca"), name);
    }

    const etcdAuthorities = await bundle(client, etcd, "etcd-serving-ca");
    for (const namespace of [config, etcd])
      assertSigned(await secretTexts(client, namespace, "etcd-client"), "tls", etcdAuthorities);
    const clients = await bundle(client, managed, "kube-apiserver-client-ca");
    for (const component of ["kube-controller-manager", "kube-scheduler"]) {
      const texts = await secretTexts(client, managed, `${component}-client-cert-key`);
      assert.equal(assertSigned(texts, "tls", clients).subject, `CN=system:${component}`);
    }

    for (const signer of ["aggregator-client-signer", "kube-control-plane-signer"]) {
      const texts = await secretTexts(client, "openshift-kube-apiserver-operator", signer);
      assert.equal(createPublicKey(texts["tls.crt"] ?? "").asymmetricKeyType, "rsa", signer);
    }

    const root = stringAt(
      await client.get(resources.configMaps, { namespace: "kube-system", name: "root-ca" }),
      "data",
      "ca.crt",
    );
    const controllerConfig = await client.get(resources.controllerConfigs, {
      name: "machine-config-controller",
    });
    assert.equal(
      Buffer.from(stringAt(controllerConfig, "spec", "rootCAData") ?? "", "base64").toString(),
      root,
    );
    assert.equal(stringAt(controllerConfig, "spec", "infra", "status", "infrastructureName"), infraId);
  });

  test("reports that every master runs the first revision of its static pods", async () => {
    const { client } = world;
    const masters = (await client.list(resources.nodes, { labelSelector: "node-role.kubernetes.io/master" }))
      .items;
    const names = masters.map(({ metadata }) => metadata.name).toSorted();
    assert.equal(names.length, 3);
    for (const ref of [resources.etcds, resources.kubeApiServers, resources.kubeSchedulers])
      await eventually(async () => {
        const operator = await client.get(ref, { name: "cluster" });
        const statuses = listAt(operator, "status", "nodeStatuses");
        assert.deepEqual(statuses.map((each) => stringAt(each, "nodeName")).toSorted(), names);
        assert.deepEqual(
          statuses.map((each) => valueAt(each, "currentRevision")),
          [1, 1, 1],
        );
        assert.equal(valueAt(operator, "status", "latestAvailableRevision"), 1);
      });
    for (const operand of ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"]) {
      const status = { namespace: `openshift-${operand}`, name: "revision-status-1" };
      const { metadata, ...revision } = await client.get(resources.configMaps, status);
      assert.equal(metadata.annotations?.["operator.openshift.io/revision-ready"], "true", operand);
      assert.deepEqual(stringMapAt(revision, "data"), {
        revision: "1",
        reason: `configmap "${operand}-pod-0" not found`,
      });
    }
    const ofRevision = { namespace: "openshift-kube-apiserver", name: "config-1" };
    const text = stringAt(await client.get(resources.configMaps, ofRevision), "data", "config.yaml") ?? "";
    assert.deepEqual(JSON.parse(text), { apiServerArguments: {} });
  });

  test("names the members of etcd, each with its certificates", async () => {
    const { client } = world;
    const nodes = (await client.list(resources.nodes, { labelSelector: "node-role.kubernetes.io/master" }))
      .items;
    const addresses = nodes.map((node) => stringAt(node, "status", "addresses", 0, "address")).toSorted();
    await eventually(async () => {
      const endpoints = await client.get(resources.configMaps, { namespace: etcd, name: "etcd-endpoints" });
      assert.deepEqual(Object.values(stringMapAt(endpoints, "data")).toSorted(), addresses);
    });
    const authorities = await bundle(client, etcd, "etcd-ca-bundle");
    await eventually(async () => {
      const all = await secretTexts(client, etcd, "etcd-all-certs");
      for (const { metadata } of nodes)
        for (const use of ["etcd-peer", "etcd-serving", "etcd-serving-metrics"]) {
          const certificate = assertSigned(all, `${use}-${metadata.name}`, authorities);
          const own = await secretTexts(client, etcd, `${use}-${metadata.name}`);
          assert.equal(own["tls.crt"], all[`${use}-${metadata.name}.crt`]);
          assert.ok(addresses.some((address) => address && certificate.checkIP(address)));
        }
    });
  });

  test("verifies the cluster's own tokens and refers to its own OAuth server", async () => {
    const { client, cluster } = world;
    const { token } = await cluster.issueToken({ namespace: "default", serviceAccount: "default" });
    const [header = "", payload = "", signature = ""] = token.split(".");
    for (const name of ["sa-token-signing-certs", "bound-sa-token-signing-certs"]) {
      const found = await client.get(resources.configMaps, { namespace: managed, name });
      const key = createPublicKey(stringAt(found, "data", "service-account-001.pub") ?? "");
      assert.ok(
        verify(
          "sha256",
          Buffer.from(`${header}.${payload}`),
          { key, dsaEncoding: "ieee-p1363" },
          Buffer.from(signature, "base64url"),
        ),
        name,
      );
      const own = await secretTexts(client, config, "initial-service-account-private-key");
      assert.ok(createPublicKey(own["service-account.key"] ?? "").equals(key), name);
    }
    await eventually(async () => {
      const authentication = await client.get(resources.authentications, { name: "cluster" });
      const name = stringAt(authentication, "status", "integratedOAuthMetadata", "name") ?? "";
      const metadata = await client.get(resources.configMaps, { namespace: managed, name });
      assert.equal(JSON.parse(stringAt(metadata, "data", "oauthMetadata") ?? "").issuer, cluster.url);
      const webhook =
        stringAt(authentication, "spec", "webhookTokenAuthenticator", "kubeConfig", "name") ?? "";
      const { kubeConfig = "" } = await secretTexts(client, config, webhook);
      const parsed: unknown = JSON.parse(kubeConfig);
      for (const member of ["clusters", "users", "contexts"]) assert.equal(listAt(parsed, member).length, 1);
    });
  });

  test("publishes the request headers of the API server and the installed configuration", async () => {
    const { client } = world;
    const key = { namespace: "kube-system", name: "extension-apiserver-authentication" };
    const data = stringMapAt(await client.get(resources.configMaps, key), "data");
    assert.ok(JSON.parse(data["requestheader-allowed-names"] ?? "").includes("system:openshift-aggregator"));
    const [aggregator] = await bundle(client, managed, "kube-apiserver-aggregator-client-ca");
    assert.equal(
      new X509Certificate(data["requestheader-client-ca-file"] ?? "").fingerprint,
      aggregator?.fingerprint,
    );
    const stored = await client.get(resources.configMaps, {
      namespace: "kube-system",
      name: "cluster-config-v1",
    });
    const installConfig: unknown = parse(stringAt(stored, "data", "install-config") ?? "");
    assert.equal(valueAt(installConfig, "metadata", "name"), "demo");
  });

  test("injects the external CAs into labelled ConfigMaps", async () => {
    const { client } = world;
    const mine = { namespace: "default", name: "trusted" };
    await client.create(resources.configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { ...mine, labels: { "config.openshift.io/inject-trusted-cabundle": "true" } },
    });
    const bundleIn = async () =>
      stringAt(await client.get(resources.configMaps, mine), "data", "ca-bundle.crt") ?? "";
    await eventually(async () => assert.match(await bundleIn(), /BEGIN CERTIFICATE/));
    await client.create(resources.configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: config, name: "user-ca-bundle" },
      data: { "ca-bundle.crt": "# of the user" },
    });
    await client.mergePatch(
      resources.proxies,
      { name: "cluster" },
      { spec: { trustedCA: { name: "user-ca-bundle" } } },
    );
    await eventually(async () => assert.match(await bundleIn(), /# of the user/));
  });
});
