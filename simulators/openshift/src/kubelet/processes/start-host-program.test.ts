import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, type TestContext, test } from "node:test";
import { type ApiServer, type LogicalCluster, startApiServer } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  issueCertificate,
  listAt,
  mountNamespace,
  numberAt,
  silentLogger,
  stringAt,
  systemClock,
  valueAt,
} from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../../base/resources.ts";
import { startWorkloads, type Workloads } from "../../workloads/start-workloads.ts";
import { ImageRegistry } from "./image-registry.ts";

const namespace = "default";
const images = new ImageRegistry();
let directory: string;
let server: ApiServer;
let cluster: LogicalCluster;
let workloads: Workloads;
let hasNamespaces = true;

before(async () => {
  await mountNamespace().catch(() => (hasNamespaces = false));
  directory = await mkdtemp(join(tmpdir(), "host-program-"));
  const authority = await createCertificateAuthority("test", 2);
  const names = { commonName: "localhost", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
  server = await startApiServer({
    host: "127.0.0.1",
    port: 0,
    tls: await issueCertificate(authority, { ...names, usage: "server", validDays: 1 }),
    certificateAuthorityPem: authority.certificatePem,
    storage: { kind: "memory" },
    logger: silentLogger,
    clock: systemClock,
  });
  cluster = await server.createCluster({ name: "demo", clientCertificateAuthorities: [] });
  images.set("node", { hostProgram: { command: process.execPath } });
  images.set("wrapped", { hostProgram: { command: "/usr/bin/env" } });
  images.set("listed", {
    hostProgram: { command: process.execPath, owners: [{ namespace: /^other$/, kind: /^Pod$/, name: /^/ }] },
  });
  const options = { crashBackoffMs: 50, images, clock: systemClock, logger: silentLogger };
  workloads = await startWorkloads(cluster, { ...options, nodes: ["a"], directory });
});
after(async () => {
  await workloads[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** Creates a pod and returns its container's result. */
async function run(name: string, container: object, volumes: readonly object[] = []) {
  await cluster.client.create(resources.pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name },
    spec: {
      restartPolicy: "Never",
      containers: [{ name: "c", terminationMessagePolicy: "FallbackToLogsOnError", ...container }],
      volumes,
    },
  });
  return eventually(async () => {
    const pod = await cluster.client.find(resources.pods, { namespace, name });
    const [status] = listAt(pod, "status", "containerStatuses");
    const exitCode = numberAt(status, "state", "terminated", "exitCode");
    assert.ok(exitCode !== undefined, JSON.stringify(status));
    return { exitCode, log: stringAt(valueAt(status, "state", "terminated"), "message") ?? "" };
  });
}

function skipped(t: TestContext): boolean {
  if (!hasNamespaces) t.skip("this process may not create a mount namespace");
  return !hasNamespaces;
}

/**
 * Script that prints the visible files and environment of its container. It exits with 1, so its log becomes the termination
 * message.
 */
const script = `
const fs = require("node:fs"), https = require("node:https"), { env } = process;
const account = "/var/run/secrets/kubernetes.io/serviceaccount/";
const read = (path) => fs.readFileSync(path, "utf8");
fs.writeFileSync("/tmp/file", "private");
fs.writeFileSync("/data/file", "volume");
let refused = false;
try { fs.writeFileSync("/config/x", ""); } catch { refused = true; }
const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, HOST_PATH, ...own } = env;
const headers = { authorization: "Bearer " + read(account + "token") };
https.get({ host, port, path: "/api/v1", ca: read(account + "ca.crt"), headers }, (response) => {
  response.resume();
  console.log(JSON.stringify({
    directory: process.cwd(), config: read("/config/key"), refused, own, status: response.statusCode,
    namespace: read(account + "namespace"), hostIsVisible: fs.existsSync(HOST_PATH), root: fs.readdirSync("/"),
  }));
  process.exit(1);
});`;

test("a pod of a mapped image runs as the program, with its files, variables and account only", async (t) => {
  if (skipped(t)) return;
  await cluster.client.create(resources.configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name: "config" },
    data: { key: "value" },
  });
  const container = {
    image: "node:v1",
    command: ["/manager", "-e"],
    args: [script],
    workingDir: "/work",
    env: [
      { name: "COLOUR", value: "it's green" },
      { name: "HOST_PATH", value: directory },
    ],
    volumeMounts: [
      { name: "config", mountPath: "/config", readOnly: true },
      { name: "data", mountPath: "/data" },
    ],
  };
  const volumes = [
    { name: "config", configMap: { name: "config" } },
    { name: "data", emptyDir: {} },
  ];
  const { exitCode, log } = await run("mapped", container, volumes);
  assert.equal(exitCode, 1, log);
  const { own, root, ...seen } = JSON.parse(log);
  assert.deepEqual(seen, {
    directory: "/work",
    config: "value",
    refused: true,
    status: 200,
    namespace,
    hostIsVisible: false,
  });
  assert.equal(own.COLOUR, "it's green");
  const known = ["COLOUR", "HOME", "HOSTNAME", "PATH", "PWD", "OLDPWD", "SHLVL", "_"];
  assert.deepEqual(
    Object.keys(own).filter((name) => !known.includes(name)),
    [],
  );
  assert.ok(root.includes("tmp") && !root.includes("boot") && !root.includes("root.txt"), root.join());
  assert.ok(!existsSync("/tmp/file") && !existsSync("/data/file"));
});

test("the script of a container that names a shell is run by the program", async (t) => {
  if (skipped(t)) return;
  const { exitCode, log } = await run("wrapped", {
    image: "wrapped",
    command: ["/bin/sh", "-c"],
    args: ['echo "$0 $KUBERNETES_SERVICE_HOST"; exit 3', "script"],
  });
  assert.deepEqual([exitCode, log], [3, "script 127.0.0.1\n"]);
});

test("a pod of a controller that is not on the allow list stays simulated, and an Event names it", async () => {
  const name = "unlisted";
  await cluster.client.create(resources.pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name },
    spec: { containers: [{ name: "c", image: "listed", args: ["-e", "process.exit(1)"] }] },
  });
  await eventually(async () => {
    const { items } = await cluster.client.list(resources.events, { namespace });
    const event = items.find(
      (each) =>
        stringAt(each, "reason") === "ProcessNotAllowed" && stringAt(each, "involvedObject", "name") === name,
    );
    assert.match(stringAt(event, "message") ?? "", /Pod default\/unlisted is not on the allow list/);
    const pod = await cluster.client.find(resources.pods, { namespace, name });
    assert.equal(stringAt(pod, "status", "phase"), "Running");
  });
});
