/** Follows the tutorial of a new user: up, create, use, scale, delete. */
import assert from "node:assert/strict";
import { Resolver } from "node:dns/promises";
import { globSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { stringAt } from "@keelson/base";
import { connectKube, type KubeClient, resources } from "@keelson/kube";
import { Browser } from "@keelson/portal/testing";
import { ArmClient } from "./support/arm-client.ts";
import { exampleRequest } from "./support/cluster-request.ts";
import { readEndpoints } from "./support/endpoints.ts";
import { Program, StateDirectory } from "./support/program.ts";
import { getThroughProxy } from "./support/through-proxy.ts";

const preview = "?api-version=2019-12-31-preview";
const newest = "?api-version=2025-07-25";
const name = "cluster";

describe("the walk-through", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  const flags = ["--state", state.path, "--ports", "auto"];
  let program: Program;
  let client: ArmClient;
  let variables: Record<string, string>;
  const secrets: string[] = [];

  before(async () => {
    program = Program.start("up", ...flags);
    await program.says(/endpoints/);
    client = new ArmClient(state.file("endpoints.json"));
    variables = await client.clusterVariables(name);
    secrets.push(variables.AZURE_CLIENT_SECRET ?? "");
  });

  after(async () => {
    await client[Symbol.asyncDispose]();
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  async function withKube<T>(use: (kube: KubeClient) => Promise<T>): Promise<T> {
    const { body } = await client.call("POST", `${client.cluster(name, "/listAdminCredentials")}${newest}`);
    const kubeconfig = Buffer.from(body.kubeconfig, "base64").toString("utf8");
    secrets.push(
      body.kubeconfig,
      ...(kubeconfig.match(/client-key-data"?: "?([A-Za-z0-9+/=]+)/) ?? []).slice(1),
    );
    await using kube = connectKube({ kubeconfig, userAgent: "e2e", fieldManager: "e2e" });
    return await use(kube);
  }

  const signal = AbortSignal.timeout(900_000);

  test("up ends with the first cluster Succeeded and its kubeconfig on disk", async () => {
    const response = await client.call("GET", `${client.cluster("demo")}${newest}`);
    assert.equal(response.body.properties.provisioningState, "Succeeded");
    assert.match(readFileSync(state.file("demo.kubeconfig"), "utf8"), /clusters/);
    assert.match(program.stdout, /kubeconfig {3}\S+demo\.kubeconfig/);
  });

  test("the subscription registers", async () => {
    const body = { state: "Registered", properties: { tenantId: client.tenantId } };
    const response = await client.call(
      "PUT",
      `/subscriptions/${client.subscriptionId}?api-version=2.0`,
      body,
    );
    assert.ok(response.status === 200 || response.status === 201);
  });

  test("a cluster is created and its operation reports percent and step until it succeeds", async () => {
    const created = await client.call(
      "PUT",
      client.cluster(name) + preview,
      exampleRequest("20191231", variables),
    );
    assert.equal(created.status, 201, JSON.stringify(created.body));
    assert.equal(created.body.properties.provisioningState, "Creating");
    const url = String(created.headers["azure-asyncoperation"]);
    const seen = new Set<number>();
    for (;;) {
      const body = await client.progress(url);
      if (body.status === "Succeeded") break;
      assert.equal(body.status, "Creating", JSON.stringify(body));
      assert.ok(body.endTime === undefined && body.error === undefined);
      seen.add(body.percentComplete);
    }
    assert.ok(seen.size >= 5, `percentages seen: ${[...seen].join(" ")}`);
    const { body } = await client.call("GET", client.cluster(name) + preview);
    assert.equal(body.properties.provisioningState, "Succeeded");
    assert.match(body.properties.apiserverProfile.url, /^https:\/\/api\.cluster\./);
    assert.match(body.properties.consoleProfile.url, /^https:\/\/console-openshift-console\.apps\.cluster\./);
  });

  test("both names of the credentials action work", async () => {
    for (const action of ["credentials", "listCredentials"]) {
      const { status, body } = await client.call(
        "POST",
        `${client.cluster(name, `/${action}`)}${preview}`,
        {},
      );
      assert.equal(status, 200);
      assert.equal(body.kubeadminUsername, "kubeadmin");
      secrets.push(body.kubeadminPassword);
    }
  });

  test("the cluster is listed by group and by subscription", async () => {
    const provider = `/providers/Microsoft.RedHatOpenShift/openShiftClusters${preview}`;
    const names = async (path: string) =>
      (await client.call("GET", path + provider)).body.value.map((each: { name: string }) => each.name);
    assert.deepEqual(await names(`/subscriptions/${client.subscriptionId}/resourceGroups/${name}`), [name]);
    assert.deepEqual((await names(`/subscriptions/${client.subscriptionId}`)).sort(), [name, "demo"]);
  });

  test("the admin kubeconfig opens a cluster of three masters and three workers", async () => {
    const nodes = await withKube((kube) => kube.list(resources.nodes, {}, signal));
    assert.equal(nodes.items.length, 6);
  });

  test("the API server responds at the cluster's own names, which the proxy and the DNS server resolve", async () => {
    const root = await withKube((kube) =>
      kube.get(resources.configMaps, { namespace: "kube-system", name: "root-ca" }, signal),
    );
    const ca = stringAt(root, "data", "ca.crt") ?? "";
    const { body } = await client.call("GET", client.cluster(name) + preview);
    const { hostname } = new URL(body.properties.apiserverProfile.url);
    const { proxy, dns } = readEndpoints(state.file("endpoints.json"));
    const resolver = new Resolver();
    resolver.setServers([dns]);
    for (const host of [hostname, hostname.replace("api.", "api-int.")]) {
      const version = await getThroughProxy(proxy, new URL(`https://${host}:6443/version`), ca);
      assert.equal(typeof JSON.parse(version).gitVersion, "string");
      assert.deepEqual(await resolver.resolve4(host), ["127.0.0.1"]);
    }
  });

  for (const [count, verb] of [
    [5, "up"],
    [2, "down"],
  ] as const) {
    test(`scaling ${verb} to ${count} workers changes machines and nodes`, async () => {
      const body = { properties: { workerProfiles: [{ name: "worker", count }] } };
      const response = await client.call("PATCH", client.cluster(name) + preview, body);
      assert.equal(response.status, 200, JSON.stringify(response.body));
      assert.equal(response.body.properties.provisioningState, "Updating");
      const operation = await client.settle(response.headers["azure-asyncoperation"]);
      assert.equal(operation.status, "Succeeded", JSON.stringify(operation));
      const nodes = await withKube((kube) => kube.list(resources.nodes, {}, signal));
      assert.equal(nodes.items.length, 3 + count);
      const machines = (await client.resources(`aro-${name}`)).filter((each) =>
        /\/virtualMachines\//.test((each as { id: string }).id),
      );
      assert.equal(machines.length, 3 + count);
    });
  }

  test("later versions refuse to scale through ARM", async () => {
    const body = { properties: { workerProfiles: [{ name: "worker", count: 4 }] } };
    const response = await client.call("PATCH", client.cluster(name) + newest, body);
    assert.equal(response.status, 400);
    assert.equal(response.body.error.code, "PropertyChangeNotAllowed");
    assert.equal(response.body.error.target, "properties.workerProfiles['worker'].count");
  });

  test("operations are listed", async () => {
    const { body } = await client.call("GET", `/providers/Microsoft.RedHatOpenShift/operations${preview}`);
    assert.equal(body.value.length, 11);
  });

  test("a deleted cluster leaves nothing behind, and its kubeconfigs of the portal end", async () => {
    const { body: config } = await client.call("POST", `/admin${client.cluster(name, "/kubeconfig/new")}`);
    const server = new URL(config.clusters[0].cluster.server);
    const headers = { authorization: `Bearer ${config.users[0].user.token}` };
    const { caFile } = readEndpoints(state.file("endpoints.json"));
    const browser = new Browser(readFileSync(caFile, "utf8"));
    const version = async () =>
      (await browser.send(server.origin, `${server.pathname}/version`, { headers })).status;
    assert.equal(await version(), 200);
    const response = await client.call("DELETE", client.cluster(name) + preview);
    assert.equal(response.status, 202);
    const operation = await client.settle(response.headers["azure-asyncoperation"]);
    assert.equal(operation.status, "Succeeded", JSON.stringify(operation));
    assert.equal((await client.call("GET", client.cluster(name) + preview)).status, 404);
    assert.equal((await client.call("DELETE", client.cluster(name) + preview)).status, 204);
    assert.deepEqual(await client.resources(`aro-${name}`), []);
    const audit = await Program.run("sim", "audit", "--state", state.path, "-o", "json");
    assert.deepEqual([audit.code, audit.stdout], [0, "[]\n"], audit.stderr);
    assert.equal(await version(), 403);
  });

  test("no secret shows in a log line or in the files of the database", async () => {
    const contents = (pattern: string) =>
      globSync(state.file(pattern)).map((file) => [file, readIfFile(file)] as const);
    const logs = contents("*.log");
    const stored = contents("database/**/*");
    const identity = JSON.parse(readFileSync(state.file("secrets.json"), "utf8"));
    const known = [
      ...secrets,
      identity.firstParty.clientSecret,
      identity.user.clientSecret,
      identity.adminToken,
      identity.skipTokenKey,
      ...Object.values<string>(identity.encryptionKeys.keys),
      "PRIVATE KEY-----",
    ];
    assert.ok(known.length > 10 && known.every((secret) => secret.length > 8));
    for (const name of ["keelson", "service"])
      assert.ok(
        logs.some(([file, bytes]) => file === state.file(`${name}.log`) && bytes.includes('"level":')),
        `${name}.log has lines`,
      );
    assert.ok(
      stored.some(([, bytes]) => bytes.includes(client.subscriptionId)),
      "what is no secret is found in the files of the database",
    );
    for (const [file, bytes] of [...logs, ...stored]) {
      for (const secret of known)
        assert.ok(!bytes.includes(secret), `${file} shows ${secret.slice(0, 6)}...`);
    }
  });
});

function readIfFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
