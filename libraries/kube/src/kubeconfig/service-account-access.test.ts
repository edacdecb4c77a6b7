import assert from "node:assert/strict";
import { mkdtempDisposable, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { connectInCluster, KubeError, resources } from "../index.ts";
import { startCluster, startHandler } from "../testing/cluster.ts";
import { readKubeconfig } from "./read-kubeconfig.ts";
import { inClusterServer, serviceAccountAccess } from "./service-account-access.ts";

const signal = AbortSignal.timeout(900_000);

/** Creates a directory with the files of a mounted service account volume. */
async function mounted(files: Readonly<Record<string, string>>) {
  const directory = await mkdtempDisposable(join(tmpdir(), "service-account-"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory.path, name), text);
  return directory;
}

test("a pod is its service account", async () => {
  await using cluster = await startCluster();
  const url = new URL(cluster.logical.url);
  const account = { namespace: "default", name: "operator" };
  const ca = /certificate-authority-data: *"?([A-Za-z0-9+/=]+)/.exec(cluster.kubeconfig)?.[1] ?? "";
  await cluster.logical.client.create(
    { group: "", version: "v1", resource: "serviceaccounts" },
    { apiVersion: "v1", kind: "ServiceAccount", metadata: account },
  );
  const { token } = await cluster.logical.issueToken({ namespace: "default", serviceAccount: account.name });
  await using directory = await mounted({ token, "ca.crt": Buffer.from(ca, "base64").toString() });
  const files = { server: url.origin, directory: directory.path };
  await using kube = await connectInCluster(files, { userAgent: "test/1", fieldManager: "test" });
  await assert.rejects(
    kube.list(resources.nodes, {}, signal),
    (error) =>
      error instanceof KubeError &&
      error.code === 403 &&
      error.message.includes("system:serviceaccount:default:operator"),
  );
});

test("a replaced token is used within a minute, and the last token is used while the file is missing", async () => {
  await using directory = await mounted({ token: "first\n", "ca.crt": "pem" });
  let now = 0;
  const pod = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  const files = { server: inClusterServer(pod) ?? "", directory: directory.path };
  const access = await serviceAccountAccess(files, () => now);
  assert.equal(access.server.href, "https://[fd00::1]/");
  const token = async () => (await access.headers()).authorization;
  assert.equal(await token(), "Bearer first");
  await writeFile(join(directory.path, "token"), "second");
  assert.equal(await token(), "Bearer first");
  now = 60_000;
  assert.equal(await token(), "Bearer second");
  await rm(join(directory.path, "token"));
  now = 120_000;
  assert.equal(await token(), "Bearer second");
});

test("a rejected token is read again, and the request is repeated if the token has changed", async () => {
  await using directory = await mounted({ token: "first", "ca.crt": "" });
  const seen: (string | undefined)[] = [];
  await using server = await startHandler((request, response) => {
    seen.push(request.headers.authorization);
    const isNew = request.headers.authorization === "Bearer second";
    response.writeHead(isNew ? 200 : 401, { "content-type": "application/json" });
    response.end(isNew ? '{"metadata":{"resourceVersion":"1"},"items":[]}' : "{}");
  });
  const { server: url, tls } = readKubeconfig(server.kubeconfig);
  await writeFile(join(directory.path, "ca.crt"), tls.ca ?? "");
  const files = { server: url.origin, directory: directory.path };
  await using kube = await connectInCluster(files, { userAgent: "test/1", fieldManager: "test" });
  const list = () => kube.list(resources.nodes, {}, signal);
  await assert.rejects(list(), (error) => error instanceof KubeError && error.code === 401);
  assert.deepEqual(seen.splice(0), ["Bearer first"], "there is no other");
  await writeFile(join(directory.path, "token"), "second");
  await Promise.all([list(), list()]);
  assert.deepEqual(seen.splice(0).sort(), ["Bearer first", "Bearer first", "Bearer second", "Bearer second"]);
  await list();
  assert.deepEqual(seen, ["Bearer second"]);
});

test("outside a pod the file that is missing is named", async () => {
  await using directory = await mounted({ "ca.crt": "pem" });
  const files = { server: "https://localhost", directory: directory.path };
  assert.equal(inClusterServer({}), undefined);
  await assert.rejects(serviceAccountAccess(files), /token cannot be read/);
});
