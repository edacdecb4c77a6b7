import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { generateKeyPairSync, type X509Certificate } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { connect } from "node:tls";
import { installedKubectls } from "@keelson/apiserver/testing";
import { type CertificateRequest, issueCertificate, systemClock } from "@keelson/base";
import { connectKube, createKubeconfig, resources } from "@keelson/kube";
import { parse } from "yaml";
import { logOf, startRealApiServer } from "../testing/real-api-server.ts";
import { writeRenderInputs } from "../testing/render-inputs.ts";
import { render } from "./render.ts";

const assets = process.env.KUBEBUILDER_ASSETS;
const signal = AbortSignal.timeout(900_000);
const root = mkdtempSync(join(tmpdir(), "rendered-api-server-"));
after(() => rmSync(root, { recursive: true, force: true }));

test("the rendered files start a real API server that serves, authorizes, audits and accepts the manifests", {
  skip: assets === undefined,
}, async (context) => {
  assert.ok(assets);
  const accounts = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const { authority, options } = await writeRenderInputs(root, accounts.publicKey);
  const files = await render(options);
  const config: unknown = parse(readFileSync(options.configOutputFile, "utf8"));

  const secrets = join(root, "etc/kubernetes/secrets");
  mkdirSync(secrets, { recursive: true });
  const put = (name: string, content: string) => writeFileSync(join(secrets, name), content);
  const issue = async (name: string, request: Omit<CertificateRequest, "validDays">) => {
    const pair = await issueCertificate(authority, { validDays: 1, ...request });
    put(`${name}.crt`, pair.certificatePem);
    put(`${name}.key`, pair.privateKeyPem);
    return pair;
  };
  const server = (commonName: string, ...dnsNames: readonly string[]) =>
    ({ commonName, dnsNames, ipAddresses: ["127.0.0.1"], usage: "server" }) as const;
  for (const name of [
    "root-ca.crt",
    "kube-apiserver-complete-client-ca-bundle.crt",
    "kubelet-client-ca-bundle.crt",
    "aggregator-signer.crt",
  ])
    put(name, authority.certificatePem);
  put("service-account.pub", accounts.publicKey);
  for (const half of ["key", "pub"])
    put(
      `bound-service-account-signing-key.${half}`,
      readFileSync(join(options.assetInputDir, `bound-service-account-signing-key.${half}`), "utf8"),
    );
  await issue("etcd-client", {
    commonName: "etcd",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usage: "both",
  });
  await issue("kube-apiserver-to-kubelet-client", { commonName: "system:kube-apiserver", usage: "client" });
  await issue("apiserver-proxy", { commonName: "system:openshift-aggregator", usage: "client" });
  await issue("kube-apiserver-service-network-server", server("service", "kubernetes"));
  await issue("kube-apiserver-localhost-server", server("localhost", "localhost"));
  await issue("kube-apiserver-lb-server", server("lb", "api.demo.example"));
  await issue("kube-apiserver-internal-lb-server", server("internal-lb", "api-int.demo.example"));
  const admin = await issueCertificate(authority, {
    commonName: "system:admin",
    organizations: ["system:masters"],
    usage: "client",
    validDays: 1,
  });

  const etcd = {
    certFile: join(secrets, "etcd-client.crt"),
    keyFile: join(secrets, "etcd-client.key"),
    caFile: join(secrets, "root-ca.crt"),
  };
  await using api = await startRealApiServer({ assets, root, config, etcd });
  // `leftOut` lists the arguments that the upstream API server does not support. It may contain only arguments that OpenShift has
  // added.
  for (const each of api.leftOut)
    assert.match(each, /openshift\.io\/|=Scope$|=SystemMasters$|--kubelet-read-only-port|--feature-gates=/);
  const kubeconfig = createKubeconfig({
    server: `https://localhost:${api.port}`,
    caPem: authority.certificatePem,
    clientCertificatePem: admin.certificatePem,
    clientKeyPem: admin.privateKeyPem,
    clusterName: "rendered",
    userName: "admin",
  });
  await using kube = connectKube({ kubeconfig, userAgent: "test/1", fieldManager: "test" });
  for (const ends = Date.now() + 60_000; (await kube.statusCode("/readyz", signal)) !== 200; ) {
    assert.ok(Date.now() < ends, logOf(root));
    await systemClock.sleep(200, signal);
  }

  // The server must present the correct certificate for each server name.
  for (const [name, subject] of [
    ["localhost", "CN=localhost"],
    ["kubernetes", "CN=service"],
    ["api.demo.example", "CN=lb"],
    ["api-int.demo.example", "CN=internal-lb"],
  ] as const)
    assert.equal((await presented(api.port, name)).subject, subject);

  // Pod security admission must enforce `restricted` by default.
  await kube.create(
    resources.namespaces,
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "strict" } },
    signal,
  );
  const privileged = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "strict", name: "privileged" },
    spec: { containers: [{ name: "one", image: "one", securityContext: { privileged: true } }] },
  };
  await assert.rejects(
    kube.create(resources.pods, privileged, signal),
    /PodSecurity|service account|serviceaccount/,
  );
  await kube
    .create(
      resources.serviceAccounts,
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { namespace: "strict", name: "default" } },
      signal,
    )
    .catch(() => undefined);
  await assert.rejects(
    kube.create(resources.pods, privileged, signal),
    /violates PodSecurity "restricted:latest"/,
  );

  // The audit policy must log metadata of all requests except probes.
  const audited = readFileSync(api.auditLog, "utf8")
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  assert.ok(audited.length > 0);
  assert.ok(!JSON.stringify(audited).includes('"requestURI":"/readyz'));
  assert.ok(audited.every((event) => !JSON.stringify(event).includes('"stage":"RequestReceived"')));

  // kubectl must accept the manifests for the cluster.
  const program = newestKubectl();
  if (program === undefined) return context.diagnostic("the manifests were not tried: there is no kubectl");
  const file = join(root, "admin.kubeconfig");
  writeFileSync(file, kubeconfig);
  const manifests = files.filter((path) => path.includes("/manifests/"));
  assert.equal(manifests.length, 14);
  const kubectl = (...args: readonly string[]) =>
    execFileSync(program, ["--kubeconfig", file, ...args], { encoding: "utf8" });
  // Namespaces that other operators create.
  for (const name of ["openshift-config", "openshift-config-managed"]) kubectl("create", "namespace", name);
  for (const path of manifests.filter((each) => each.includes("/00_"))) kubectl("apply", "-f", path);
  for (const path of manifests)
    assert.match(kubectl("apply", "--dry-run=server", "-f", path), /server dry run/);
});

/** Returns the newest kubectl that `make test-clients` has downloaded. */
function newestKubectl(): string | undefined {
  try {
    return installedKubectls().at(-1)?.path;
  } catch {
    return undefined;
  }
}

function presented(port: number, servername: string): Promise<X509Certificate> {
  const { promise, resolve, reject } = Promise.withResolvers<X509Certificate>();
  const socket = connect({ port, host: "127.0.0.1", servername, rejectUnauthorized: false }, () => {
    const certificate = socket.getPeerX509Certificate();
    socket.destroy();
    if (certificate) resolve(certificate);
    else reject(new Error(`no certificate for ${servername}`));
  });
  socket.on("error", reject);
  return promise;
}
