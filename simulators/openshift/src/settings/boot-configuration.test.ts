import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { createCertificateAuthority, isCoded } from "@keelson/base";
import { stringify } from "yaml";
import { exampleInstall, exampleSettings } from "../testing/example-cluster.ts";
import { readBootConfiguration } from "./boot-configuration.ts";

const { infraId } = exampleSettings();
const directory = "/opt/openshift";
const keyPath = `${directory}/tls/bound-service-account-signing-key.key`;

type Files = Readonly<Record<string, string | undefined>>;

async function boot(changes: Files = {}, settings = exampleSettings()) {
  const { files } = await exampleInstall({ settings });
  const changed = Object.entries({ ...files, ...changes });
  const present = changed.flatMap(([path, text]) => (text === undefined ? [] : [[path, text] as const]));
  return readBootConfiguration(new Map(present), infraId);
}

const variants: readonly { readonly name: string; readonly changes: object }[] = [
  { name: "defaults", changes: {} },
  { name: "zones", changes: { controlPlane: { replicas: 3, vmSize: "Standard_D8s_v5", zones: ["1", "2"] } } },
  { name: "an SSH key", changes: { sshAuthorizedKeys: ["ssh-rsa AAAA"] } },
  {
    name: "a registry account and a public load balancer",
    changes: {
      platform: {
        ...exampleSettings().platform,
        registryStorageAccount: "imageregistryabcde",
        publicLoadBalancer: infraId,
      },
    },
  },
];

for (const { name, changes } of variants)
  test(`the installer's files contain the original settings: ${name}`, async () => {
    const settings = exampleSettings(changes);
    assert.deepEqual((await boot({}, settings)).settings, settings);
  });

test("client CAs are those of the bundle", async () => {
  const pair = await Promise.all(["a", "b"].map((name) => createCertificateAuthority(name, 1)));
  const clientCertificateAuthorities = pair.map(({ certificatePem }) => `${certificatePem.trimEnd()}\n`);
  const settings = exampleSettings({ clientCertificateAuthorities });
  assert.deepEqual(
    (await boot({}, settings)).settings.clientCertificateAuthorities,
    clientCertificateAuthorities,
  );
});

test("manifests come from both directories in path order, including all documents of a file", async () => {
  const object = (name: string) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "default", name },
  });
  const { manifests } = await boot({
    [`${directory}/manifests/00-two.yaml`]: `# comment\n${stringify(object("a"))}---\n${stringify(object("b"))}---\n`,
    [`${directory}/openshift/zz.json`]: JSON.stringify(object("c")),
    [`${directory}/manifests/readme.txt`]: "no manifest",
    [`${directory}/auth/kubeconfig.yaml`]: "no manifest",
  });
  const names = manifests.map(({ metadata }) => metadata.name);
  assert.deepEqual([names[0], names[1], names.at(-1)], ["a", "b", "c"]);
  assert.ok(manifests.some(({ kind }) => kind === "MachineSet"));
  assert.equal(manifests.filter(({ kind }) => kind === "Machine").length, 3);
});

test("signers of the installer are read, also with keys in PKCS#1", async () => {
  const authority = await createCertificateAuthority("kube-control-plane-signer", 1);
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { signers } = await boot({
    [`${directory}/tls/kube-control-plane-signer.crt`]: authority.certificatePem,
    [`${directory}/tls/kube-control-plane-signer.key`]: privateKey
      .export({ type: "pkcs1", format: "pem" })
      .toString(),
  });
  assert.match(signers.controlPlane?.privateKeyPem ?? "", /BEGIN PRIVATE KEY/);
  assert.match(signers.root?.certificatePem ?? "", /BEGIN CERTIFICATE/);
  assert.equal(signers.aggregator, undefined);
});

test("a cluster with managed identities has the key of its tokens, and its issuer in a manifest", async () => {
  const authentication = {
    apiVersion: "config.openshift.io/v1",
    kind: "Authentication",
    metadata: { name: "cluster" },
    spec: { serviceAccountIssuer: "https://issuer.example/demo" },
  };
  const { serviceAccounts } = await boot({
    [`${directory}/manifests/cluster-authentication-02-config.yaml`]: stringify(authentication),
    [keyPath]: "the key",
  });
  assert.equal(serviceAccounts?.issuer, "https://issuer.example/demo");
  assert.equal(serviceAccounts?.signingKey.reveal(), "the key");
});

const digest = `registry.example/openshift-release-dev/ocp-release@sha256:${"a".repeat(64)}`;
const inspect = (image: string) =>
  `#!/usr/bin/env bash\nif ! D=$( podman inspect ${image}  --format json ); then\n`;
const manifestsRecord = (version: string) =>
  stringify({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "openshift-config", name: "openshift-install-manifests" },
    data: { invoker: "user", version },
  });
const releaseImage = "/usr/local/bin/release-image.sh";
const recordPath = `${directory}/openshift/openshift-install-manifests.yaml`;

const versions: readonly (readonly [name: string, files: Files, version: string])[] = [
  ["the image's tag", { [releaseImage]: inspect("registry.example/a/ocp-release:4.20.4-x86_64") }, "4.20.4"],
  [
    "the tag of a candidate, with a registry's port",
    { [releaseImage]: inspect("localhost:5000/a/ocp-release:4.21.0-rc.1-x86_64") },
    "4.21.0-rc.1",
  ],
  [
    "the installer's version, if the image has a digest",
    { [releaseImage]: inspect(digest), [recordPath]: manifestsRecord("v4.20.3") },
    "4.20.3",
  ],
  [
    "the machine image's minor version, if nothing else is known",
    { [releaseImage]: inspect(digest), [recordPath]: manifestsRecord("was not built correctly") },
    "4.19.0",
  ],
];

for (const [name, files, version] of versions)
  test(`the version is ${name}`, async () => {
    assert.equal((await boot(files)).settings.openShiftVersion, version);
  });

const bad: readonly (readonly [name: string, files: Files, message: RegExp])[] = [
  [
    "no install config",
    { [`${directory}/manifests/cluster-config.yaml`]: undefined },
    /no ConfigMap "cluster-config-v1" with data\.install-config is among the manifests/,
  ],
  ["no domain", { [`${directory}/manifests/cluster-dns-02-config.yml`]: undefined }, /no DNS "cluster"/],
  ["a key of tokens without an issuer", { [keyPath]: "the key" }, /spec\.serviceAccountIssuer/],
  [
    "a manifest without a name",
    { [`${directory}/openshift/x.yaml`]: "kind: Secret\napiVersion: v1\nmetadata: {}\n" },
    /x\.yaml: metadata\.name must be a string/,
  ],
  ["a manifest that is not valid YAML", { [`${directory}/openshift/x.yaml`]: "a: [" }, /x\.yaml is not YAML/],
];

for (const [name, files, message] of bad)
  test(`files of a bootstrap machine with ${name} are rejected with the reason`, async () => {
    await assert.rejects(
      boot(files),
      (error) => isCoded(error, "InvalidBootConfiguration") && message.test(error.message),
    );
  });

test("files of a different cluster are rejected", async () => {
  const { files } = await exampleInstall();
  assert.throws(
    () => readBootConfiguration(new Map(Object.entries(files)), "other-aaaaa"),
    /is of demo-x7k2p, the machine is of other-aaaaa/,
  );
});
