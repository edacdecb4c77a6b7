import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { adminKubeconfig, startEmbedded } from "@keelson/apiserver/testing";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  Metrics,
  silentLogger,
  stringAt,
  systemClock,
} from "@keelson/base";
import { connectKube, type KubeClient, resources } from "@keelson/kube";
import { delegatedAccess } from "@keelson/operator-kit";
import { type MetricsServer, serveMetrics } from "./serve-metrics.ts";

const signal = AbortSignal.timeout(900_000);
const stack = new AsyncDisposableStack();
const serving = await createCertificateAuthority("serving", 1);
const account = { namespace: "openshift-monitoring", name: "prometheus-k8s" };
let api: KubeClient;
let server: MetricsServer;
let clients: Readonly<Record<"admin" | "reader" | "stranger" | "foreign", KeyPair>>;

before(async () => {
  const plane = stack.use(await startEmbedded());
  const kubeconfig = adminKubeconfig(plane.url, plane.authority, plane.admin);
  api = stack.use(connectKube({ kubeconfig, userAgent: "metrics-access-test/1", fieldManager: "test" }));
  const name = "metrics-reader";
  const rules = [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }];
  const rbac = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name } };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "readers" }];
  await api.create(resources.clusterRoles, { ...rbac, kind: "ClusterRole", rules }, signal);
  await api.create(
    resources.clusterRoleBindings,
    { ...rbac, kind: "ClusterRoleBinding", roleRef, subjects },
    signal,
  );
  const core = { apiVersion: "v1" };
  await api.create(
    resources.namespaces,
    { ...core, kind: "Namespace", metadata: { name: account.namespace } },
    signal,
  );
  await api.create(resources.serviceAccounts, { ...core, kind: "ServiceAccount", metadata: account }, signal);
  const foreignAuthority = await createCertificateAuthority("foreign", 1);
  clients = {
    admin: plane.admin,
    reader: await plane.user({ commonName: "anna", organizations: ["other", "readers"] }),
    stranger: await plane.user({ commonName: "sam" }),
    foreign: await issueCertificate(foreignAuthority, {
      commonName: "admin",
      organizations: ["system:masters"],
      usage: "client",
      validDays: 1,
    }),
  };
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), "metrics-access-")));
  const [certificateFile, keyFile] = [join(directory.path, "tls.crt"), join(directory.path, "tls.key")];
  const pair = await issueCertificate(serving, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    usage: "server",
    validDays: 1,
  });
  await Promise.all([
    writeFile(certificateFile, pair.certificatePem),
    writeFile(keyFile, pair.privateKeyPem),
  ]);
  server = stack.use(
    await serveMetrics({
      metrics: new Metrics(),
      host: "localhost",
      port: 0,
      tls: { certificateFile, keyFile, logger: silentLogger },
      access: delegatedAccess({ api, clock: systemClock, logger: silentLogger }),
    }),
  );
});
after(() => stack.disposeAsync());

async function get({
  token,
  client,
  path = "/metrics",
}: {
  token?: string;
  client?: KeyPair;
  path?: string;
}) {
  const outgoing = request(new URL(path, server.url), {
    ca: serving.certificatePem,
    agent: false,
    ...(client ? { cert: client.certificatePem, key: client.privateKeyPem } : {}),
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  const [response] = await once(outgoing.end(), "response");
  const body = (await response.setEncoding("utf8").toArray()).join("");
  return { code: response.statusCode, body };
}

test("a request without credentials is 403 for system:anonymous, as from servers of library-go", async () => {
  const { code, body } = await get({});
  assert.equal(code, 403);
  const status: unknown = JSON.parse(body);
  assert.equal(stringAt(status, "reason"), "Forbidden");
  assert.equal(stringAt(status, "message"), 'forbidden: User "system:anonymous" cannot get path "/metrics"');
});

test("an unknown token and a certificate of a foreign CA are 401", async () => {
  for (const credentials of [{ token: "unknown" }, { client: clients.foreign }]) {
    const { code, body } = await get(credentials);
    assert.equal(code, 401);
    assert.equal(stringAt(JSON.parse(body), "message"), "Unauthorized");
  }
});

test("RBAC decides about client certificates by their user and all their groups", async () => {
  assert.equal((await get({ client: clients.reader })).code, 200);
  assert.equal((await get({ client: clients.reader, path: "/debug" })).code, 403);
  const { code, body } = await get({ client: clients.stranger });
  assert.equal(code, 403);
  assert.match(body, /User \\"sam\\" cannot get path/);
});

test("administrators and the token of Prometheus are allowed without a role", async () => {
  assert.equal((await get({ client: clients.admin })).code, 200);
  const { token } = await api.requestToken(account, 3_600, signal);
  assert.equal((await get({ token: token.reveal() })).code, 200);
  assert.equal((await get({ token: token.reveal(), path: "/debug" })).code, 403);
});

test("a section of the configuration switches off authorization alone, or both checks", async () => {
  const options = { api, clock: systemClock, logger: silentLogger };
  const refusalOf = (authentication: boolean, bearerToken?: string) =>
    delegatedAccess({ ...options, disabled: { authentication, authorization: true } }).refusalOf(
      { verb: "get", path: "/metrics", bearerToken },
      signal,
    );
  assert.equal(await refusalOf(false), undefined);
  assert.equal((await refusalOf(false, "unknown"))?.code, 401);
  assert.equal(await refusalOf(true, "unknown"), undefined);
});
