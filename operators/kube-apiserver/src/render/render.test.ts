import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { parse, stringify } from "yaml";
import { writeRenderInputs } from "../testing/render-inputs.ts";
import { render } from "./render.ts";
import type { RenderOptions } from "./render-options.ts";

const root = mkdtempSync(join(tmpdir(), "keelson-render-"));
const input = join(root, "in");
const file = (name: string, content: unknown) => {
  const path = join(root, name);
  writeFileSync(path, stringify(content));
  return path;
};
let options: RenderOptions;
let authority: { certificatePem: string; privateKeyPem: string };

before(async () => {
  ({ authority, options } = await writeRenderInputs(root, "PUBLIC"));
});
after(() => rmSync(root, { recursive: true }));

const read = (path: string): unknown => parse(readFileSync(path, "utf8"));
const config = () => read(options.configOutputFile);
const argument = (name: string) => valueAt(config(), "apiServerArguments", name);
const pod = () => read(join(options.assetOutputDir, "bootstrap-manifests", "kube-apiserver-pod.yaml"));

test("acceptance 28: without an infrastructure file the API server has 70 s and 135 s to stop, and rendering is deterministic", async () => {
  const files = await render(options);
  assert.equal(files.length, 16);
  const first = files.map((path) => readFileSync(path, "utf8"));
  assert.deepEqual(argument("shutdown-delay-duration"), ["70s"]);
  assert.equal(valueAt(pod(), "spec", "terminationGracePeriodSeconds"), 135);
  assert.deepEqual(await render(options), files);
  assert.deepEqual(
    files.map((path) => readFileSync(path, "utf8")),
    first,
  );
});

test("acceptance 28: on a single node it stops immediately", async () => {
  const infraConfigFile = file("infra.yaml", { status: { controlPlaneTopology: "SingleReplica" } });
  await render({ ...options, infraConfigFile });
  assert.deepEqual(argument("shutdown-delay-duration"), ["0s"]);
  assert.equal(valueAt(pod(), "spec", "terminationGracePeriodSeconds"), 15);
});

test("the configuration is that of a bootstrap machine", async () => {
  await render(options);
  assert.deepEqual(argument("feature-gates"), [
    "EventTTL=true",
    "OpenShiftPodSecurityAdmission=true",
    "KMSEncryption=false",
  ]);
  assert.equal(argument("runtime-config"), null);
  assert.deepEqual(argument("etcd-servers"), ["https://127.0.0.1:2379"]);
  assert.deepEqual(argument("etcd-cafile"), ["/etc/kubernetes/secrets/root-ca.crt"]);
  assert.deepEqual(argument("audit-policy-file"), ["openshift.local.audit/policy.yaml"]);
  assert.equal(valueAt(config(), "auditConfig", "policyConfiguration", "kind"), "Policy");
  assert.equal(valueAt(config(), "servicesSubnet"), "172.30.0.0/16");
  const plugins = valueAt(config(), "admission", "pluginConfig");
  const restricted = valueAt(plugins, "network.openshift.io/RestrictedEndpointsAdmission");
  assert.deepEqual(valueAt(restricted, "configuration", "restrictedCIDRs"), [
    "172.30.0.0/16",
    "10.128.0.0/14",
  ]);
  assert.equal(stringAt(plugins, "PodSecurity", "configuration", "defaults", "enforce"), "restricted");
  const certificates = listAt(config(), "servingInfo", "namedCertificates");
  assert.deepEqual(
    certificates.map((each) => listAt(each, "names").length),
    [4, 3, 0, 0],
  );
});

test("signers have the validity annotations with which the operator adopts them", async () => {
  await render(options);
  const directory = join(options.assetOutputDir, "manifests");
  assert.equal(readdirSync(directory).length, 14);
  const secret = read(join(directory, "secret-loadbalancer-serving-signer.yaml"));
  const annotations = valueAt(secret, "metadata", "annotations");
  assert.equal(valueAt(annotations, "auth.openshift.io/certificate-issuer"), "signer-of-tests");
  assert.match(String(valueAt(annotations, "auth.openshift.io/certificate-not-after")), /^\d{4}-.*:\d\dZ$/);
  const certificate = Buffer.from(stringAt(secret, "data", "tls.crt") ?? "", "base64").toString();
  assert.equal(certificate, authority.certificatePem);
});

test("networks choose where the API server listens", async () => {
  for (const [cluster, address, network] of [
    [["fd01::/48"], "[::]:6443", "tcp6"],
    [["10.128.0.0/14", "fd01::/48"], "[::]:6443", "tcp"],
    [[], "0.0.0.0:6443", "tcp4"],
  ] as const) {
    const spec = { clusterNetwork: { pods: { cidrBlocks: cluster }, services: { cidrBlocks: [] } } };
    await render({ ...options, clusterConfigFile: file("legacy.yaml", { spec }) });
    assert.equal(valueAt(config(), "servingInfo", "bindAddress"), address);
    assert.equal(valueAt(config(), "servingInfo", "bindNetwork"), network);
  }
});

test("the issuer is that of the file, else of the manifests, else the default", async () => {
  const authentication = (serviceAccountIssuer: string) => ({
    apiVersion: "config.openshift.io/v1",
    kind: "Authentication",
    metadata: { name: "cluster" },
    spec: { serviceAccountIssuer },
  });
  const manifest = file("authentication.yaml", authentication("https://manifests"));
  const renderedManifestFiles = [...options.renderedManifestFiles, manifest];
  await render({
    ...options,
    renderedManifestFiles,
    clusterAuthFile: file("auth.yaml", authentication("https://file")),
  });
  assert.deepEqual(argument("service-account-issuer"), ["https://file"]);
  await render({ ...options, renderedManifestFiles, clusterAuthFile: join(root, "absent.yaml") });
  assert.deepEqual(argument("api-audiences"), ["https://manifests"]);
  const empty = join(root, "empty.yaml");
  writeFileSync(empty, "");
  await render({ ...options, renderedManifestFiles, clusterAuthFile: empty });
  assert.deepEqual(argument("service-account-issuer"), ["https://manifests"]);
  await render({ ...options, clusterAuthFile: empty });
  assert.deepEqual(argument("service-account-issuer"), ["https://kubernetes.default.svc"]);
  await render(options);
  assert.deepEqual(argument("service-account-issuer"), ["https://kubernetes.default.svc"]);
});

test("override files are merged last, in their order, and may name facts", async () => {
  const first = file("first.yaml", {
    apiServerArguments: { "event-ttl": ["1h"], "enable-admission-plugins": ["A"] },
  });
  const second = file("second.yaml", {
    corsAllowedOrigins: ["{{ .BindAddress }}"],
    apiServerArguments: { "event-ttl": ["2h"] },
  });
  await render({ ...options, configOverrideFiles: [first, second] });
  assert.deepEqual(argument("event-ttl"), ["2h"]);
  assert.deepEqual(argument("enable-admission-plugins"), ["A"]);
  assert.deepEqual(valueAt(config(), "corsAllowedOrigins"), ["0.0.0.0:6443"]);
  const unknown = file("unknown.yaml", { corsAllowedOrigins: ["{{ .Nothing }}"] });
  await assert.rejects(
    render({ ...options, configOverrideFiles: [unknown] }),
    /\{\{ \.Nothing \}\} is not known/,
  );
});

test("acceptance 29: a missing flag is named", async () => {
  const rows: readonly (readonly [Partial<RenderOptions>, string])[] = [
    [{ manifestOperatorImage: "" }, "missing required flag: --manifest-operator-image"],
    [{ assetInputDir: "" }, "missing required flag: --asset-input-dir"],
    [{ configOutputFile: "" }, "missing required flag: --config-output-file"],
    [{ manifestEtcdServerUrls: [] }, "missing etcd server URLs: --manifest-etcd-server-urls"],
    [{ operandKubernetesVersion: "" }, "missing operand kubernetes version: --operand-kubernetes-version"],
    [
      { operandKubernetesVersion: "1.32" },
      'could not parse --operand-kubernetes-version: "1.32" is no semantic version',
    ],
    [
      { payloadVersion: "4.20.0" },
      'missing desired version "4.20.0" in featuregates.config.openshift.io/cluster',
    ],
  ];
  for (const [change, message] of rows) await assert.rejects(render({ ...options, ...change }), { message });
});

test("conflicting manifests of an object are rejected", async () => {
  const other = file("gates-2.yaml", {
    apiVersion: "config.openshift.io/v1",
    kind: "FeatureGate",
    metadata: { name: "cluster" },
  });
  const renderedManifestFiles = [...options.renderedManifestFiles, other];
  await assert.rejects(render({ ...options, renderedManifestFiles }), /disagree about FeatureGate/);
});

test("an incomplete key pair is rejected", async () => {
  await render(options);
  const publicFile = join(input, "bound-service-account-signing-key.pub");
  assert.ok(existsSync(publicFile));
  rmSync(publicFile);
  await assert.rejects(render(options), /was supplied, but the matching public key is missing/);
  rmSync(join(input, "bound-service-account-signing-key.key"));
  writeFileSync(publicFile, "PUBLIC");
  await assert.rejects(render(options), /was supplied, but the matching private key is missing/);
  rmSync(publicFile);
});

test("a missing file of the input directory is an error", async () => {
  const bundle = join(input, "admin-kubeconfig-ca-bundle.crt");
  const content = readFileSync(bundle);
  rmSync(bundle);
  try {
    await assert.rejects(render(options), { message: /admin-kubeconfig-ca-bundle\.crt/ });
  } finally {
    writeFileSync(bundle, content);
  }
});

test("a generated key pair has a public key with the header of its encoding", async () => {
  for (const ending of ["pub", "key"])
    rmSync(join(input, `bound-service-account-signing-key.${ending}`), { force: true });
  await render(options);
  const key = readFileSync(join(input, "bound-service-account-signing-key.pub"), "utf8");
  assert.match(key, /^-----BEGIN PUBLIC KEY-----\n/);
});
