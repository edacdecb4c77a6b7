import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { stringAt, valueAt } from "@keelson/base";
import { connectKube, type KubeClient, KubeError, type KubeObject, resources } from "@keelson/kube";
import "reflect-metadata";
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from "@peculiar/x509";
import type { ActionContext } from "../context/action-context.ts";
import {
  addKinds,
  masters,
  namespace,
  type SimulatedCluster,
  startSimulatedCluster,
  worker,
} from "../testing/index.ts";
import { approveRequests } from "./approve-requests.ts";
import { cordonNode } from "./cordon-node.ts";
import { drainNode } from "./drain-node.ts";
import { execInContainer } from "./exec.ts";
import { deleteObject, readObjects, writeObject } from "./kubernetes-objects.ts";
import { podLogs } from "./pod-logs.ts";
import { topNodes, topPods } from "./resource-usage.ts";
import { runJob } from "./run-job.ts";
import type { TextStream } from "./text-stream.ts";

const operator = "openshift-azure-operator";
const { signal } = new AbortController();
let cluster: SimulatedCluster;
let context: ActionContext;

before(async () => {
  cluster = await startSimulatedCluster();
  context = cluster.context();
  for (const name of [operator, "openshift-etcd", "shop"])
    await context.kube().create(resources.namespaces, namespace(name), signal);
});
after(async () => {
  await context?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

/** Base64-encoded PEM certificate request for the subject CN=test. Its private key was discarded. */
const certificateRequest = [
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISk1IRUNBUUF3RHpFTk1Bc0dBMVVFQXd3RWRHVnpkREJa",
  "TUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSApBMElBQk1QMWVjcndGdWdIbEVkU2YzUXdWMzJiV2NaV0YwY2s5ZjJiZGJ0",
  "d21OdTlTYWRYWDhmZVFhTHQ2ZXpkCjB2a3hrQTN3NGQ0eUhPeUhWSWdlTVNzeG1SeWdBREFLQmdncWhrak9QUVFEQWdOSUFE",
  "QkZBaUVBMEhoeG52dEcKYS9kSkdnRFpWdk83bGhxYkFGOTdPYVFqS0phcVkydTRSNzhDSUdRUmNkc2lZanZlUnIwYko1Y1dD",
  "bktVYTkwQgpEU1ZYSHRBalowYTdGaG92Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=",
].join("");

const configMap = (name: string, place = operator, data: object = {}): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { namespace: place, name },
  data,
});
const read = (kind: string, place = "", name = "", unrestricted = false) =>
  readObjects(context, { kind, namespace: place, name, unrestricted });

async function textOf(stream: TextStream): Promise<string> {
  let text = "";
  for await (const piece of stream) text += typeof piece === "string" ? piece : Buffer.from(piece).toString();
  return text;
}

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const limit = Date.now() + 30_000; ; await delay(10)) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(Date.now() < limit, "waited too long");
  }
}

/** Runs `script` in a pod on `node` and waits until it has started. */
async function runPod(
  name: string,
  script: string,
  spec: object = {},
  metadata: object = {},
): Promise<KubeObject> {
  const container = { name: "main", image: "busybox", command: ["sh", "-c", script] };
  const object = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: operator, ...metadata },
    spec: { restartPolicy: "Never", containers: [container], terminationGracePeriodSeconds: 0, ...spec },
  };
  await context.kube().create(resources.pods, object, signal);
  return until(async () => {
    const pod = await context.kube().get(resources.pods, { namespace: operator, name }, signal);
    return /Running|Succeeded/.test(stringAt(pod, "status", "phase") ?? "") ? pod : undefined;
  });
}

test("objects are written, read, listed and deleted", async () => {
  await writeObject(context, configMap("written", operator, { a: "1" }));
  await writeObject(context, configMap("written", operator, { a: "2" }));
  assert.deepEqual(valueAt(await read("ConfigMap", operator, "written"), "data"), { a: "2" });
  const list = await read("configmaps", operator);
  assert.equal(stringAt(list, "kind"), "ConfigMapList");
  assert.equal(stringAt(list, "apiVersion"), "v1");
  await deleteObject(context, { kind: "configmap", namespace: operator, name: "written", force: false });
  const gone = { kind: "ConfigMap", namespace: operator, name: "written", force: false };
  await assert.rejects(
    deleteObject(context, gone),
    (error) => error instanceof KubeError && error.code === 404,
  );
});

test("a list of more than a thousand is refused", async () => {
  const { client } = cluster.logical;
  const ref = { group: "", version: "v1", resource: "configmaps" };
  await context.kube().create(resources.namespaces, namespace("openshift-insights"), signal);
  const metadata = (index: number) => ({ namespace: "openshift-insights", name: `many-${index}` });
  for (let index = 0; index < 1_001; index += 100) {
    const names = Array.from({ length: Math.min(100, 1_001 - index) }, (_, each) => index + each);
    await Promise.all(
      names.map((each) =>
        client.create(ref, { apiVersion: "v1", kind: "ConfigMap", metadata: metadata(each) }),
      ),
    );
  }
  await assert.rejects(read("ConfigMap", "openshift-insights"), /^CloudError: Too many items returned\.$/);
});

test("what is forbidden or makes no sense is refused before it is done", async () => {
  await writeObject(context, configMap("kept"));
  const force = { kind: "ConfigMap", namespace: operator, name: "kept", force: true };
  await assert.rejects(deleteObject(context, force), /Force deleting groupKind 'ConfigMap' is forbidden\./);
  await read("ConfigMap", operator, "kept");
  await assert.rejects(read("Secret", operator, "x"), /Access to secrets is forbidden\./);
  await assert.rejects(read("Nonsense"), /The provided resource is invalid\./);
  await assert.rejects(writeObject(context, configMap("x", "shop")), /namespace 'shop' is forbidden/);
  await assert.rejects(read("ConfigMap", "shop"), /namespace 'shop' is forbidden/);
  assert.ok(await read("ConfigMap", "shop", "", true));
  await assert.rejects(writeObject(context, { kind: "ConfigMap" }), /must include 'apiVersion'/);
  await assert.rejects(writeObject(context, { apiVersion: "v1" }), /must include 'kind'/);
  await assert.rejects(writeObject(context, []), /could not be deserialized/);
  const unnamed = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: operator } };
  await assert.rejects(writeObject(context, unnamed), /The provided name '' is invalid\./);
});

test("a pod can be taken away by force, and its log be read before that", async () => {
  await runPod("logs", "echo one; echo two; sleep 3600");
  const container = { namespace: operator, pod: "logs", container: "main" };
  assert.equal(
    await until(async () => (await textOf(podLogs(context, container))) || undefined),
    "one\ntwo\n",
  );
  await deleteObject(context, { kind: "Pod", namespace: operator, name: "logs", force: true });
  const lost = textOf(podLogs(context, container));
  await assert.rejects(lost, (error) => error instanceof KubeError && error.code === 404);
});

test("commands stream their output and exit status", async () => {
  await runPod("shell", "sleep 3600");
  const exec = (command: string) =>
    textOf(execInContainer(context, { namespace: operator, pod: "shell", container: "main", command }));
  const begin = `Executing in ${operator}/shell/main...\n`;
  assert.equal(await exec("echo hi"), `${begin}hi\nDone.\n`);
  assert.match(
    await exec("echo out; echo err >&2; exit 3"),
    new RegExp(`^${begin}out\nstderr:\nerr\nCommand failed: .*3\n$`),
  );
  assert.throws(() => exec(""), /must not be empty/);
  assert.throws(() => exec("x".repeat(4_097)), /must not exceed 4096 bytes/);
  const elsewhere = { namespace: operator, pod: "nowhere", container: "main", command: "true" };
  assert.match(await textOf(execInContainer(context, elsewhere)), /Command failed: .*not found/);
});

test("a command that takes too long is given up, with what it wrote", async () => {
  const container = { namespace: operator, pod: "shell", container: "main" };
  const time = new AbortController();
  const told: string[] = [];
  const command = "echo begun; sleep 3600";
  for await (const piece of execInContainer(context, { ...container, command }, time.signal)) {
    told.push(typeof piece === "string" ? piece : Buffer.from(piece).toString());
    if (told.at(-1) === "begun\n") time.abort();
  }
  assert.deepEqual(told.slice(1), ["begun\n", "Command failed: it took more than 30 minutes\n"]);
});

const job = (script: string) => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "collect" },
  spec: {
    template: {
      spec: {
        restartPolicy: "Never",
        terminationGracePeriodSeconds: 0,
        containers: [{ name: "main", image: "busybox", command: ["sh", "-c", script] }],
      },
    },
  },
});
const jobs = async () => (await context.kube().list(resources.jobs, { namespace: operator }, signal)).items;
const noJobs = () => until(async () => ((await jobs()).length === 0 ? true : undefined));

test("a job is followed to its end and deleted", async () => {
  for (const [script, end] of [
    ["echo hello", "Job succeeded."],
    ["echo hello; exit 1", "Job failed."],
  ]) {
    const text = await textOf(runJob(context, job(script ?? "")));
    assert.match(
      text,
      /^Creating job collect-\w{5} in openshift-azure-operator\.\.\.\nWaiting for pod\.\.\.\n/,
    );
    assert.match(text, new RegExp(`streaming logs\\.\\.\\.\nhello\n${end}\nCleanup complete\\.\n$`));
  }
  await noJobs();
});

test("a job is deleted when its caller goes", async () => {
  const gone = new AbortController();
  await using left = cluster.context({ signal: gone.signal });
  const pieces = runJob(left, job("echo started; sleep 3600"))[Symbol.asyncIterator]();
  const told: string[] = [];
  while (!told.join("").includes("started")) {
    const { value } = await pieces.next();
    told.push(typeof value === "string" ? value : Buffer.from(value ?? "").toString());
  }
  assert.equal((await jobs()).length, 1);
  const rest = assert.rejects(async () => {
    for (;;) if ((await pieces.next()).done) return;
  }, /the caller has gone/);
  gone.abort(new Error("the caller has gone"));
  await rest;
  await noJobs();
});

test("a job that takes too long is given up and deleted", async () => {
  const time = new AbortController();
  let text = "";
  for await (const piece of runJob(context, job("echo begun; sleep 3600"), time.signal)) {
    text += typeof piece === "string" ? piece : Buffer.from(piece).toString();
    if (text.endsWith("begun\n")) time.abort();
  }
  assert.match(text, /begun\nError: the job took more than 30 minutes\nCleanup complete\.\n$/);
  await noJobs();
});

test("a job is deleted when the reader stops", async () => {
  for await (const piece of runJob(context, job("sleep 3600"))) {
    if (/Waiting/.test(String(piece))) break;
  }
  await noJobs();
});

test("a node is cordoned and opened again", async () => {
  const node = masters[0] ?? "";
  const unschedulable = async () =>
    valueAt(await context.kube().get(resources.nodes, { name: node }, signal), "spec", "unschedulable");
  await cordonNode(context, node, true);
  assert.equal(await unschedulable(), true);
  await cordonNode(context, node, false);
  assert.notEqual(await unschedulable(), true);
  await assert.rejects(cordonNode(context, "no-such-node", true), (error) => {
    return error instanceof KubeError && error.code === 404 && error.subject?.name === "no-such-node";
  });
  await assert.rejects(cordonNode(context, "", true), /The provided vmName '' is invalid\./);
});

test("a drained node keeps what would come back at once", async () => {
  const kube = context.kube();
  const labels = { app: "agents" };
  const container = { name: "main", image: "busybox", command: ["sleep", "3600"] };
  const template = {
    metadata: { labels },
    spec: { nodeSelector: { "kubernetes.io/hostname": worker }, containers: [container] },
  };
  const metadata = { name: "agents", namespace: operator };
  const spec = { selector: { matchLabels: labels }, template };
  await kube.create(
    resources.daemonSets,
    { apiVersion: "apps/v1", kind: "DaemonSet", metadata, spec },
    signal,
  );
  const agents = async () =>
    (await kube.list(resources.pods, { namespace: operator, labelSelector: "app=agents" }, signal)).items;
  const agent = await until(async () => (await agents())[0]);
  await runPod("goes", "sleep 3600", { nodeName: worker });
  await runPod("elsewhere", "sleep 3600", { nodeName: masters[1] });
  await drainNode(context, worker);
  const left = async (name: string) =>
    (await kube.find(resources.pods, { namespace: operator, name }, signal)) !== undefined;
  assert.deepEqual(await Promise.all(["goes", "elsewhere"].map(left)), [false, true]);
  assert.equal((await agents())[0]?.metadata.uid, agent.metadata.uid);
  await assert.rejects(drainNode(context, "no-such-node"), KubeError);
});

test("a node that does not get empty in time is left with the names of its pods", async () => {
  await runPod("clings", "sleep 3600", { nodeName: masters[2] }, { finalizers: ["example.com/wait"] });
  const key = { namespace: operator, name: "clings" };
  const time = new AbortController();
  const drained = assert.rejects(drainNode(context, masters[2] ?? "", time.signal), (error) => {
    assert.match(String(error), /was not drained in time; pods left: openshift-azure-operator\/clings\.$/);
    return true;
  });
  await until(async () => (await context.kube().get(resources.pods, key, signal)).metadata.deletionTimestamp);
  time.abort();
  await drained;
  await context.kube().mergePatch(resources.pods, key, { metadata: { finalizers: null } }, signal);
});

test("what comes to a node while it is drained stays there", async () => {
  const kube = context.kube();
  const node = { nodeName: masters[1] };
  await runPod("lingers", "sleep 3600", node, { finalizers: ["example.com/wait"] });
  const key = { namespace: operator, name: "lingers" };
  const drained = drainNode(context, masters[1] ?? "");
  await until(async () => (await kube.get(resources.pods, key, signal)).metadata.deletionTimestamp);
  await runPod("newcomer", "sleep 3600", node);
  await kube.mergePatch(resources.pods, key, { metadata: { finalizers: null } }, signal);
  await drained;
  const newcomer = await kube.get(resources.pods, { namespace: operator, name: "newcomer" }, signal);
  assert.equal(newcomer.metadata.deletionTimestamp, undefined);
});

/** Creates a base64-encoded PEM certificate request with a new key and a DNS name. */
async function signingRequest(subject: string, dnsName: string): Promise<string> {
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys,
    signingAlgorithm: { name: "ECDSA", hash: "SHA-256" },
    extensions: [new SubjectAlternativeNameExtension([{ type: "dns", value: dnsName }])],
  });
  return Buffer.from(request.toString("pem")).toString("base64");
}

test("pending requests of kubelets are approved together, others by name and with all rights", async () => {
  const requests = resources.certificateSigningRequests;
  const kube = context.kube();
  await addKinds(kube, [resources.machines], signal);
  await kube.create(resources.namespaces, namespace("openshift-machine-api"), signal);
  const machine = { name: worker, namespace: "openshift-machine-api" };
  await kube.create(
    resources.machines,
    { apiVersion: "machine.openshift.io/v1beta1", kind: "Machine", metadata: machine },
    signal,
  );
  // The test creates requests as the kubelet, because the API server records the user who creates a request.
  await using kubelet = connectKube({
    kubeconfig: await cluster.kubeconfigOf(`system:node:${worker}`, ["system:nodes", "system:masters"]),
    userAgent: "test",
    fieldManager: "test",
  });
  const create = (by: KubeClient, name: string, request: string, signerName: string) => {
    const usages = ["digital signature", signerName.endsWith("serving") ? "server auth" : "client auth"];
    const spec = { request, signerName, usages };
    const object = { apiVersion: "certificates.k8s.io/v1", kind: requests.kind, metadata: { name }, spec };
    return by.create(requests, object, signal);
  };
  const serving = "kubernetes.io/kubelet-serving";
  const ofWorker = await signingRequest(`CN=system:node:${worker}, O=system:nodes`, worker);
  await create(kubelet, "kubelet", ofWorker, serving);
  await create(kube, "stranger", ofWorker, serving);
  const ofAdministrators = await signingRequest("CN=mallory, O=system:cluster-admins", "mallory");
  await create(kube, "mallory", ofAdministrators, "example.com/clients");
  await create(kube, "denied", certificateRequest, "example.com/test");
  const reasons = async (name: string) => {
    const { status } = await kube.get(requests, { name }, signal);
    const conditions = valueAt({ status }, "status", "conditions");
    return Array.isArray(conditions) ? conditions.map((each) => `${each.type} ${each.reason}`) : [];
  };
  for (const mayApproveAny of [false, true, false])
    await approveRequests(context, { name: "", mayApproveAny });
  assert.deepEqual(await reasons("kubelet"), ["Approved AROSupportApprove"]);
  assert.deepEqual(await reasons("stranger"), []);
  assert.deepEqual(await reasons("mallory"), []);
  const byName = (name: string, mayApproveAny: boolean) => approveRequests(context, { name, mayApproveAny });
  await assert.rejects(byName("mallory", false), (error) => {
    assert.match(String(error), /'mallory' for signer 'example\.com\/clients' is not of a kubelet/);
    return true;
  });
  assert.deepEqual(await reasons("mallory"), []);
  await byName("mallory", true);
  assert.deepEqual(await reasons("mallory"), ["Approved AROSupportApprove"]);
  const denied = { type: "Denied", status: "True", reason: "Test", message: "no" };
  await kube.mergePatch(
    requests,
    { name: "denied" },
    { status: { conditions: [denied] } },
    signal,
    "approval",
  );
  await assert.rejects(byName("denied", true), (error) => {
    assert.match(String(error), /certificate signing request "denied" is already Denied/);
    return true;
  });
  await assert.rejects(byName("nowhere", true), /certificate signing request 'nowhere' was not found\./);
});

test("usage is reported for platform pods and for nodes, with its share of the node", async () => {
  await runPod("uses", "sleep 3600", {
    nodeName: worker,
    containers: [
      {
        name: "main",
        image: "busybox",
        command: ["sleep", "3600"],
        resources: { requests: { cpu: "2", memory: "8Gi" } },
      },
    ],
  });
  const pods = await topPods(context, { allNamespaces: true });
  const [first] = pods;
  assert.deepEqual([first?.podName, first?.namespace, first?.nodeName], ["uses", operator, worker]);
  assert.match(first?.cpuUsage ?? "", /^\d+m$/);
  assert.match(first?.memoryUsage ?? "", /^\d+Ki$/);
  assert.ok((first?.memoryPercentage ?? 0) >= 7 && (first?.memoryPercentage ?? 0) <= 23);
  const nodes = await topNodes(context);
  assert.deepEqual(nodes.map(({ nodeName }) => nodeName).sort(), [...masters, worker].sort());
  assert.equal(nodes[0]?.nodeName, worker);
  assert.ok((nodes[0]?.cpuPercentage ?? 0) > (nodes[1]?.cpuPercentage ?? 0));
  await assert.rejects(topPods(context, { allNamespaces: false }), /allNamespaces/);
});
