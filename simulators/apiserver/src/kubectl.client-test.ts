import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { adminKubeconfig } from "./testing/index.ts";
import { TestServer, widgets } from "./testing/test-server.ts";

/** kubectl binary. `KUBECTL` overrides the binary in `PATH`. */
const kubectl = process.env.KUBECTL ?? "kubectl";
const directory = mkdtempSync(join(tmpdir(), "kubectl-"));
const environment = { PATH: process.env.PATH, HOME: directory, KUBECONFIG: join(directory, "kubeconfig") };
let server: TestServer;

before(async () => {
  server = await TestServer.start();
  writeFileSync(environment.KUBECONFIG, adminKubeconfig(server.cluster.url, server.authority, server.admin));
  await server.cluster.client.create(
    { group: "", version: "v1", resource: "nodes" },
    {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "worker-0", labels: { "node-role.kubernetes.io/worker": "" } },
      status: { conditions: [{ type: "Ready", status: "True" }], nodeInfo: { kubeletVersion: "v1.32.9" } },
    },
  );
});
after(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

interface Run {
  readonly code: number;
  readonly output: string;
}

/** Runs kubectl. `command` is split at spaces. `input` is kubectl's standard input. */
function run(command: string, input?: object): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const options = { env: environment, timeout: 900_000 };
  const child = execFile(kubectl, command.split(" "), options, (error, stdout, stderr) => {
    resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, output: stdout + stderr });
  });
  child.stdin?.end(input ? JSON.stringify(input) : "");
  return promise;
}

async function expectOutput(command: string, output: RegExp, input?: object): Promise<void> {
  const { code, output: found } = await run(command, input);
  assert.match(found, output, command);
  assert.equal(code, 0, `${command}: ${found}`);
}

async function expectFailure(command: string, output: RegExp, input?: object): Promise<void> {
  const { code, output: found } = await run(command, input);
  assert.match(found, output, command);
  assert.notEqual(code, 0, command);
}

const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, spec: { size: 3 } };
const container = { name: "c", image: "i", env: [{ name: "A", value: "1" }] };
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d" },
  spec: {
    selector: { matchLabels: { app: "d" } },
    template: { metadata: { labels: { app: "d" } }, spec: { containers: [container] } },
  },
};

test("get nodes prints their state", async () => {
  await expectOutput("get nodes", /worker-0 +Ready +worker +\S+ +v1\.32\.9/);
});

test("ConfigMaps are created, printed, patched, labelled, described and deleted", async () => {
  await expectOutput("create configmap a --from-literal=x=y", /^configmap\/a created\n$/);
  await expectFailure("create configmap a", /already exists/);
  await expectOutput("get cm a", /^NAME +DATA +AGE\na +1 +\d+s\n$/);
  await expectOutput('patch cm a --type=merge -p {"data":{"z":"1"}}', /patched/);
  await expectOutput("label cm a tier=front", /labeled/);
  await expectOutput("annotate cm a note=yes", /annotated/);
  await expectOutput("get cm -l tier=front,x!=y -o name", /^configmap\/a\n$/);
  await expectOutput("get cm --field-selector metadata.name=a -o jsonpath={.items[*].data.z}", /^1$/);
  await expectOutput("describe cm a", /^Name: +a\n[\s\S]*x:\n----\ny\n/);
  await expectOutput("delete cm a", /deleted/);
  await expectFailure("get cm a", /configmaps "a" not found/);
});

test("apply of a built-in object creates, is idempotent, then merges strategically", async () => {
  await expectOutput("apply -f -", /deployment.apps\/d created/, deployment);
  await expectOutput("apply -f -", /deployment.apps\/d unchanged/, deployment);
  await expectOutput("set env deploy/d B=2", /updated/);
  const changed = structuredClone(deployment);
  Object.assign(changed.spec.template.spec.containers[0] ?? {}, { image: "j" });
  await expectOutput("apply -f -", /deployment.apps\/d configured/, changed);
  await expectOutput(
    "get deploy d -o jsonpath={..containers[0].image}{..containers[0].env[*].name}",
    /^jA B$/,
  );
  await expectOutput("scale deploy d --replicas=3", /scaled/);
  await expectOutput("get deploy", /^NAME +READY +UP-TO-DATE +AVAILABLE +AGE\nd +0\/3 /);
  await expectOutput("get all", /deployment.apps\/d/);
  await expectOutput("describe deploy d", /Replicas: +3 desired/);
  await expectOutput("rollout restart deploy d", /restarted/);
  await expectOutput("delete deploy d", /deleted/);
});

test("custom resources are applied by merge, checked by their schema, scaled and explained", async () => {
  await expectOutput("apply -f -", /widgets.example.com created/, widgets);
  await expectOutput("get crd", /^NAME +CREATED AT\nwidgets.example.com +\d{4}-/);
  await expectOutput("apply -f -", /widget.example.com\/w created/, widget);
  await expectOutput("apply -f -", /widget.example.com\/w unchanged/, widget);
  await expectOutput("apply -f -", /widget.example.com\/w configured/, { ...widget, spec: { size: 4 } });
  await expectOutput("get wd", /^NAME +SIZE\nw +4\n$/);
  await expectFailure(
    "apply --validate=false -f -",
    /spec.size: Invalid value: 40: spec.size in body should be less than or equal to 10/,
    { ...widget, spec: { size: 40 } },
  );
  await expectFailure(
    "apply -f -",
    /invalid type for com.example.v1.Widget.spec.size|must be of type integer|expected integer/,
    {
      ...widget,
      spec: { size: "x" },
    },
  );
  await expectOutput("scale wd w --replicas=2", /scaled/);
  await expectOutput("get wd w -o jsonpath={.spec.replicas}{.spec.colour}", /^2red$/);
  await expectOutput("explain widgets.spec.size", /FIELD: +size <integer>/);
  await expectOutput("delete crd widgets.example.com", /deleted/);
});

test("built-in kinds are explained", async () => {
  await expectOutput(
    "explain configmap",
    /KIND: +ConfigMap\nVERSION: +v1\n[\s\S]*data\s+<map\[string\]string>/,
  );
  await expectOutput("explain deployments --recursive", /\n +updatedReplicas\s+<integer>/);
});

/** Reads lines from a process until a line matches `wanted`. */
async function untilLine(child: ChildProcess, wanted: RegExp): Promise<void> {
  if (!child.stdout) throw new Error("the child's output is not piped");
  for await (const line of createInterface(child.stdout)) if (wanted.test(line)) return;
  throw new Error(`kubectl ended without a line like ${wanted}`);
}

test("a watch prints changes", { timeout: 900_000 }, async () => {
  const child = spawn(kubectl, ["get", "secrets", "-w"], {
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const seen = untilLine(child, /^later +Opaque +1/);
  try {
    await run("create secret generic earlier");
    await run("create secret generic later --from-literal=a=b");
    await seen;
  } finally {
    child.kill();
  }
});

test("namespaces are deleted with their content, and protected ones are not", async () => {
  await expectOutput("create ns foo", /created/);
  await expectOutput("-n foo create secret generic s", /created/);
  await expectOutput("delete ns foo", /deleted/);
  await expectFailure("get ns foo", /not found/);
  await expectFailure("delete ns default", /this namespace may not be deleted/);
});

test("access, version and resource queries work", async () => {
  await expectOutput("auth can-i delete nodes", /^yes/m);
  await expectOutput("api-resources", /\nconfigmaps +cm +v1 +true +ConfigMap\n/);
  await expectOutput("version", /(GitVersion:"|Server Version: )v1\.32\.9/);
});

test("a drain evicts the pods of a node and respects their budgets", { timeout: 900_000 }, async () => {
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "drained", labels: { app: "drained" } },
    spec: { nodeName: "worker-0", containers: [{ name: "c", image: "i" }] },
  };
  const budget = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "all" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "drained" } } },
  };
  await expectOutput("create -f -", /created/, pod);
  await expectOutput("create -f -", /created/, budget);
  await server.cluster.client.mergePatch(
    { group: "", version: "v1", resource: "pods" },
    { namespace: "default", name: "drained" },
    { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
    "status",
  );
  await expectFailure("drain worker-0 --force --timeout=1s", /global timeout reached/);
  await expectOutput("get pod drained", /Running/);
  await expectOutput("delete pdb all", /deleted/);
  await expectOutput("drain worker-0 --force --timeout=10s", /pod\/drained evicted/);
  await expectFailure("get pod drained", /not found/);
  await expectFailure("logs drained", /not found|does not run containers/);
});

test("services are created, exposed, patched and applied, and keep allocated values", async () => {
  const nodePort = "jsonpath={.spec.type}:{.spec.ports[0].nodePort}:{.spec.clusterIP}";
  await expectOutput(
    "create service nodeport given --tcp=80:8080 --node-port=30123",
    /service\/given created/,
  );
  const { output: before } = await run(`get service given -o ${nodePort}`);
  assert.match(before, /^NodePort:30123:172\.30\.\d+\.\d+$/);
  await expectFailure(
    "create service nodeport second --tcp=80 --node-port=30123",
    /Invalid value: 30123: provided port is already allocated/,
  );
  await expectOutput("create deployment exposed --image=i --port=80", /created/);
  await expectOutput("expose deployment exposed --port=80 --type=LoadBalancer", /service\/exposed exposed/);
  await expectOutput(`get service exposed -o ${nodePort}`, /^LoadBalancer:3[0-2]\d{3}:172\.30\./);
  await expectFailure(
    `patch service given --type=merge -p {"spec":{"clusterIP":"172.30.9.9"}}`,
    /spec\.clusterIPs\[0\]: Invalid value: \["172\.30\.9\.9"\]: may not change once set/,
  );
  await expectOutput(
    `patch service given -p {"spec":{"selector":{"app":"other"}}}`,
    /service\/given patched/,
  );
  const applied = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "given" },
    spec: { type: "NodePort", ports: [{ name: "80-8080", port: 80, targetPort: 9090 }] },
  };
  await expectOutput(
    "apply --server-side --force-conflicts -f -",
    /service\/given serverside-applied/,
    applied,
  );
  const { output: after } = await run(`get service given -o ${nodePort}`);
  assert.equal(after, before);
  await expectOutput(`patch service given -p {"spec":{"type":"ClusterIP"}}`, /patched/);
  await expectOutput(`get service given -o ${nodePort}`, /^ClusterIP::172\.30\./);
});
