import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { type ApiServer, type KubeObject, type LogicalCluster, startApiServer } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  issueCertificate,
  listAt,
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
/** Script that prints its arguments, its IPC message and the names of its environment variables. */
const script = `process.once("message", ({ environment }) => {
  console.log(JSON.stringify({ args: process.argv.slice(1), environment, own: process.env }));
  process.exit(3);
})`;
const images = new ImageRegistry();
let directory: string;
let server: ApiServer;
let cluster: LogicalCluster;
let workloads: Workloads;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "admit-process-"));
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
  images.set("own", {
    process: {
      command: process.execPath,
      args: ["-e", script, "--"],
      owners: [{ namespace, kind: "Deployment", name: "listed", programs: ["run"] }],
      admit: ({ programs, args: [word = "", ...rest] }) =>
        programs.includes(word) ? { args: [word, ...rest] } : { refused: `${word} is not a program` },
    },
  });
  const options = { crashBackoffMs: 50, images, clock: systemClock, logger: silentLogger };
  workloads = await startWorkloads(cluster, { ...options, nodes: ["a"], directory });
});
after(async () => {
  await workloads[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

function template(app: string, args: readonly string[]): object {
  const env = [
    { name: "NODE_OPTIONS", value: "--no-such-option" },
    { name: "KEELSON_ROOT", value: "/" },
    { name: "KEELSON_PORT_80", value: "1" },
    { name: "PATH", value: "/evil" },
    { name: "COLOUR", value: "green" },
  ];
  const container = { name: "c", image: "own", args, env, terminationMessagePolicy: "FallbackToLogsOnError" };
  return { metadata: { labels: { app } }, spec: { containers: [container] } };
}

async function deploy(name: string, args: readonly string[]): Promise<void> {
  await cluster.client.create(resources.deployments, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace, name },
    spec: { selector: { matchLabels: { app: name } }, template: template(name, args) },
  });
}

const podsOf = async (app: string): Promise<readonly KubeObject[]> =>
  (await cluster.client.list(resources.pods, { namespace, labelSelector: `app=${app}` })).items;

/** Returns the exit code and log of the first container run of a Deployment. */
async function firstRun(app: string): Promise<{ readonly exitCode: number; readonly log: string }> {
  return eventually(async () => {
    const [pod] = await podsOf(app);
    const [status] = listAt(pod, "status", "containerStatuses");
    const ended = valueAt(status, "lastState", "terminated") ?? valueAt(status, "state", "terminated");
    const exitCode = numberAt(ended, "exitCode");
    assert.ok(exitCode !== undefined, JSON.stringify(status));
    return { exitCode, log: stringAt(ended, "message") ?? "" };
  });
}

test("a pod of a listed owner runs as a process, with its environment as data", async () => {
  await deploy("listed", ["run", "--flag=$(COLOUR)"]);
  const { exitCode, log } = await firstRun("listed");
  assert.equal(exitCode, 3, log);
  const { args, environment, own } = JSON.parse(log);
  assert.deepEqual(args, ["run", "--flag=green"]);
  assert.equal(environment.COLOUR, "green");
  assert.equal(environment.NODE_OPTIONS, "--no-such-option");
  assert.deepEqual(Object.keys(own).sort(), [
    "KEELSON_ROOT",
    "KEELSON_SERVICE_ACCOUNT",
    "KUBECONFIG",
    "PATH",
  ]);
  assert.equal(own.PATH, process.env.PATH);
});

test("names of the kubelet in a container's environment have the kubelet's values", async () => {
  const { log } = await firstRun("listed");
  const { environment, own } = JSON.parse(log);
  assert.equal(environment.KEELSON_ROOT, own.KEELSON_ROOT);
  assert.ok(own.KEELSON_ROOT.startsWith(directory), own.KEELSON_ROOT);
  assert.equal(environment.KEELSON_PORT_80, undefined);
  const [mount] = JSON.parse(environment.KEELSON_MOUNTS);
  assert.equal(mount.path, "/var/run/secrets/kubernetes.io/serviceaccount");
  assert.ok(mount.directory.startsWith(directory), mount.directory);
});

test("a listed pod with a rejected command exits with status 2 and logs the reason", async () => {
  await cluster.client.mergePatch(
    resources.deployments,
    { namespace, name: "listed" },
    { spec: { replicas: 0 } },
  );
  await eventually(async () => assert.deepEqual(await podsOf("listed"), []));
  await cluster.client.mergePatch(
    resources.deployments,
    { namespace, name: "listed" },
    { spec: { replicas: 1, template: template("listed", ["other"]) } },
  );
  assert.deepEqual(await firstRun("listed"), { exitCode: 2, log: "other is not a program\n" });
});

test("a pod of an owner that is not listed is simulated, and an Event names the owner", async () => {
  await deploy("unlisted", ["run"]);
  const pod = await eventually(async () => {
    const [found] = await podsOf("unlisted");
    assert.equal(stringAt(found, "status", "phase"), "Running");
    return found;
  });
  await eventually(async () => {
    const { items } = await cluster.client.list(resources.events, { namespace });
    const event = items.find((each) => stringAt(each, "reason") === "ProcessNotAllowed");
    assert.equal(stringAt(event, "involvedObject", "uid"), pod?.metadata.uid);
    assert.equal(
      stringAt(event, "message"),
      'Container c is simulated and does not run as a process of the host: Deployment default/unlisted is not on the allow list of image "own".',
    );
  });
});
