import assert from "node:assert/strict";
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  type ApiServer,
  type KubeObject,
  type LogicalCluster,
  type ResourceRef,
  startApiServer,
} from "@keelson/apiserver";
import {
  aborted,
  createCertificateAuthority,
  httpConnectTimeoutMs,
  issueCertificate,
  type KeyPair,
  listAt,
  numberAt,
  silentLogger,
  stringAt,
  systemClock,
  valueAt,
} from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { conditionStatus } from "@keelson/kube";
import { Agent, fetch } from "undici";
import { resources } from "../base/resources.ts";
import { ImageRegistry } from "../kubelet/processes/image-registry.ts";
import { ImageRules } from "../kubelet/processes/image-rules.ts";
import { startWorkloads, type Workloads } from "./start-workloads.ts";

let authority: KeyPair;
let directory: string;
let server: ApiServer;
let cluster: LogicalCluster;
let workloads: Workloads;
const images = new ImageRegistry();
const imageRules = new ImageRules();
const namespace = "default";
const trustedCaPem = "-----BEGIN CERTIFICATE-----\n";
const options = {
  trustedCaPem,
  crashBackoffMs: 50,
  images,
  imageRules,
  clock: systemClock,
  logger: silentLogger,
};

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "workloads-"));
  authority = await createCertificateAuthority("test", 2);
  const tls = await issueCertificate(authority, {
    commonName: "localhost",
    dnsNames: ["localhost"],
    ipAddresses: ["127.0.0.1"],
    usage: "server",
    validDays: 1,
  });
  server = await startApiServer({
    host: "127.0.0.1",
    port: 0,
    tls,
    certificateAuthorityPem: authority.certificatePem,
    storage: { kind: "memory" },
    logger: silentLogger,
    clock: systemClock,
  });
  cluster = await server.createCluster({
    name: "demo",
    clientCertificateAuthorities: [authority.certificatePem],
  });
  workloads = await startWorkloads(cluster, { ...options, nodes: ["a", "b", "c"], directory });
});
after(async () => {
  await workloads[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

function create(
  ref: ResourceRef,
  kind: string,
  name: string,
  rest: object,
  metadata: object = {},
): Promise<KubeObject> {
  const apiVersion = ref.group ? `${ref.group}/${ref.version}` : ref.version;
  return cluster.client.create(ref, {
    apiVersion,
    kind,
    metadata: { namespace, name, ...metadata },
    ...rest,
  });
}

const get = (ref: ResourceRef, name: string) => cluster.client.get(ref, { namespace, name });
const podsOf = async (app: string) =>
  (await cluster.client.list(resources.pods, { namespace, labelSelector: `app=${app}` })).items;

function workload(app: string, container: object = {}, spec: object = {}): object {
  return {
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app } },
      spec: { containers: [{ name: "c", image: "server", ...container }], ...spec },
    },
  };
}

async function runPod(name: string, spec: object, metadata: object = {}): Promise<KubeObject> {
  return create(resources.pods, "Pod", name, { spec }, metadata);
}

test("ConfigMaps that request the trusted CA bundle get it, and keep it", async () => {
  const labels = { "config.openshift.io/inject-trusted-cabundle": "true" };
  await create(resources.configMaps, "ConfigMap", "trusted", {}, { labels });
  await create(resources.configMaps, "ConfigMap", "untouched", {});
  const bundleOf = async (name: string) =>
    stringAt(await get(resources.configMaps, name), "data", "ca-bundle.crt");
  await eventually(async () => assert.equal(await bundleOf("trusted"), trustedCaPem));
  const key = { namespace, name: "trusted" };
  await cluster.client.mergePatch(resources.configMaps, key, { data: { "ca-bundle.crt": "" } });
  await eventually(async () => assert.equal(await bundleOf("trusted"), trustedCaPem));
  assert.equal(await bundleOf("untouched"), undefined);
});

async function untilPhase(name: string, phase: string): Promise<KubeObject> {
  return eventually(async () => {
    const pod = await get(resources.pods, name);
    assert.equal(stringAt(pod, "status", "phase"), phase);
    return pod;
  });
}

async function logOf(pod: KubeObject, container = "c", previous = false): Promise<string> {
  return read(
    `/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/log?container=${container}&previous=${previous}`,
  );
}

/** Sends a GET request over the network as the administrator. */
async function read(path: string): Promise<string> {
  const admin = await issueCertificate(authority, {
    commonName: "system:admin",
    usage: "client",
    validDays: 1,
  });
  const dispatcher = new Agent({
    connect: {
      timeout: httpConnectTimeoutMs,
      ca: authority.certificatePem,
      cert: admin.certificatePem,
      key: admin.privateKeyPem,
    },
  });
  try {
    return await (await fetch(`${cluster.url}${path}`, { dispatcher })).text();
  } finally {
    await dispatcher.close();
  }
}

const shell = (script: string) => ({ name: "c", image: "busybox", command: ["sh", "-c", script] });

test("init containers run in order before the main containers", async () => {
  await runPod("inits", {
    restartPolicy: "Never",
    volumes: [{ name: "shared", emptyDir: {} }],
    initContainers: [1, 2].map((each) => ({
      ...shell(`echo ${each} >> /shared/order`),
      name: `i${each}`,
      volumeMounts: [{ name: "shared", mountPath: "/shared" }],
    })),
    containers: [{ ...shell("cat /shared/order"), volumeMounts: [{ name: "shared", mountPath: "/shared" }] }],
  });
  const pod = await untilPhase("inits", "Succeeded");
  assert.equal(await logOf(pod), "1\n2\n");
  assert.equal(conditionStatus(pod, "Initialized"), "True");
});

test("restart policies: failures again under OnFailure, everything again under Always, nothing under Never", async () => {
  for (const restartPolicy of ["Never", "OnFailure", "Always"]) {
    await runPod(`policy-${restartPolicy.toLowerCase()}`, {
      restartPolicy,
      containers: [shell("echo run; exit 1")],
    });
  }
  assert.equal(
    stringAt(
      await untilPhase("policy-never", "Failed"),
      "status",
      "containerStatuses",
      0,
      "state",
      "terminated",
      "reason",
    ),
    "Error",
  );
  for (const name of ["policy-onfailure", "policy-always"]) {
    await eventually(async () => {
      const pod = await get(resources.pods, name);
      assert.ok((numberAt(pod, "status", "containerStatuses", 0, "restartCount") ?? 0) >= 2);
      assert.equal(
        stringAt(pod, "status", "containerStatuses", 0, "state", "waiting", "reason"),
        "CrashLoopBackOff",
      );
    });
    await cluster.client.delete(resources.pods, { namespace, name });
  }
});

test("an image that cannot be pulled is tried again until it can", async () => {
  const programmed = images.set("private", {
    pullFailure: { reason: "ErrImagePull", message: "unauthorized" },
  });
  await runPod("pulls", { containers: [{ name: "c", image: "private/thing:1" }] });
  await eventually(async () => {
    const pod = await get(resources.pods, "pulls");
    assert.equal(
      stringAt(pod, "status", "containerStatuses", 0, "state", "waiting", "reason"),
      "ImagePullBackOff",
    );
    assert.equal(stringAt(pod, "status", "phase"), "Pending");
  });
  programmed();
  await untilPhase("pulls", "Running");
});

test("a container waits for its environment and its volumes", async () => {
  await runPod("needs", {
    restartPolicy: "Never",
    volumes: [{ name: "config", configMap: { name: "needed" } }],
    containers: [
      {
        ...shell("echo $NAME $COLOUR $FROM_SECRET; cat /config/file"),
        env: [
          { name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
          { name: "COLOUR", valueFrom: { configMapKeyRef: { name: "needed", key: "colour" } } },
          { name: "FROM_SECRET", valueFrom: { secretKeyRef: { name: "needed", key: "password" } } },
        ],
        volumeMounts: [{ name: "config", mountPath: "/config" }],
      },
    ],
  });
  await create(resources.configMaps, "ConfigMap", "needed", { data: { colour: "blue", file: "content\n" } });
  await create(resources.secrets, "Secret", "needed", { stringData: { password: "secret" } });
  assert.equal(await logOf(await untilPhase("needs", "Succeeded")), "needs blue secret\ncontent\n");
});

test("probes that are programmed decide who is ready and who starts again", async () => {
  let ready = false;
  let alive = true;
  images.set("probed", { probe: (_pod, kind) => (kind === "readiness" ? ready : alive) });
  const probe = { periodSeconds: 1, exec: { command: ["true"] } };
  await runPod("probed", {
    containers: [{ name: "c", image: "probed", readinessProbe: probe, livenessProbe: probe }],
  });
  assert.equal(conditionStatus(await untilPhase("probed", "Running"), "Ready"), "False");
  ready = true;
  await eventually(async () =>
    assert.equal(conditionStatus(await get(resources.pods, "probed"), "Ready"), "True"),
  );
  alive = false;
  await eventually(async () => {
    const pod = await get(resources.pods, "probed");
    assert.ok((numberAt(pod, "status", "containerStatuses", 0, "restartCount") ?? 0) >= 1);
  });
  await cluster.client.delete(resources.pods, { namespace, name: "probed" });
});

test("a program that reports its startup is not ready before it has started", async (t) => {
  const startup = Promise.withResolvers<void>();
  t.after(() => startup.resolve());
  images.set("slow-starter", {
    program: async ({ starting, signal }) => {
      const started = starting?.();
      await startup.promise;
      started?.();
      await aborted(signal);
      return 0;
    },
  });
  const readinessProbe = { periodSeconds: 1, httpGet: { port: 80, path: "/" } };
  await runPod("slow-starter", { containers: [{ name: "c", image: "slow-starter", readinessProbe }] });
  await untilPhase("slow-starter", "Running");
  // This pod starts later and does not report its startup. When it is ready, the first pod would be ready too if it did not
  // report its startup.
  await runPod("fast-starter", { containers: [{ name: "c", image: "idle", readinessProbe }] });
  const readiness = async (name: string) => conditionStatus(await get(resources.pods, name), "Ready");
  await eventually(async () => assert.equal(await readiness("fast-starter"), "True"));
  assert.equal(await readiness("slow-starter"), "False");
  startup.resolve();
  await eventually(async () => assert.equal(await readiness("slow-starter"), "True"));
  for (const name of ["slow-starter", "fast-starter"])
    await cluster.client.delete(resources.pods, { namespace, name });
});

test("a deleted pod stops first, and is removed after its containers have terminated", async () => {
  let stopped = false;
  images.set("graceful", {
    program: async ({ signal, clock }) => {
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await clock.sleep(150, AbortSignal.timeout(5_000));
      stopped = true;
      return 0;
    },
  });
  await runPod("graceful", { containers: [{ name: "c", image: "graceful" }] });
  await untilPhase("graceful", "Running");
  await cluster.client.delete(resources.pods, { namespace, name: "graceful" });
  const { metadata } = await get(resources.pods, "graceful");
  assert.ok(metadata.deletionTimestamp);
  assert.equal(metadata.deletionGracePeriodSeconds, 30);
  await eventually(async () =>
    assert.equal(await cluster.client.find(resources.pods, { namespace, name: "graceful" }), undefined),
  );
  assert.equal(stopped, true);
});

test("a claim in use is deleted after its pod, with its volume", async () => {
  await create(resources.persistentVolumeClaims, "PersistentVolumeClaim", "kept", {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "kept" } }];
  await runPod("keeper", { containers: [{ name: "c", image: "server" }], volumes });
  await untilPhase("keeper", "Running");
  const volumeName =
    stringAt(await get(resources.persistentVolumeClaims, "kept"), "spec", "volumeName") ?? "";
  await cluster.client.delete(resources.persistentVolumeClaims, { namespace, name: "kept" });
  assert.ok((await get(resources.persistentVolumeClaims, "kept")).metadata.deletionTimestamp);
  await cluster.client.delete(resources.pods, { namespace, name: "keeper" }, { gracePeriodSeconds: 0 });
  await eventually(async () => {
    const claim = await cluster.client.find(resources.persistentVolumeClaims, { namespace, name: "kept" });
    assert.equal(claim, undefined);
    assert.equal(await cluster.client.find(resources.persistentVolumes, { name: volumeName }), undefined);
  });
});

test("a node that is not ready is tainted until it is", async () => {
  const report = (status: string) =>
    cluster.client.mergePatch(
      resources.nodes,
      { name: "late" },
      { status: { conditions: [{ type: "Ready", status }] } },
      "status",
    );
  const taintsOf = async () =>
    listAt(await cluster.client.get(resources.nodes, { name: "late" }), "spec", "taints").map(
      (taint) => `${stringAt(taint, "key")}:${stringAt(taint, "effect")}`,
    );
  const late = { apiVersion: "v1", kind: "Node", metadata: { name: "late" } };
  await cluster.client.create(resources.nodes, late);
  const notReady = "node.kubernetes.io/not-ready";
  await report("False");
  await eventually(async () =>
    assert.deepEqual(await taintsOf(), [`${notReady}:NoSchedule`, `${notReady}:NoExecute`]),
  );
  await report("True");
  await eventually(async () => assert.deepEqual(await taintsOf(), []));
  await cluster.client.delete(resources.nodes, { name: "late" });
});

test("a StatefulSet starts its pods in order, keeps their claims, and updates from the last", async () => {
  const claim = {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  };
  const mounts = { volumeMounts: [{ name: "data", mountPath: "/data" }] };
  const spec = { replicas: 3, serviceName: "db", volumeClaimTemplates: [claim], ...workload("db", mounts) };
  await create(resources.statefulSets, "StatefulSet", "db", { spec });
  const settled = (image: string) =>
    eventually(async () => {
      const set = await get(resources.statefulSets, "db");
      assert.equal(numberAt(set, "status", "readyReplicas"), 3);
      assert.equal(numberAt(set, "status", "updatedReplicas"), 3);
      assert.match(stringAt(set, "status", "updateRevision") ?? "", /^db-/);
      assert.equal(stringAt(set, "status", "currentRevision"), stringAt(set, "status", "updateRevision"));
      assert.deepEqual(
        [...new Set((await podsOf("db")).map((pod) => stringAt(pod, "spec", "containers", 0, "image")))],
        [image],
      );
    });
  await settled("server");
  const pods = await podsOf("db");
  assert.deepEqual(
    pods.map(({ metadata }) => metadata.name),
    ["db-0", "db-1", "db-2"],
  );
  assert.equal(
    stringAt(await get(resources.persistentVolumeClaims, "data-db-2"), "status", "phase"),
    "Bound",
  );
  await cluster.client.mergePatch(
    resources.statefulSets,
    { namespace, name: "db" },
    {
      spec: { template: { spec: { containers: [{ name: "c", image: "server:2", ...mounts }] } } },
    },
  );
  await settled("server:2");
  await cluster.client.mergePatch(
    resources.statefulSets,
    { namespace, name: "db" },
    { spec: { replicas: 1 } },
  );
  await eventually(async () =>
    assert.deepEqual(
      (await podsOf("db")).map(({ metadata }) => metadata.name),
      ["db-0"],
    ),
  );
});

test("a DaemonSet has a pod on each node, and rolls a new template over them", async () => {
  await create(resources.daemonSets, "DaemonSet", "agent", { spec: workload("agent") });
  const settled = (image: string) =>
    eventually(async () => {
      const set = await get(resources.daemonSets, "agent");
      assert.equal(numberAt(set, "status", "numberAvailable"), 3);
      assert.equal(numberAt(set, "status", "updatedNumberScheduled"), 3);
      const pods = await podsOf("agent");
      assert.deepEqual(pods.map((pod) => stringAt(pod, "spec", "nodeName")).toSorted(), ["a", "b", "c"]);
      assert.ok(pods.every((pod) => stringAt(pod, "spec", "containers", 0, "image") === image));
    });
  await settled("server");
  await cluster.client.mergePatch(
    resources.daemonSets,
    { namespace, name: "agent" },
    {
      spec: { template: { spec: { containers: [{ name: "c", image: "server:2" }] } } },
    },
  );
  await settled("server:2");
});

const unknown = { name: "c", image: "example.com/tool:1", command: ["migrate", "up"] };

test("a script with unknown programs does not fail a pod that should end", async () => {
  const script = 'TOKEN=$(fetch me | parse) && fetch -H "$TOKEN" | grep test';
  const pod = (name: string, args: readonly string[], annotations: object = {}) =>
    create(resources.pods, "Pod", name, {
      metadata: { name, namespace, annotations },
      spec: {
        restartPolicy: "Never",
        containers: [{ name: "c", image: "example.com/tool:1", command: ["sh", "-c"], args }],
      },
    });
  await pod("script", [script]);
  await pod("script-fails", ["exit 3"]);
  await pod("script-many", ["i=0; while [ $i -lt 60 ]; do i=$((i+1)); x$i; done; exit 2"]);
  await pod("script-unknown-fails", [script], { "programs.keelson.dev/unknown": "fail" });
  const phase = async (name: string) => stringAt(await get(resources.pods, name), "status", "phase");
  await eventually(async () => {
    const names = ["script", "script-many", "script-fails", "script-unknown-fails"];
    assert.deepEqual(await Promise.all(names.map(phase)), ["Succeeded", "Succeeded", "Failed", "Failed"]);
  });
  const ended = await get(resources.pods, "script");
  assert.match(await logOf(ended), /simulated: fetch was not run/);
  assert.equal(ended.metadata.annotations?.["programs.keelson.dev/simulated"], "c: fetch parse");
  const many = await get(resources.pods, "script-many");
  const reported = many.metadata.annotations?.["programs.keelson.dev/simulated"]?.split(" ") ?? [];
  assert.equal(reported.length, 1 + 20, "the number of reported programs is limited");
});

test("an Event of the owner contains the reason for which its pods cannot be created", async () => {
  const containers = [{ name: "c", image: "example.com/tool:1" }];
  const template = { metadata: { labels: { app: "refused" } }, spec: { containers } };
  const selector = { matchLabels: { app: "refused" } };
  const job = { template: { spec: { containers, restartPolicy: "Never" } } };
  cluster.addAdmission({
    handles: ({ resource, operation }) => resource.bucket === "/pods" && operation === "CREATE",
    mutate: async ({ object }) => {
      if (!object) throw new Error("a creation without an object");
      return object;
    },
    validate: async ({ object }) => {
      const name = object?.metadata.name ?? "";
      if (name.startsWith("refused")) throw new Error(`${name} is refused`);
    },
  });
  await create(resources.replicaSets, "ReplicaSet", "refused-rs", {
    spec: { replicas: 1, selector, template },
  });
  await create(resources.daemonSets, "DaemonSet", "refused-ds", { spec: { selector, template } });
  await create(resources.statefulSets, "StatefulSet", "refused-ss", { spec: { selector, template } });
  await create(resources.jobs, "Job", "refused-job", { spec: job });
  await eventually(async () => {
    const { items } = await cluster.client.list(resources.events, { namespace });
    const found = items.filter((each) => stringAt(each, "reason") === "FailedCreate");
    const texts = found.map((each) => [
      stringAt(each, "involvedObject", "name"),
      stringAt(each, "source", "component"),
    ]);
    for (const [name, source] of [
      ["refused-rs", "replicaset-controller"],
      ["refused-ds", "daemonset-controller"],
      ["refused-ss", "statefulset-controller"],
      ["refused-job", "job-controller"],
    ])
      assert.ok(
        texts.some(([about, from]) => about === name && from === source),
        `${name} has an Event`,
      );
    const [ofReplicaSet, ...more] = found.filter(
      (each) => stringAt(each, "involvedObject", "name") === "refused-rs",
    );
    assert.match(stringAt(ofReplicaSet, "message") ?? "", /: .*refused-rs- is refused/);
    assert.ok((numberAt(ofReplicaSet, "count") ?? 0) > 1, "repeated refusals are counted");
    assert.deepEqual(more, []);
  });
});

test("a Job with an unknown program completes with a log line, an Event and an annotation", async () => {
  const podSpec = { restartPolicy: "OnFailure", containers: [unknown] };
  await create(resources.jobs, "Job", "hook", { spec: { template: { spec: podSpec } } });
  await eventually(async () =>
    assert.equal(conditionStatus(await get(resources.jobs, "hook"), "Complete"), "True"),
  );
  const { items } = await cluster.client.list(resources.pods, { namespace, labelSelector: "job-name=hook" });
  const [pod] = items;
  assert.ok(pod);
  assert.equal(await logOf(pod), "simulated: migrate was not run\n");
  assert.equal(pod.metadata.annotations?.["programs.keelson.dev/simulated"], "c: migrate");
  await eventually(async () => {
    const events = (await cluster.client.list(resources.events, { namespace })).items;
    const event = events.find(
      (each) =>
        stringAt(each, "reason") === "ProgramSimulated" &&
        stringAt(each, "involvedObject", "name") === pod.metadata.name,
    );
    assert.equal(stringAt(event, "type"), "Warning");
    assert.match(stringAt(event, "message") ?? "", /migrate was not run and exits with code 0/);
  });
});

test("init containers end after unknown programs and copy unknown files of their image", async () => {
  const volumeMounts = [{ name: "shared", mountPath: "/shared" }];
  const image = "example.com/tool:1";
  const copy = (name: string, from: string) => ({
    ...{ name, image, volumeMounts },
    command: ["/bin/cp", "-n", from, "/shared/tool"],
  });
  const spec = (initContainers: readonly object[]) => ({
    initContainers,
    containers: [{ ...unknown, volumeMounts }],
    volumes: [{ name: "shared", emptyDir: {} }],
  });
  await runPod("prepared", spec([{ ...unknown, name: "migrate" }, copy("copy", "/usr/local/bin/tool")]));
  await runPod("unprepared", spec([copy("copy", "/shared/missing")]));
  const prepared = await untilPhase("prepared", "Running");
  assert.equal(
    prepared.metadata.annotations?.["programs.keelson.dev/simulated"],
    "migrate: migrate, copy: /usr/local/bin/tool",
  );
  assert.equal(await logOf(prepared, "copy"), "simulated: /usr/local/bin/tool is copied as an empty file\n");
  await eventually(async () => {
    const pod = await get(resources.pods, "unprepared");
    assert.ok((numberAt(pod, "status", "initContainerStatuses", 0, "restartCount") ?? 0) > 0);
  });
  for (const name of ["prepared", "unprepared"])
    await cluster.client.delete(resources.pods, { namespace, name });
});

test("unknown programs keep running in pods that should not terminate, and annotations override the effect", async () => {
  const never = { restartPolicy: "Never", containers: [unknown] };
  await runPod("guessed", never);
  await runPod("fails", never, { annotations: { "programs.keelson.dev/unknown": "fail" } });
  await runPod("runs", never, { annotations: { "programs.keelson.dev/unknown": "run" } });
  await runPod("server", { containers: [unknown] });
  const release = "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0";
  await runPod("release", { ...never, containers: [{ ...unknown, image: release }] });
  await untilPhase("guessed", "Succeeded");
  const failed = await untilPhase("fails", "Failed");
  assert.equal(numberAt(failed, "status", "containerStatuses", 0, "state", "terminated", "exitCode"), 1);
  for (const name of ["runs", "server", "release"]) {
    const pod = await untilPhase(name, "Running");
    assert.equal(pod.metadata.annotations?.["programs.keelson.dev/simulated"], undefined);
    await cluster.client.delete(resources.pods, { namespace, name });
  }
});

test("image rules of users decide the result of containers, with any command", async () => {
  const { prefix } = imageRules.set({ prefix: "example.com/ruled", exitCode: 7, afterMs: 0, log: "ruled" });
  const containers = [{ ...shell("sleep 3600"), image: "example.com/ruled:2" }];
  await runPod("ruled", { restartPolicy: "Never", containers });
  const pod = await untilPhase("ruled", "Failed");
  assert.equal(numberAt(pod, "status", "containerStatuses", 0, "state", "terminated", "exitCode"), 7);
  assert.equal(await logOf(pod), "ruled\n");
  imageRules.clear({ prefix });
});

test("Jobs complete, fail at their limits and are deleted after their TTL", async () => {
  const template = (script: string) => ({
    template: { spec: { restartPolicy: "Never", containers: [shell(script)] } },
  });
  await create(resources.jobs, "Job", "works", {
    spec: { completions: 3, parallelism: 2, ...template("echo done") },
  });
  await create(resources.jobs, "Job", "indexed", {
    spec: {
      completions: 3,
      parallelism: 3,
      completionMode: "Indexed",
      ...template("echo $JOB_COMPLETION_INDEX"),
    },
  });
  await create(resources.jobs, "Job", "fails", { spec: { backoffLimit: 0, ...template("exit 1") } });
  await create(resources.jobs, "Job", "late", {
    spec: { activeDeadlineSeconds: 1, ...template("sleep 60") },
  });
  await create(resources.jobs, "Job", "expires", {
    spec: { ttlSecondsAfterFinished: 0, ...template("true") },
  });
  await eventually(async () => {
    const works = await get(resources.jobs, "works");
    assert.equal(conditionStatus(works, "Complete"), "True");
    assert.equal(numberAt(works, "status", "succeeded"), 3);
    assert.ok(stringAt(works, "status", "completionTime"));
    assert.equal(stringAt(await get(resources.jobs, "indexed"), "status", "completedIndexes"), "0-2");
  });
  const reasonOf = async (name: string) =>
    stringAt(
      listAt(await get(resources.jobs, name), "status", "conditions").find(
        (each) => stringAt(each, "type") === "Failed",
      ),
      "reason",
    );
  await eventually(async () => {
    assert.equal(await reasonOf("fails"), "BackoffLimitExceeded");
    assert.equal(await reasonOf("late"), "DeadlineExceeded");
    assert.equal(await cluster.client.find(resources.jobs, { namespace, name: "expires" }), undefined);
  });
});

test("a Service's endpoints are the ready pods that it selects", async () => {
  const spec = { selector: { app: "web" }, ports: [{ name: "http", port: 80, targetPort: "web" }] };
  await create(resources.services, "Service", "web", { spec });
  const ports = { ports: [{ name: "web", containerPort: 8080 }] };
  await create(resources.deployments, "Deployment", "web", {
    spec: { replicas: 2, ...workload("web", ports) },
  });
  const addresses = async () => listAt(await get(resources.endpoints, "web"), "subsets", 0, "addresses");
  await eventually(async () => assert.equal((await addresses()).length, 2));
  assert.equal(valueAt(await get(resources.endpoints, "web"), "subsets", 0, "ports", 0, "port"), 8080);
  await eventually(async () => {
    const labelSelector = "kubernetes.io/service-name=web";
    const slices = (await cluster.client.list(resources.endpointSlices, { namespace, labelSelector })).items;
    assert.equal(listAt(slices[0], "endpoints").length, 2);
  });
  await cluster.client.mergePatch(
    resources.deployments,
    { namespace, name: "web" },
    { spec: { replicas: 0 } },
  );
  await eventually(async () => assert.equal((await addresses()).length, 0));
  await cluster.client.delete(resources.services, { namespace, name: "web" });
  await eventually(async () =>
    assert.equal(await cluster.client.find(resources.endpoints, { namespace, name: "web" }), undefined),
  );
});

test("a static pod has a mirror pod that is recreated, updated and deleted with its file", async () => {
  const file = join(workloads.nodeDirectory("b"), "etc/kubernetes/manifests/static.yaml");
  await eventually(() => access(join(file, "..")));
  const manifest = (image: string) =>
    `apiVersion: v1\nkind: Pod\nmetadata:\n  name: static\nspec:\n  containers:\n  - name: c\n    image: ${image}\n`;
  await writeFile(file, manifest("server:1"));
  const pod = await untilPhase("static-b", "Running");
  assert.ok(pod.metadata.annotations?.["kubernetes.io/config.mirror"]);
  assert.equal(pod.metadata.ownerReferences?.[0]?.kind, "Node");
  await cluster.client.delete(resources.pods, { namespace, name: "static-b" });
  await eventually(async () =>
    assert.notEqual((await get(resources.pods, "static-b")).metadata.uid, pod.metadata.uid),
  );
  await writeFile(file, manifest("server:2"));
  await eventually(async () => {
    const changed = await get(resources.pods, "static-b");
    assert.equal(stringAt(changed, "spec", "containers", 0, "image"), "server:2");
    assert.equal(stringAt(changed, "status", "phase"), "Running");
  });
  await rm(file);
  await eventually(async () =>
    assert.equal(await cluster.client.find(resources.pods, { namespace, name: "static-b" }), undefined),
  );
});

test("a host path is a directory of the node, and its content outlives the pod", async () => {
  await runPod("writes", {
    restartPolicy: "Never",
    nodeName: "c",
    volumes: [{ name: "host", hostPath: { path: "/etc/kubernetes" } }],
    containers: [
      {
        ...shell("mkdir -p /host/made; echo by-pod > /host/made/file"),
        volumeMounts: [{ name: "host", mountPath: "/host" }],
      },
    ],
  });
  await untilPhase("writes", "Succeeded");
  await cluster.client.delete(resources.pods, { namespace, name: "writes" });
  assert.equal(
    await readFile(join(workloads.nodeDirectory("c"), "etc/kubernetes/made/file"), "utf8"),
    "by-pod\n",
  );
});

const claim = (name: string) =>
  create(resources.persistentVolumeClaims, "PersistentVolumeClaim", name, {
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });

/** Waits until the container is waiting with `reason`. Asserts that it has never run. */
async function untilRefused(name: string, reason: string): Promise<KubeObject> {
  return eventually(async () => {
    const pod = await get(resources.pods, name);
    assert.equal(stringAt(pod, "status", "containerStatuses", 0, "state", "waiting", "reason"), reason);
    return pod;
  });
}

for (const claimName of ["../../../../../../etc", "..", "a/b", "absent"]) {
  test(`a pod does not start with the claim ${claimName}, which does not exist`, async () => {
    const name = `claims-${claimName.replaceAll(/[^a-z]/g, "")}${claimName.length}`;
    await runPod(name, {
      nodeName: "a",
      volumes: [{ name: "v", persistentVolumeClaim: { claimName } }],
      containers: [
        { ...shell("cat /v/hostname; echo started"), volumeMounts: [{ name: "v", mountPath: "/v" }] },
      ],
    });
    await untilRefused(name, "ContainerCreating");
    await cluster.client.delete(resources.pods, { namespace, name });
  });
}

for (const target of ["/", "/etc", "../../../../../../../etc"]) {
  test(`a link to ${target} that an init container created is not a valid subPath of the volume`, async () => {
    const name = `plants-${target.replaceAll(/[^a-z]/g, "").length}${target.length}`;
    const mounts = [{ name: "v", mountPath: "/v" }];
    await runPod(name, {
      nodeName: "a",
      restartPolicy: "Never",
      volumes: [{ name: "v", emptyDir: {} }],
      initContainers: [{ ...shell(`ln -s ${target} /v/link`), name: "init", volumeMounts: mounts }],
      containers: [
        { ...shell("cat /v/hostname"), volumeMounts: [{ name: "v", mountPath: "/v", subPath: "link" }] },
      ],
    });
    await untilRefused(name, "CreateContainerConfigError");
    await cluster.client.delete(resources.pods, { namespace, name });
  });
}

test("a host path cannot escape upwards", async () => {
  const spec = {
    volumes: [{ name: "v", hostPath: { path: "/opt/../../.." } }],
    containers: [{ name: "c", image: "server" }],
  };
  await assert.rejects(runPod("upwards", spec), {
    message: /spec\.volumes\[0\]\.hostPath\.path: Invalid value: "\/opt\/..\/..\/..": must not contain '..'/,
  });
});

test("a link within a volume may be a subPath", async () => {
  const mounts = [{ name: "v", mountPath: "/v" }];
  await runPod("links-inside", {
    nodeName: "a",
    restartPolicy: "Never",
    volumes: [{ name: "v", emptyDir: {} }],
    initContainers: [
      {
        ...shell("mkdir /v/real; echo inside > /v/real/f; ln -s real /v/link"),
        name: "init",
        volumeMounts: mounts,
      },
    ],
    containers: [{ ...shell("cat /v/f"), volumeMounts: [{ ...mounts[0], subPath: "link" }] }],
  });
  assert.equal(await logOf(await untilPhase("links-inside", "Succeeded")), "inside\n");
});

test("a subPathExpr mounts the directory named by the container's variables", async () => {
  const variable = { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } };
  const mount = { name: "v", mountPath: "/v" };
  await runPod("expression", {
    nodeName: "a",
    restartPolicy: "Never",
    volumes: [{ name: "v", emptyDir: {} }],
    initContainers: [
      {
        ...shell("echo mine > /v/f"),
        name: "init",
        env: [variable],
        volumeMounts: [{ ...mount, subPathExpr: "of/$(POD)" }],
      },
    ],
    containers: [{ ...shell("cat /v/of/expression/f"), volumeMounts: [mount] }],
  });
  assert.equal(await logOf(await untilPhase("expression", "Succeeded")), "mine\n");
});

test("a link on a node's disk cannot redirect a host path to the host's files", async () => {
  const host = (path: string) => [{ name: "host", hostPath: { path } }];
  const outside = join(directory, "outside");
  await mkdir(outside, { recursive: true });
  await runPod("plants-host", {
    nodeName: "c",
    restartPolicy: "Never",
    volumes: host("/opt"),
    containers: [
      { ...shell(`ln -s ${outside} /host/link`), volumeMounts: [{ name: "host", mountPath: "/host" }] },
    ],
  });
  await untilPhase("plants-host", "Succeeded");
  await runPod("uses-host", {
    nodeName: "c",
    restartPolicy: "Never",
    volumes: host("/opt/link"),
    containers: [
      { ...shell("echo x > /host/escaped"), volumeMounts: [{ name: "host", mountPath: "/host" }] },
    ],
  });
  await untilPhase("uses-host", "Succeeded");
  await assert.rejects(access(join(outside, "escaped")));
  await access(join(workloads.nodeDirectory("c"), outside, "escaped"));
});

test("the host name of a pod in the host network is the name of its node", async () => {
  await runPod("on-host", { hostNetwork: true, restartPolicy: "Never", containers: [shell("hostname")] });
  const pod = await untilPhase("on-host", "Succeeded");
  assert.equal(await logOf(pod), `${stringAt(pod, "spec", "nodeName")}\n`);
});

test("a claim that exists is mounted, and a ConfigMap is read-only", async () => {
  await claim("data");
  await create(resources.configMaps, "ConfigMap", "settings", { data: { key: "value" } });
  await runPod("mounts", {
    nodeName: "a",
    restartPolicy: "Never",
    volumes: [
      { name: "v", persistentVolumeClaim: { claimName: "data" } },
      { name: "c", configMap: { name: "settings" } },
    ],
    containers: [
      {
        ...shell("cat /c/key > /v/copy; cat /v/copy; echo x > /c/key || exit 3"),
        volumeMounts: [
          { name: "v", mountPath: "/v" },
          { name: "c", mountPath: "/c" },
        ],
      },
    ],
  });
  const log = await logOf(await untilPhase("mounts", "Failed"));
  assert.match(log, /^value$/m);
  assert.match(log, /Read-only file system/);
});

test("a claim starts empty, also after an earlier claim of its name", async () => {
  const reader = async (name: string, script: string) => {
    await claim("again");
    await runPod(name, {
      nodeName: "a",
      restartPolicy: "Never",
      volumes: [{ name: "v", persistentVolumeClaim: { claimName: "again" } }],
      containers: [{ ...shell(script), volumeMounts: [{ name: "v", mountPath: "/v" }] }],
    });
    const log = await logOf(await untilPhase(name, "Succeeded"));
    await cluster.client.delete(resources.pods, { namespace, name }, { gracePeriodSeconds: 0 });
    await cluster.client.delete(resources.persistentVolumeClaims, { namespace, name: "again" });
    await eventually(async () => {
      const left = await cluster.client.find(resources.persistentVolumeClaims, { namespace, name: "again" });
      assert.equal(left, undefined);
    });
    return log;
  };
  assert.match(await reader("writes-claim", "echo secret > /v/file; cat /v/file"), /secret/);
  assert.doesNotMatch(await reader("reads-claim", "cat /v/file || echo empty"), /secret/);
});

test("a configured image runs as a real process with its account's token, and stops with its pod", async () => {
  const program = join(directory, "program.mjs");
  await mkdir(directory, { recursive: true });
  await writeFile(
    program,
    `import { readFileSync, writeFileSync, existsSync } from "node:fs";
     import { createServer } from "node:http";
     import { join } from "node:path";
     const config = JSON.parse(readFileSync(process.env.KUBECONFIG, "utf8"));
     const token = readFileSync(config.users[0].user.tokenFile, "utf8");
     console.log("args", process.argv.slice(2).join(" "), "server", config.clusters[0].cluster.server);
     console.log("subject", JSON.parse(Buffer.from(token.split(".")[1], "base64url")).sub);
     console.log("file", readFileSync(join(process.env.KEELSON_ROOT, "config/colour"), "utf8"), existsSync(join(process.env.KEELSON_SERVICE_ACCOUNT, "ca.crt")));
     createServer((_request, response) => response.end("served")).listen(Number(process.env.KEELSON_PORT_8080), "127.0.0.1", () => console.log("pid", process.pid));
     process.on("SIGTERM", () => { console.log("bye"); process.exit(0); });`,
  );
  images.set("keelson/own", {
    process: () => ({
      command: process.execPath,
      args: [program],
      owners: [{ namespace, kind: "Pod", name: "own", programs: [] }],
      admit: ({ args }) => ({ args }),
    }),
  });
  await create(resources.configMaps, "ConfigMap", "own", { data: { colour: "green" } });
  const pod = await runPod("own", {
    volumes: [{ name: "config", configMap: { name: "own" } }],
    containers: [
      {
        name: "c",
        image: "keelson/own:latest",
        args: ["--pod=$(NAME)"],
        env: [{ name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
        ports: [{ containerPort: 8080 }],
        volumeMounts: [{ name: "config", mountPath: "/config" }],
      },
    ],
  });
  const log = await eventually(async () => {
    const text = await logOf(pod);
    assert.match(text, /pid \d+/);
    return text;
  });
  assert.match(log, new RegExp(`args --pod=own server ${cluster.url}\n`));
  assert.match(log, /subject system:serviceaccount:default:default\nfile green true\n/);
  const pid = Number(/pid (\d+)/.exec(log)?.[1]);
  process.kill(pid, 0);
  const script = await runPod("own-script", {
    restartPolicy: "Never",
    containers: [
      { name: "c", image: "keelson/own:latest", command: ["/bin/bash"], args: ["-c", "echo shell"] },
    ],
  });
  await untilPhase("own-script", "Succeeded");
  assert.equal(await logOf(script), "shell\n");
  await cluster.client.delete(resources.pods, { namespace, name: "own" });
  await eventually(async () =>
    assert.equal(await cluster.client.find(resources.pods, { namespace, name: "own" }), undefined),
  );
  assert.throws(() => process.kill(pid, 0));
});

test("the metrics API returns the usage of pods and nodes", async () => {
  await runPod("measured", {
    containers: [{ name: "c", image: "server", resources: { requests: { cpu: "2", memory: "1Gi" } } }],
  });
  await untilPhase("measured", "Running");
  const metrics = async (path: string): Promise<unknown> =>
    JSON.parse(await read(`/apis/metrics.k8s.io/v1beta1/${path}`));
  const ofPod = await metrics("namespaces/default/pods/measured");
  assert.equal(stringAt(ofPod, "kind"), "PodMetrics");
  assert.match(stringAt(ofPod, "containers", 0, "usage", "cpu") ?? "", /^\d+m$/);
  assert.match(stringAt(ofPod, "containers", 0, "usage", "memory") ?? "", /^\d+Ki$/);
  const nodes = listAt(await metrics("nodes"), "items").map((each) => stringAt(each, "metadata", "name"));
  assert.deepEqual(nodes.sort(), ["a", "b", "c"]);
  assert.equal(stringAt(await metrics("nodes/unknown"), "reason"), "NotFound");
});

test("a pod that fits no node reports the reason and runs as soon as it fits", async () => {
  await runPod("picky", { nodeSelector: { disk: "fast" }, containers: [{ name: "c", image: "server" }] });
  await eventually(async () => {
    const condition = listAt(await get(resources.pods, "picky"), "status", "conditions")[0];
    assert.equal(
      stringAt(condition, "message"),
      "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.",
    );
    const events = (await cluster.client.list(resources.events, { namespace })).items;
    assert.ok(
      events.some(
        (event) =>
          stringAt(event, "reason") === "FailedScheduling" &&
          stringAt(event, "involvedObject", "name") === "picky",
      ),
    );
  });
  await cluster.client.mergePatch(resources.nodes, { name: "a" }, { metadata: { labels: { disk: "fast" } } });
  assert.equal(stringAt(await untilPhase("picky", "Running"), "spec", "nodeName"), "a");
});

test("pods keep running with their addresses after a restart and are deleted with their node", async () => {
  const pod = await untilPhase("picky", "Running");
  const before = pod.metadata.resourceVersion;
  await workloads[Symbol.asyncDispose]();
  workloads = await startWorkloads(cluster, { ...options, directory });
  await create(resources.pods, "Pod", "later", { spec: { containers: [{ name: "c", image: "server" }] } });
  await untilPhase("later", "Running");
  assert.equal((await get(resources.pods, "picky")).metadata.resourceVersion, before);
  await cluster.client.delete(resources.nodes, { name: "a" });
  await eventually(async () =>
    assert.equal(await cluster.client.find(resources.pods, { namespace, name: "picky" }), undefined),
  );
  await eventually(() => assert.rejects(access(workloads.nodeDirectory("a"))));
});

test("Services of type LoadBalancer have unique addresses until they are deleted or change their type", async () => {
  const service = (
    name: string,
    spec: object = {},
    annotations: Record<string, string> = {},
  ): KubeObject => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { namespace, name, annotations },
    spec: { type: "LoadBalancer", ports: [{ port: 80 }], ...spec },
  });
  const address = async (name: string) => {
    const found = await cluster.client.get(resources.services, { namespace, name });
    return stringAt(listAt(found, "status", "loadBalancer", "ingress")[0], "ip");
  };
  const internal = { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" };
  const names = ["lb-a", "lb-b", "lb-internal"];
  for (const name of names)
    await cluster.client.create(
      resources.services,
      service(name, {}, name === "lb-internal" ? internal : {}),
    );
  await cluster.client.create(
    resources.services,
    service("lb-other", { loadBalancerClass: "example.com/x" }),
  );
  await eventually(async () => {
    const all = await Promise.all(names.map(address));
    assert.equal(new Set(all).size, names.length);
    for (const each of all) assert.match(each ?? "", /^(198\.18|10\.255)\./);
    assert.match(all[2] ?? "", /^10\.255\./);
  });
  assert.equal(await address("lb-other"), undefined);
  const freed = await address("lb-a");
  await cluster.client.delete(resources.services, { namespace, name: "lb-a" });
  await eventually(async () =>
    assert.equal(await cluster.client.find(resources.services, { namespace, name: "lb-a" }), undefined),
  );
  await cluster.client.create(resources.services, service("lb-c", { loadBalancerIP: freed }));
  await eventually(async () => assert.equal(await address("lb-c"), freed));
  await cluster.client.mergePatch(
    resources.services,
    { namespace, name: "lb-b" },
    { spec: { type: "ClusterIP" } },
  );
  await eventually(async () => {
    const changed = await cluster.client.get(resources.services, { namespace, name: "lb-b" });
    assert.equal(await address("lb-b"), undefined);
    assert.deepEqual(changed.metadata.finalizers ?? [], []);
  });
});

test("an autoscaler follows the usage of pods within its limits and reports the reason", async () => {
  const labels = { app: "scaled" };
  const usage = { "usage.keelson.dev/cpu": "200m" };
  const container = { name: "c", image: "server", resources: { requests: { cpu: "100m" } } };
  await create(resources.deployments, "Deployment", "scaled", {
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels, annotations: usage }, spec: { containers: [container] } },
    },
  });
  const replicas = async () =>
    numberAt(await get(resources.deployments, "scaled"), "status", "readyReplicas");
  await eventually(async () => assert.equal(await replicas(), 1));
  const target = { type: "Utilization", averageUtilization: 50 };
  const autoscaler = {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "scaled" },
    maxReplicas: 3,
    metrics: [{ type: "Resource", resource: { name: "cpu", target } }],
  };
  await create(resources.horizontalPodAutoscalers, "HorizontalPodAutoscaler", "scaled", { spec: autoscaler });
  await eventually(async () => assert.equal(await replicas(), 3));
  const found = await get(resources.horizontalPodAutoscalers, "scaled");
  assert.equal(numberAt(found, "status", "desiredReplicas"), 3);
  assert.equal(
    numberAt(found, "status", "currentMetrics", 0, "resource", "current", "averageUtilization"),
    200,
  );
  const conditions = listAt(found, "status", "conditions").map(
    (each) => `${stringAt(each, "type")} ${stringAt(each, "status")} ${stringAt(each, "reason")}`,
  );
  assert.deepEqual(conditions.toSorted(), [
    "AbleToScale True SucceededRescale",
    "ScalingActive True ValidMetricFound",
    "ScalingLimited True TooManyReplicas",
  ]);
  const events = (await cluster.client.list(resources.events, { namespace })).items;
  const messages = events
    .filter((event) => stringAt(event, "involvedObject", "kind") === "HorizontalPodAutoscaler")
    .map((event) => stringAt(event, "message"));
  assert.deepEqual(messages, [
    "New size: 3; reason: cpu resource utilization (percentage of request) above target",
  ]);
});

test("an autoscaler without its target reports the problem", async () => {
  await create(resources.horizontalPodAutoscalers, "HorizontalPodAutoscaler", "lost", {
    spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "gone" }, maxReplicas: 2 },
  });
  await eventually(async () => {
    const found = await get(resources.horizontalPodAutoscalers, "lost");
    const [condition] = listAt(found, "status", "conditions");
    assert.deepEqual([stringAt(condition, "type"), stringAt(condition, "status")], ["AbleToScale", "False"]);
    assert.equal(stringAt(condition, "reason"), "FailedGetScale");
  });
});

test("a webhook behind a Service of simulated pods allows requests with a warning, if its port is declared", async () => {
  const app = "webhook";
  const container = { name: "c", image: "server", ports: [{ name: "hook", containerPort: 8443 }] };
  await runPod(app, { containers: [container] }, { labels: { app } });
  const ports = [
    { name: "declared", port: 443, targetPort: "hook" },
    { name: "other", port: 444, targetPort: 9443 },
  ];
  await create(resources.services, "Service", app, { spec: { selector: { app }, ports } });
  const podIP = await eventually(async () => {
    const ip = stringAt(await get(resources.endpoints, app), "subsets", 0, "addresses", 0, "ip") ?? "";
    assert.notEqual(ip, "");
    return ip;
  });
  const configurations = {
    group: "admissionregistration.k8s.io",
    version: "v1",
    resource: "validatingwebhookconfigurations",
  };
  const webhook = (port: number) => ({
    name: `check-${port}.example.com`,
    clientConfig: { service: { namespace, name: app, port } },
    rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
    objectSelector: { matchLabels: { [app]: String(port) } },
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
  });
  await cluster.client.create(configurations, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: app },
    webhooks: [webhook(443), webhook(444)],
  });
  const createMap = (port: number) =>
    create(resources.configMaps, "ConfigMap", `${app}-${port}`, {}, { labels: { [app]: String(port) } });
  await createMap(443);
  const refused = (port: number) => (error: Error) =>
    error.message.endsWith(`dial tcp ${podIP}:${port}: connect: connection refused`);
  await assert.rejects(createMap(444), refused(9443));
  await cluster.client.delete(resources.configMaps, { namespace, name: `${app}-443` });
  const annotations = { "programs.keelson.dev/unknown": "fail" };
  await cluster.client.mergePatch(resources.pods, { namespace, name: app }, { metadata: { annotations } });
  await eventually(() => assert.rejects(createMap(443), refused(8443)));
  await cluster.client.delete(configurations, { name: app });
});
