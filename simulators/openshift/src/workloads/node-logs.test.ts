import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { test } from "node:test";
import { startApiServer } from "@keelson/apiserver";
import { createCertificateAuthority, issueCertificate, silentLogger, systemClock } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../base/resources.ts";
import { startWorkloads } from "./start-workloads.ts";

test("the proxy of a node serves its journal and its log files", { timeout: 900_000 }, async () => {
  const authority = await createCertificateAuthority("test", 2);
  const names = { commonName: "localhost", dnsNames: ["localhost"], validDays: 1 };
  const tls = await issueCertificate(authority, { ...names, usage: "server" });
  const common = { clock: systemClock, logger: silentLogger };
  await using server = await startApiServer({
    host: "localhost",
    port: 0,
    tls,
    storage: { kind: "memory" },
    ...common,
  });
  const cluster = await server.createCluster({
    name: "demo",
    clientCertificateAuthorities: [],
    tokens: [{ token: "admin", user: "admin", groups: ["system:masters"] }],
  });
  await using workloads = await startWorkloads(cluster, { ...common, nodes: ["n"] });
  await cluster.client.create(resources.pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "default", name: "web" },
    spec: { containers: [{ name: "web", image: "nginx" }] },
  });
  const logs = join(workloads.nodeDirectory("n"), "var/log");
  await mkdir(join(logs, "kube-apiserver"), { recursive: true });
  await writeFile(join(logs, "kube-apiserver/audit.log"), "first\n");

  async function get(path: string): Promise<readonly [number | undefined, string]> {
    const headers = { authorization: "Bearer admin" };
    const url = `${cluster.url}/api/v1/nodes/n/proxy/logs${path}`;
    const outgoing = request(url, { ca: authority.certificatePem, headers, agent: false }).end();
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    outgoing.once("response", resolve).once("error", reject);
    const response = await promise;
    return [response.statusCode, (await response.toArray()).map(String).join("")];
  }

  await eventually(async () => {
    const [status, journal] = await get("/journal?unit=kubelet&output=cat");
    assert.equal(status, 200);
    assert.match(journal, /^Started Kubernetes Kubelet\.\n/);
    assert.match(journal, /object="default\/web" .* message="Started container web"\n/);
  });
  assert.deepEqual(await get("/?query=kubelet&tailLines=0"), [200, ""]);
  assert.match((await get("/journal?output=xml"))[1], /^output: Unsupported value/);
  assert.deepEqual(await get("/"), [
    200,
    '<pre>\n<a href="journal/">journal/</a>\n<a href="kube-apiserver/">kube-apiserver/</a>\n</pre>\n',
  ]);
  assert.deepEqual(await get("/kube-apiserver/audit.log"), [200, "first\n"]);
  assert.equal((await get("/absent"))[0], 404);
});
