import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:https";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import {
  addKinds,
  masters,
  namespace,
  type SimulatedCluster,
  startSimulatedCluster,
  worker,
} from "@keelson/admin-actions/testing";
import { resources } from "@keelson/kube";
import { captureLog } from "../testing/captured-log.ts";
import type { ClusterAddress } from "../testing/cluster-request.ts";
import { assertError, newCluster } from "../testing/clusters.ts";
import { startTestFrontend, type TestFrontend } from "../testing/test-frontend.ts";

const operator = "openshift-azure-operator";
const log = captureLog();
let cluster: SimulatedCluster;
let frontend: TestFrontend;
let address: ClusterAddress;

before(async () => {
  cluster = await startSimulatedCluster();
  frontend = await startTestFrontend({ connectCluster: cluster.connect, logger: log.logger });
  address = await newCluster(frontend);
  const namespaces = { group: "", version: "v1", resource: "namespaces" };
  for (const name of [operator, "shop"]) await cluster.logical.client.create(namespaces, namespace(name));
  await write(pod("shell"));
  for (const limit = Date.now() + 30_000; ; await delay(10)) {
    const { json } = await get({ kind: "Pod", namespace: operator, name: "shell" });
    if (/Running/.test(JSON.stringify(json.status))) break;
    assert.ok(Date.now() < limit, "the pod does not run");
  }
});
after(async () => {
  await frontend?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

type Query = Readonly<Record<string, string>>;

const pathOf = (suffix: string, query: Query = {}) =>
  `/admin${address.id}/${suffix}?${new URLSearchParams(query)}`;
const get = (query: Query) => frontend.client.get(pathOf("kubernetesobjects", query));
const write = (body: object) => frontend.client.post(pathOf("kubernetesobjects"), { body });
const remove = (query: Query) => frontend.client.delete(pathOf("kubernetesobjects", query));
const post = (suffix: string, query: Query = {}, body?: object) =>
  frontend.client.post(pathOf(suffix, query), body ? { body } : {});

function pod(name: string): object {
  const container = { name: "main", image: "busybox", command: ["sh", "-c", "echo begun; sleep 3600"] };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: operator },
    spec: { nodeName: worker, containers: [container], terminationGracePeriodSeconds: 0 },
  };
}

const configMap = (name: string, place = operator) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: place },
  data: { colour: "green" },
});

test("config maps of the platform are created, read and deleted, but secrets and customers' objects are rejected", async () => {
  const named = { kind: "ConfigMap", namespace: operator, name: "colours" };
  assert.deepEqual([(await write(configMap("colours"))).status, (await get(named)).status], [200, 200]);
  assert.deepEqual((await get(named)).json.data, { colour: "green" });
  assertError(await remove({ ...named, force: "true" }), 403, "Forbidden");
  const removed = await remove(named);
  assert.deepEqual([removed.status, removed.text], [200, ""]);
  assertError(await get(named), 404, "NotFound", undefined, "configmaps/colours");
  const secret = { kind: "Secret", namespace: operator, name: "x" };
  assertError(await get(secret), 403, "Forbidden", "Access to secrets is forbidden.");
  const shop = { kind: "ConfigMap", namespace: "shop" };
  assertError(await get(shop), 403, "Forbidden");
  assert.equal((await get({ ...shop, unrestricted: "true" })).json.kind, "ConfigMapList");
  assertError(await get({ ...shop, unrestricted: "maybe" }), 400, "InvalidParameter");
  assertError(await write(configMap("x", "shop")), 403, "Forbidden");
  assertError(await post("kubernetesobjects"), 400, "InvalidRequestContent");
});

test("errors of the cluster keep their status and reason", async () => {
  const invalid = { ...configMap("Not A Name"), metadata: { name: "UPPER", namespace: operator } };
  assertError(await write(invalid), 422, "Invalid", undefined, "ConfigMap/UPPER");
});

test("a pod is deleted by force", async () => {
  await write(pod("doomed"));
  const named = { kind: "Pod", namespace: operator, name: "doomed" };
  assert.equal((await remove({ ...named, force: "true" })).status, 200);
  assertError(await get(named), 404, "NotFound");
});

test("a container log is plain text", async () => {
  const query = { podname: "shell", namespace: operator, container: "main" };
  const response = await frontend.client.get(pathOf("kubernetespodlogs", query));
  assert.equal(response.status, 200);
  assert.equal(response.headers["content-type"], "text/plain");
  assert.equal(response.text, "begun\n");
  assertError(
    await frontend.client.get(pathOf("kubernetespodlogs", { ...query, podname: "nowhere" })),
    404,
    "NotFound",
  );
  assertError(
    await frontend.client.get(pathOf("kubernetespodlogs", { ...query, namespace: "shop" })),
    403,
    "Forbidden",
  );
});

test("a command's output is plain text with its exit status, and the audit has the redacted command without output", async () => {
  const body = {
    namespace: operator,
    podName: "shell",
    container: "main",
    command: "echo hi; PASSWORD=hunter2",
  };
  const response = await post("exec", {}, body);
  assert.equal(response.status, 200);
  assert.equal(response.headers["content-type"], "text/plain");
  assert.equal(response.text, `Executing in ${operator}/shell/main...\nhi\nDone.\n`);
  const kept = log.text();
  assert.ok(kept.includes('"command":"echo hi; PASSWORD=[REDACTED]"'));
  assert.ok(!kept.includes("hunter2") && !kept.includes("hi\\nDone"));
  assertError(await post("exec"), 400, "InvalidRequestContent", "The request body must not be empty.");
  assertError(await post("exec", {}, { ...body, namespace: "shop" }), 403, "Forbidden");
  assertError(await post("exec", {}, { ...body, command: "" }), 400, "InvalidParameter");
});

const job = (script: string) => ({
  kind: "Job",
  metadata: { name: "collect" },
  spec: {
    template: {
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "main", image: "busybox", command: ["sh", "-c", script] }],
      },
    },
  },
});
const jobNames = async () => {
  const { json } = await get({ kind: "Job.batch", namespace: operator });
  return Array.isArray(json.items) ? json.items.length : -1;
};

async function untilNoJobs(): Promise<void> {
  for (const limit = Date.now() + 30_000; (await jobNames()) !== 0; await delay(20))
    assert.ok(Date.now() < limit, "a job is left");
}

test("a failed job is reported and deleted", async () => {
  const { status, text } = await post("runjob", {}, job("echo trying; exit 1"));
  assert.equal(status, 200);
  assert.match(text, /trying\nJob failed\.\nCleanup complete\.\n$/);
  await untilNoJobs();
  assertError(await post("runjob", {}, { kind: "Pod" }), 400, "InvalidParameter");
});

test("a job of a disconnected caller is deleted too, and the cluster is free again", async () => {
  const body = Buffer.from(JSON.stringify(job("echo trying; sleep 3600")));
  const calling = request(`${frontend.url}${pathOf("runjob")}`, {
    method: "POST",
    ca: frontend.authority.certificatePem,
    headers: { "content-type": "application/json", "content-length": body.length },
  });
  calling.on("error", () => undefined);
  calling.end(body);
  const [response] = await once(calling, "response");
  response.on("error", () => undefined);
  for await (const chunk of response) if (String(chunk).includes("trying")) break;
  calling.destroy();
  await untilNoJobs();
  for (const limit = Date.now() + 30_000; ; await delay(20)) {
    const { status } = await post("cordonnode", { vmName: masters[0] ?? "" });
    if (status === 200) break;
    assert.equal(status, 409);
    assert.ok(Date.now() < limit, "the cluster stays taken");
  }
});

test("nodes are cordoned and drained by the names of their machines", async () => {
  const [vmName = ""] = masters;
  const node = async () => JSON.stringify((await get({ kind: "Node", name: vmName })).json.spec);
  assert.equal((await post("cordonnode", { vmName, shouldCordon: "True" })).status, 200);
  assert.match(await node(), /"unschedulable":true/);
  assert.equal((await post("drainnode", { vmName })).status, 200);
  assert.equal((await post("cordonnode", { vmName, shouldCordon: "false" })).status, 200);
  assert.doesNotMatch(await node(), /"unschedulable":true/);
  assertError(
    await post("cordonnode", { vmName: "no-such-vm" }),
    404,
    "NotFound",
    undefined,
    "nodes/no-such-vm",
  );
  assertError(await post("drainnode", { vmName: "-x" }), 400, "InvalidParameter");
});

test("invalid requests are rejected before the cluster is read or acquired", async () => {
  const known = { ...address };
  const container = { namespace: operator, podName: "shell", container: "main" };
  const vmName = "a/b";
  address = { ...address, id: `${address.id}x` };
  try {
    for (const [code, answer] of [
      ["Forbidden", remove({ kind: "ConfigMap", namespace: operator, name: "x", force: "true" })],
      ["InvalidRequestContent", write({ kind: "ConfigMap" })],
      ["InvalidParameter", post("exec", {}, { ...container, command: "" })],
      ["InvalidRequestContent", post("exec", {}, [])],
      ["InvalidRequestContent", post("exec", {}, { ...container, command: 1 })],
      ["InvalidParameter", post("runjob", {}, { kind: "Pod" })],
      ["InvalidParameter", post("cordonnode", { vmName })],
      ["InvalidParameter", post("drainnode", { vmName })],
      ["InvalidParameter", post("etcdkeycount", { vmName })],
      ["InvalidParameter", post("approvecsr", { csrName: "a/b" })],
      ["InvalidParameter", post("reconcilefailednic", { nicName: "-" })],
      ["InvalidParameter", frontend.client.get(pathOf("effectiveroutetable"))],
      [
        "Forbidden",
        frontend.client.get(pathOf("kubernetespodlogs", { namespace: "shop", podname: "x", container: "x" })),
      ],
    ] as const) {
      assertError(await answer, code === "Forbidden" ? 403 : 400, code);
    }
  } finally {
    address = known;
  }
});

test("existing certificate signing requests are approved", async () => {
  assert.equal((await post("approvecsr")).status, 200);
  assertError(
    await post("approvecsr", { csrName: "csr-x" }),
    400,
    "ResourceNotFound",
    "certificate signing request 'csr-x' was not found.",
  );
});

test("usage of pods and nodes is listed", async () => {
  const nodes: unknown = JSON.parse((await frontend.client.get(pathOf("top/nodes"))).text);
  assert.ok(Array.isArray(nodes) && nodes.length === 4);
  const pods: unknown = JSON.parse((await frontend.client.get(pathOf("top/pods"))).text);
  assert.ok(
    Array.isArray(pods) && pods.some((each) => each.podName === "shell" && each.namespace === operator),
  );
  assertError(
    await frontend.client.get(pathOf("top/pods", { allNamespaces: "false" })),
    400,
    "InvalidParameter",
  );
});

test("counting keys of etcd needs the machine's name", async () => {
  assertError(await post("etcdkeycount"), 400, "InvalidParameter", "The provided vmName '' is invalid.");
  const { status, text } = await post("etcdkeycount", { vmName: masters[0] ?? "" });
  assert.equal(status, 200);
  assert.match(
    text,
    new RegExp(`^Executing in openshift-etcd/etcd-${masters[0]}/etcdctl\\.\\.\\.\nCommand failed: `),
  );
});

test("etcd is recovered only if a member fails, and its certificates are renewed only in versions without automatic renewal", async () => {
  assertError(
    await post("etcdrecovery"),
    500,
    "InternalServerError",
    "no etcd pod is failing: there is nothing to recover",
  );
  const signal = AbortSignal.timeout(900_000);
  await using context = cluster.context({ signal });
  await addKinds(context.kube(), [resources.clusterVersions], signal);
  const history = [{ state: "Completed", version: "4.19.24" }];
  const version = {
    apiVersion: "config.openshift.io/v1",
    kind: "ClusterVersion",
    metadata: { name: "version" },
  };
  await context.kube().create(resources.clusterVersions, { ...version, status: { history } }, signal);
  assertError(
    await post("etcdcertificaterenew"),
    403,
    "Forbidden",
    "etcd certificate renewal is not needed for cluster running version 4.9+",
  );
});

test("routes of the portal and of Hive report that they are not configured", async () => {
  const unavailable = (response: Awaited<ReturnType<typeof post>>) =>
    assertError(response, 503, "InternalServerError");
  for (const suffix of ["kubeconfig/new", "kubeconfig/newelevated"]) unavailable(await post(suffix));
  unavailable(await post("ssh/newelevated", {}, { master: 0 }));
  const hive = [
    pathOf("clusterdeployment"),
    pathOf("clustersync"),
    "/admin/hivesyncset?issyncset=false",
    "/admin/hivesyncset/syncsetname/x?issyncset=false",
    "/admin/hive/k8sobjects/pods",
  ];
  for (const path of hive)
    assertError(await frontend.client.get(path), 400, "InvalidParameter", "hive is not enabled");
});
