import assert from "node:assert/strict";
import { access, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { type ApiServer, type KubeObject, type LogicalCluster, startApiServer } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  httpConnectTimeoutMs,
  issueCertificate,
  listAt,
  silentLogger,
  stringAt,
  systemClock,
  valueAt,
} from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { conditionStatus } from "@keelson/kube";
import { Agent, fetch } from "undici";
import { resources } from "../base/resources.ts";
import { startWorkloads, type Workloads } from "./start-workloads.ts";

const namespace = "openshift-kube-apiserver";
const node = "master-0.example";

let agent: Agent;
let directory: string;
let server: ApiServer;
let cluster: LogicalCluster;
let workloads: Workloads;

const ref = (group: string, version: string, resource: string) => ({ group, version, resource });

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "installer-"));
  const authority = await createCertificateAuthority("test", 2);
  agent = new Agent({ connect: { timeout: httpConnectTimeoutMs, ca: authority.certificatePem } });
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
  cluster = await server.createCluster({ name: "demo", clientCertificateAuthorities: [] });
  const { client } = cluster;
  await client.create(ref("", "v1", "namespaces"), {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace },
  });
  await client.create(resources.serviceAccounts, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { namespace, name: "installer-sa" },
  });
  await client.create(ref("rbac.authorization.k8s.io", "v1", "clusterrolebindings"), {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name: "installer" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", namespace, name: "installer-sa" }],
  });
  workloads = await startWorkloads(cluster, {
    nodes: [node],
    directory,
    crashBackoffMs: 500,
    clock: systemClock,
    logger: silentLogger,
  });
});
after(async () => {
  await workloads[Symbol.asyncDispose]();
  await agent.close();
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function createRevision(revision: number): Promise<void> {
  const { client } = cluster;
  const manifest = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name: "kube-apiserver", labels: { apiserver: "true", revision: "REVISION" } },
    spec: {
      hostNetwork: true,
      containers: [{ name: "kube-apiserver", image: "server:REVISION", ports: [{ containerPort: 6443 }] }],
    },
  };
  const configMap = (name: string, data: object) =>
    client.create(resources.configMaps, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace, name: `${name}-${revision}` },
      data,
    });
  await configMap("kube-apiserver-pod", { "pod.yaml": JSON.stringify(manifest) });
  await configMap("config", { "config.yaml": "node: NODE_NAME, NODE_ENVVAR_NAME\n" });
  await client.create(resources.secrets, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name: `etcd-client-${revision}` },
    data: { "tls.key": Buffer.from([0, 200, 255]).toString("base64") },
  });
}

function operatorPod(
  name: string,
  app: string,
  command: string,
  args: readonly string[],
  env: readonly object[] = [],
): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace, name, labels: { app } },
    spec: {
      serviceAccountName: "installer-sa",
      nodeName: node,
      restartPolicy: "Never",
      containers: [
        {
          name: app,
          image: "quay.io/openshift-release-dev/ocp-v4.0-art-dev:operator",
          command: ["cluster-kube-apiserver-operator", command],
          args,
          env: [{ name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } }, ...env],
          volumeMounts: [{ mountPath: "/etc/kubernetes/", name: "kubelet-dir" }],
        },
      ],
      volumes: [{ name: "kubelet-dir", hostPath: { path: "/etc/kubernetes/" } }],
    },
  };
}

function installerArgs(revision: number, others: readonly string[] = []): readonly string[] {
  return [
    "-v=2",
    `--revision=${revision}`,
    `--namespace=${namespace}`,
    "--pod=kube-apiserver-pod",
    "--resource-dir=/etc/kubernetes/static-pod-resources",
    "--pod-manifest-dir=/etc/kubernetes/manifests",
    "--configmaps=config",
    "--optional-configmaps=cloud-config",
    "--secrets=etcd-client",
    "--cert-dir=/etc/kubernetes/static-pod-resources/kube-apiserver-certs",
    "--cert-configmaps=client-ca",
    ...others,
  ];
}

/** Runs a pod to completion. Returns its phase and its log. */
async function run(pod: KubeObject): Promise<{ readonly phase: string; readonly log: string }> {
  await cluster.client.create(resources.pods, pod);
  const phase = await eventually(async () => {
    const found = stringAt(await cluster.client.get(resources.pods, pod.metadata), "status", "phase") ?? "";
    assert.match(found, /Succeeded|Failed/);
    return found;
  });
  const { token } = await cluster.issueToken({ namespace, serviceAccount: "installer-sa" });
  const response = await fetch(
    `${cluster.url}/api/v1/namespaces/${namespace}/pods/${pod.metadata.name}/log`,
    { headers: { authorization: `Bearer ${token}` }, dispatcher: agent },
  );
  return { phase, log: await response.text() };
}

const disk = (...parts: readonly string[]) => join(workloads.nodeDirectory(node), "etc/kubernetes", ...parts);
const mirror = { namespace, name: `kube-apiserver-${node}` };

async function revisionThatRuns(): Promise<string> {
  const pod = await cluster.client.get(resources.pods, mirror);
  assert.equal(stringAt(pod, "status", "phase"), "Running");
  return `${pod.metadata.labels?.revision} ${stringAt(listAt(pod, "spec", "containers")[0], "image")}`;
}

test("an installer pod writes a revision to its node's disk, which the static pod follows; a pruner removes old ones", async () => {
  const { client } = cluster;
  await client.create(resources.configMaps, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace, name: "client-ca" },
    data: { "ca-bundle.crt": "bundle" },
  });
  for (const revision of [1, 2]) {
    await createRevision(revision);
    const name = `installer-${revision}-${node}`;
    const { phase, log } = await run(operatorPod(name, "installer", "installer", installerArgs(revision)));
    assert.equal(phase, "Succeeded", log);
    await eventually(async () => assert.equal(await revisionThatRuns(), `${revision} server:${revision}`));
  }
  const resourceDir = "static-pod-resources";
  const first = disk(resourceDir, "kube-apiserver-pod-1");
  assert.equal(
    await readFile(join(first, "configmaps/config/config.yaml"), "utf8"),
    `node: ${node}, master_0_example\n`,
  );
  const key = join(first, "secrets/etcd-client/tls.key");
  assert.deepEqual([...(await readFile(key))], [0, 200, 255]);
  assert.equal((await stat(key)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(join(first, "configmaps")), ["config"]);
  assert.equal(
    await readFile(disk(resourceDir, "kube-apiserver-certs/configmaps/client-ca/ca-bundle.crt"), "utf8"),
    "bundle",
  );
  const reasons = (await client.list(resources.events, { namespace })).items.map((event) =>
    stringAt(event, "reason"),
  );
  assert.equal(reasons.filter((reason) => reason === "StaticPodInstallerCompleted").length, 2);

  const pruned = await run(
    operatorPod(`revision-pruner-2-${node}`, "pruner", "prune", [
      "--max-eligible-revision=2",
      "--protected-revisions=2",
      "--resource-dir=/etc/kubernetes/static-pod-resources",
      "--static-pod-name=kube-apiserver-pod",
    ]),
  );
  assert.equal(pruned.phase, "Succeeded", pruned.log);
  assert.deepEqual((await readdir(disk(resourceDir))).toSorted(), [
    "kube-apiserver-certs",
    "kube-apiserver-pod-2",
  ]);
});

test("a guard pod is ready while the static pod that it probes is", async () => {
  const { client } = cluster;
  const operand = await client.get(resources.pods, mirror);
  const script = "set -euo pipefail\ntrap 'jobs -p | xargs -r kill; exit 0' TERM\nsleep infinity & wait\n";
  const guard = { namespace, name: `kube-apiserver-guard-${node}` };
  await client.create(resources.pods, {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...guard, labels: { app: "guard" } },
    spec: {
      nodeName: node,
      terminationGracePeriodSeconds: 3,
      containers: [
        {
          name: "guard",
          image: "quay.io/openshift-release-dev/ocp-v4.0-art-dev:operator",
          command: ["/bin/bash"],
          args: ["-c", script],
          readinessProbe: {
            httpGet: {
              host: stringAt(operand, "status", "podIP"),
              path: "readyz",
              port: 6443,
              scheme: "HTTPS",
            },
            periodSeconds: 1,
          },
        },
      ],
    },
  });
  const readiness = async () => conditionStatus(await client.get(resources.pods, guard), "Ready");
  await eventually(async () => assert.equal(await readiness(), "True"));
  const manifest = disk("manifests/kube-apiserver-pod.yaml");
  const text = await readFile(manifest, "utf8");
  await rm(manifest);
  await eventually(async () => assert.equal(await readiness(), "False"));
  await writeFile(manifest, text);
  await eventually(async () => assert.equal(await readiness(), "True"));
  const found = await client.get(resources.pods, guard);
  assert.equal(stringAt(found, "status", "phase"), "Running");
  assert.equal(valueAt(listAt(found, "status", "containerStatuses")[0], "restartCount"), 0);
});

test("an installer pod fails without its revision's objects or with a newer installer, and changes no manifest", async () => {
  const before = await readFile(disk("manifests/kube-apiserver-pod.yaml"), "utf8");
  const missing = await run(operatorPod(`installer-8-${node}`, "installer", "installer", installerArgs(8)));
  assert.deepEqual(
    [missing.phase, /secrets "etcd-client-8" not found/.test(missing.log)],
    ["Failed", true],
    missing.log,
  );
  const older = await run(operatorPod(`installer-7-${node}`, "installer", "installer", installerArgs(7)));
  assert.equal(older.phase, "Failed");
  assert.match(older.log, /more recent revision present on node: thisRevision=7, moreRecentRevision=8/);
  assert.equal(await readFile(disk("manifests/kube-apiserver-pod.yaml"), "utf8"), before);
});

test("an installer pod can access only its own mounts and starts nothing else", async () => {
  const outside = join(directory, "escaped");
  await mkdir(outside);
  const preload = join(outside, "preload.cjs");
  await createRevision(9);
  const pod = operatorPod(
    `installer-9-${node}`,
    "installer",
    "installer",
    installerArgs(9, [`--resource-dir=/etc/kubernetes/${"../".repeat(40)}${outside}/resources`]),
    [{ name: "NODE_OPTIONS", value: `--require=${preload}` }],
  );
  const { phase, log } = await run(pod);
  assert.equal(phase, "Succeeded", log);
  assert.doesNotMatch(log, /preload/);
  await assert.rejects(access(join(outside, "resources")));
});

test("an API server of a static pod reads its configuration file, and an invalid one prevents readiness", async () => {
  const file = disk("static-pod-resources/kube-apiserver-pod-20/configmaps/config/config.yaml");
  const config = (text: object) =>
    JSON.stringify({
      kind: "KubeAPIServerConfig",
      apiServerArguments: { "etcd-servers": ["https://10.0.0.4:2379"], ...text },
      servingInfo: { bindAddress: "0.0.0.0:6443" },
    });
  const script = [
    "exec {LOCK_FD}>/var/log/kube-apiserver/.lock",
    'flock --verbose -w 30 "$LOCK_FD" || exit 1',
    "[ ! -f /absent ] || cp -f /absent /tmp/bundle",
    "exec watch-termination --termination-log-file=/tmp/log -- hyperkube kube-apiserver --openshift-config=/resources/configmaps/config/config.yaml -v=2",
  ].join("\n");
  const manifest = (revision: number) =>
    JSON.stringify({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace, name: "kube-apiserver", labels: { apiserver: "true", revision: `${revision}` } },
      spec: {
        hostNetwork: true,
        terminationGracePeriodSeconds: 1,
        containers: [
          {
            name: "kube-apiserver",
            image: "server:1",
            command: ["/bin/bash", "-ec"],
            args: [script],
            ports: [{ containerPort: 6443 }],
            readinessProbe: { httpGet: { scheme: "HTTPS", port: 6443, path: "readyz" }, periodSeconds: 1 },
            volumeMounts: [
              { name: "resources", mountPath: "/resources" },
              { name: "log", mountPath: "/var/log/kube-apiserver" },
            ],
          },
          {
            name: "regeneration",
            image: "sidecar:1",
            command: ["cluster-kube-apiserver-operator", "cert-regeneration-controller"],
          },
        ],
        volumes: [
          {
            name: "resources",
            hostPath: { path: "/etc/kubernetes/static-pod-resources/kube-apiserver-pod-20" },
          },
          { name: "log", hostPath: { path: "/var/log/kube-apiserver", type: "DirectoryOrCreate" } },
        ],
      },
    });
  await mkdir(dirname(file), { recursive: true });
  const path = disk("manifests/kube-apiserver-pod.yaml");
  // The sidecar stays idle because it needs a service account, which static pods do not have.
  workloads.images.set("sidecar", {
    process: {
      command: process.execPath,
      args: ["-e", "process.exit(3)"],
      owners: [{ namespace, kind: "Pod", name: /./, programs: [] }],
      admit: ({ args }) => ({ args }),
    },
  });
  const runs = (revision: string, ready: string) =>
    eventually(async () => {
      const pod = await cluster.client.get(resources.pods, mirror);
      assert.equal(pod.metadata.labels?.revision, revision);
      assert.equal(conditionStatus(pod, "Ready"), ready);
      return pod;
    });
  await writeFile(file, config({ "no-such-flag": ["x"] }));
  await writeFile(path, manifest(20));
  await runs("20", "False");
  const failing = await eventually(async () => {
    const pod = await cluster.client.get(resources.pods, mirror);
    const [container] = listAt(pod, "status", "containerStatuses");
    assert.equal(stringAt(container, "state", "waiting", "reason"), "CrashLoopBackOff");
    return container;
  });
  assert.equal(valueAt(failing, "lastState", "terminated", "exitCode"), 1);
  // The container restarts until its configuration file is valid.
  await writeFile(file, config({}));
  await runs("20", "True");
  await writeFile(path, manifest(21));
  await runs("21", "True");
});

test("a startup monitor records a revision that becomes ready, and falls back from one that does not", async () => {
  const { client } = cluster;
  await client.create(ref("apiextensions.k8s.io", "v1", "customresourcedefinitions"), {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "kubeapiservers.operator.openshift.io" },
    spec: {
      group: "operator.openshift.io",
      scope: "Cluster",
      names: { plural: "kubeapiservers", kind: "KubeAPIServer" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  });
  const operator = { apiVersion: "operator.openshift.io/v1", kind: "KubeAPIServer" };
  const created = await client.create(resources.kubeApiServers, {
    ...operator,
    metadata: { name: "cluster" },
  });
  const wantRevision = async (targetRevision: number) => {
    const live = await client.get(resources.kubeApiServers, created.metadata);
    const nodeStatuses = [{ nodeName: node, currentRevision: 9, targetRevision }];
    await client.updateStatus(resources.kubeApiServers, { ...live, status: { nodeStatuses } });
  };
  const nodeStatus = async () => {
    const live = await client.get(resources.kubeApiServers, created.metadata);
    return listAt(live, "status", "nodeStatuses")[0];
  };
  const install = async (revision: number, readinessProbe?: object) => {
    const metadata = { namespace, name: "kube-apiserver", labels: { revision: `${revision}` } };
    const command = ["sleep", "infinity"];
    const operand = { name: "kube-apiserver", image: `server:${revision}`, command, readinessProbe };
    const manifest = { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [operand] } };
    const hostPath = (name: string, path: string) => ({ name, hostPath: { path } });
    const monitor = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...metadata, name: "kube-apiserver-startup-monitor" },
      spec: {
        containers: [
          {
            name: "startup-monitor",
            image: "quay.io/openshift-release-dev/ocp-v4.0-art-dev:operator",
            command: ["cluster-kube-apiserver-operator", "startup-monitor"],
            args: [
              "-v=2",
              "--fallback-timeout-duration=2s",
              "--target-name=kube-apiserver",
              "--manifests-dir=/etc/kubernetes/manifests",
              "--resource-dir=/etc/kubernetes/static-pod-resources",
              "--installer-lock-file=/var/lock/kube-apiserver-installer.lock",
              `--revision=${revision}`,
              `--node-name=${node}`,
            ],
            volumeMounts: [
              { mountPath: "/etc/kubernetes/manifests", name: "manifests" },
              { mountPath: "/etc/kubernetes/static-pod-resources", name: "resource-dir" },
            ],
          },
        ],
        volumes: [
          hostPath("manifests", "/etc/kubernetes/manifests"),
          hostPath("resource-dir", "/etc/kubernetes/static-pod-resources"),
        ],
      },
    };
    await wantRevision(revision);
    const revisioned = disk(`static-pod-resources/kube-apiserver-pod-${revision}/kube-apiserver-pod.yaml`);
    await mkdir(dirname(revisioned), { recursive: true });
    await writeFile(revisioned, JSON.stringify(manifest));
    await writeFile(disk("manifests/kube-apiserver-pod.yaml"), JSON.stringify(manifest));
    await writeFile(disk("manifests/kube-apiserver-startup-monitor-pod.yaml"), JSON.stringify(monitor));
  };
  const untilMonitorEnds = () =>
    eventually(async () => {
      await assert.rejects(access(disk("manifests/kube-apiserver-startup-monitor-pod.yaml")));
    });
  await install(30);
  await untilMonitorEnds();
  assert.deepEqual(await nodeStatus(), { nodeName: node, currentRevision: 30, targetRevision: 0 });
  // No pod has the probed address, so the probe always fails. Without a probe, a container would be ready for a moment even if it
  // exits immediately.
  await install(31, {
    httpGet: { host: "192.0.2.1", path: "readyz", port: 6443, scheme: "HTTPS" },
    periodSeconds: 1,
  });
  await untilMonitorEnds();
  const followed: unknown = JSON.parse(await readFile(disk("manifests/kube-apiserver-pod.yaml"), "utf8"));
  const prefix = "startup-monitor.static-pods.openshift.io";
  assert.deepEqual(
    [
      valueAt(followed, "metadata", "labels", "revision"),
      valueAt(followed, "metadata", "annotations", `${prefix}/fallback-for-revision`),
      valueAt(followed, "metadata", "annotations", `${prefix}/fallback-reason`),
    ],
    ["30", "31", "PodNodReady"],
  );
  assert.deepEqual(await nodeStatus(), { nodeName: node, currentRevision: 9, targetRevision: 31 });
});
