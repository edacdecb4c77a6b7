import assert from "node:assert/strict";
import { generateKeyPairSync, type X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { connect } from "node:tls";
import {
  createCertificateAuthority,
  issueCertificate,
  silentLogger,
  stringAt,
  systemClock,
  valueAt,
} from "@keelson/base";
import { connectKube, type KubeObject, resources } from "@keelson/kube";
import { install, NodeDisk } from "@keelson/operator-kit";
import { type KitCluster, kitServers } from "@keelson/operator-kit/testing";
import { namespaces } from "./config/namespaces.ts";
import { certificateDir, resourceDir } from "./config/operand-paths.ts";
import { revisionedSources, syncedSources } from "./operand/operand-sources.ts";
import { logOf, type RealApiServer, startRealApiServer } from "./testing/real-api-server.ts";
import { Rollout } from "./testing/rollout.ts";
import { addMasters, TestKubelets } from "./testing/test-kubelets.ts";
import { fillRecoveryToken, operatorKinds, seedCluster, startTestOperator } from "./testing/test-operator.ts";

const assets = process.env.KUBEBUILDER_ASSETS;
const signal = AbortSignal.timeout(900_000);
const root = mkdtempSync(join(tmpdir(), "steady-state-"));
after(() => rmSync(root, { recursive: true, force: true }));
const node = "master-0";
const hostResources = "/etc/kubernetes/static-pod-resources";

test("an installed revision starts a real API server with mutual trust", {
  skip: assets === undefined,
}, async () => {
  assert.ok(assets);
  const [embedded] = kitServers;
  assert.ok(embedded);
  await using cluster = await embedded.start({ kinds: operatorKinds });
  await seedCluster(cluster);
  const accounts = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  await seedKeys(cluster, accounts.publicKey);
  await addMasters(cluster);
  const rollout = new Rollout(cluster, new TestKubelets(cluster));
  const operator = await startTestOperator(cluster);
  try {
    await fillRecoveryToken(cluster);
    await rollout.finished(async () => assert.ok((await rollout.latest()) > 0));
    await operator.quiet();
    await installOn(cluster, await rollout.latest());
  } finally {
    await operator[Symbol.asyncDispose]();
  }

  const config: unknown = JSON.parse(
    readFileSync(join(root, "pod", resourceDir, "configmaps/config/config.yaml"), "utf8"),
  );
  const etcdFile = (name: string) => join(root, "pod", resourceDir, name);
  await using api = await startRealApiServer({
    assets,
    root: join(root, "pod"),
    config,
    etcd: {
      certFile: etcdFile("secrets/etcd-client/tls.crt"),
      keyFile: etcdFile("secrets/etcd-client/tls.key"),
      caFile: etcdFile("configmaps/etcd-serving-ca/ca-bundle.crt"),
    },
  });
  // `leftOut` lists the arguments that the upstream API server does not support. It may contain only arguments that OpenShift has
  // added.
  for (const each of api.leftOut)
    assert.match(
      each,
      /openshift\.io\/|=Scope$|=SystemMasters$|--kubelet-read-only-port|--feature-gates=|--send-retry-after-while-not-ready-once/,
    );

  // Connects with the kubeconfigs of the node administrator. The operator has issued the client certificate and the server
  // certificate.
  const directory = join(root, "pod", certificateDir, "secrets/node-kubeconfigs");
  const kubeconfigs = readdirSync(directory).filter((name) => name.startsWith("localhost"));
  assert.deepEqual(kubeconfigs.toSorted(), ["localhost-recovery.kubeconfig", "localhost.kubeconfig"]);
  for (const name of kubeconfigs) {
    const kubeconfig = readFileSync(join(directory, name), "utf8").replace(
      "https://localhost:6443",
      `https://localhost:${api.port}`,
    );
    await using kube = connectKube({ kubeconfig, userAgent: "test/1", fieldManager: "test" });
    for (const ends = Date.now() + 60_000; ; await systemClock.sleep(200, signal)) {
      const status = await kube.statusCode("/readyz", signal).catch(() => 0);
      if (status === 200) break;
      assert.ok(Date.now() < ends, logOf(join(root, "pod")));
    }
    await kube.list(resources.namespaces, {}, signal);
  }

  const authorities = readFileSync(
    join(root, "pod", resourceDir, "configmaps/kube-apiserver-server-ca/ca-bundle.crt"),
    "utf8",
  );
  for (const name of [
    "localhost",
    "kubernetes.default.svc",
    "api.test.example",
    "api-int.test.example",
    "localhost-recovery",
  ])
    assert.match(
      (await presented(api, name, authorities)).subjectAltName ?? "",
      new RegExp(`DNS:${name}\\b`),
    );

  const kubeconfig = readFileSync(join(directory, "localhost.kubeconfig"), "utf8").replace(
    "https://localhost:6443",
    `https://localhost:${api.port}`,
  );
  await using kube = connectKube({ kubeconfig, userAgent: "test/1", fieldManager: "test" });
  await checkAdmission(kube);
  checkAudit(api);
});

/** Creates the keys that the installer and other operators provide, for etcd and tokens. */
async function seedKeys({ api, signal }: KitCluster, publicKey: string): Promise<void> {
  const authority = await createCertificateAuthority("etcd-signer", 1);
  const etcd = await issueCertificate(authority, {
    commonName: "etcd",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usage: "both",
    validDays: 1,
  });
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const keyOf = (namespace: string, name: string) => ({ namespace, name });
  await api.mergePatch(
    resources.configMaps,
    keyOf(namespaces.config, "etcd-serving-ca"),
    { data: { "ca-bundle.crt": authority.certificatePem } },
    signal,
  );
  await api.mergePatch(
    resources.secrets,
    keyOf(namespaces.config, "etcd-client"),
    { data: { "tls.crt": base64(etcd.certificatePem), "tls.key": base64(etcd.privateKeyPem) } },
    signal,
  );
  await api.mergePatch(
    resources.configMaps,
    keyOf(namespaces.managed, "sa-token-signing-certs"),
    { data: { "service-account-001.pub": publicKey } },
    signal,
  );
}

/** Installs a revision in the file layout of the static pod, as the installer pod of the first master does. */
async function installOn({ api }: KitCluster, revision: number): Promise<void> {
  const options = {
    revision,
    namespace: namespaces.target,
    pod: "kube-apiserver-pod",
    resourceDir: hostResources,
    podManifestDir: "/etc/kubernetes/manifests",
    revisioned: revisionedSources,
    certDir: `${hostResources}/kube-apiserver-certs`,
    certs: syncedSources,
  };
  const disk = new NodeDisk((path) => join(root, "node", path));
  await install(
    options,
    { api, disk, node, report: () => undefined, clock: systemClock, logger: silentLogger },
    signal,
  );
  const manifest: unknown = JSON.parse(
    readFileSync(join(root, "node/etc/kubernetes/manifests/kube-apiserver-pod.yaml"), "utf8"),
  );
  const mounted = new Map([
    ["resource-dir", resourceDir],
    ["cert-dir", certificateDir],
  ]);
  mkdirSync(join(root, "pod/etc/kubernetes"), { recursive: true });
  for (const volume of valueAt(manifest, "spec", "volumes") as readonly unknown[]) {
    const place = mounted.get(stringAt(volume, "name") ?? "");
    if (place !== undefined)
      symlinkSync(
        join(root, "node", stringAt(volume, "hostPath", "path") ?? ""),
        join(root, "pod", place),
        "dir",
      );
  }
}

/** Verifies that the pod security level is `restricted` by default, and that the server accepts the tokens that it issues. */
async function checkAdmission(kube: ReturnType<typeof connectKube>): Promise<void> {
  const create = (resource: typeof resources.pods, object: object) =>
    kube.create(resource, object as KubeObject, signal);
  await create(resources.namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: "strict" } });
  await create(resources.serviceAccounts, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { namespace: "strict", name: "default" },
  });
  await assert.rejects(
    create(resources.pods, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace: "strict", name: "privileged" },
      spec: { containers: [{ name: "one", image: "one", securityContext: { privileged: true } }] },
    }),
    /violates PodSecurity "restricted:latest"/,
  );
}

function checkAudit({ auditLog }: RealApiServer): void {
  const events = readFileSync(auditLog, "utf8")
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  const levelOf = (resource: string) =>
    stringAt(
      events.find((each) => stringAt(each, "objectRef", "resource") === resource),
      "level",
    );
  assert.equal(levelOf("namespaces"), "Metadata");
  assert.ok(events.every((each) => stringAt(each, "stage") !== "RequestReceived"));
  assert.ok(events.every((each) => !(stringAt(each, "requestURI") ?? "").startsWith("/readyz")));
}

/** Returns the certificate that the server presents for a name. The CA verifies the certificate. */
function presented({ port }: RealApiServer, servername: string, ca: string): Promise<X509Certificate> {
  const { promise, resolve, reject } = Promise.withResolvers<X509Certificate>();
  const socket = connect({ port, host: "127.0.0.1", servername, ca }, () => {
    const certificate = socket.getPeerX509Certificate();
    socket.destroy();
    if (certificate) resolve(certificate);
    else reject(new Error(`no certificate for ${servername}`));
  });
  socket.on("error", reject);
  return promise;
}
