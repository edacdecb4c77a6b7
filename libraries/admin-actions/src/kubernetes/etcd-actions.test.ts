import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { createCertificateAuthority, stringAt, valueAt } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { type KubeClient, type KubeObject, resources } from "@keelson/kube";
import type { ActionContext } from "../context/action-context.ts";
import { type ActionJournal, noJournal } from "../context/action-journal.ts";
import { masters, namespace, type SimulatedCluster, startSimulatedCluster } from "../testing/index.ts";
import { addKinds } from "../testing/open-shift-kinds.ts";
import { keyCountScript } from "./exec.ts";
import { recoverEtcd } from "./recover-etcd.ts";
import { renewEtcdCertificates } from "./renew-etcd-certificates.ts";

const etcdNamespace = "openshift-etcd";
const { signal } = new AbortController();
const secretNames = masters.flatMap((node) =>
  ["peer", "serving", "serving-metrics"].map((kind) => `etcd-${kind}-${node}`),
);
let cluster: SimulatedCluster;
let context: ActionContext;
let kube: KubeClient;
/** Arguments with which etcdctl was called. */
const asked: string[] = [];
/** True if the first member's etcd never becomes ready. */
let failing = true;

before(async () => {
  cluster = await startSimulatedCluster();
  context = cluster.context();
  kube = context.kube();
  await kube.create(resources.namespaces, namespace(etcdNamespace), signal);
  await addKinds(kube, [resources.etcds, resources.clusterOperators, resources.clusterVersions], signal);
  cluster.images.set("etcd", {
    probe: (pod) => !(failing && pod.metadata.name === `etcd-${masters[0]}`),
    commands: {
      etcdctl: async ({ args, stdout }) => {
        asked.push(args.join(" "));
        const members = masters.map((name, index) => ({ ID: `8e9e05c52164694${index}`, name }));
        await stdout(
          args[1] === "list" ? JSON.stringify({ members }) : `Member ${args[2]} removed from cluster\n`,
        );
        return 0;
      },
    },
  });
  cluster.images.set("ubi9/ubi-minimal", {
    program: async ({ args, stdout }) => {
      await stdout(`ran ${args.slice(0, 3).join(" ")}\n`);
      return 0;
    },
  });
  for (const node of masters) await kube.create(resources.pods, etcdPod(node), signal);
  await create("operator.openshift.io/v1", "Etcd", "cluster", {
    spec: { unsupportedConfigOverrides: { kept: true } },
    status: { latestAvailableRevision: 3, nodeStatuses: [{ currentRevision: 3 }] },
  });
});
after(async () => {
  await context?.[Symbol.asyncDispose]();
  await cluster?.[Symbol.asyncDispose]();
});

async function create(apiVersion: string, kind: string, name: string, rest: object): Promise<KubeObject> {
  const resource = Object.values(resources).find(
    (each) => each.kind === kind && apiVersion.startsWith(each.group),
  );
  assert.ok(resource);
  return kube.create(resource, { apiVersion, kind, metadata: { name }, ...rest }, signal);
}

function etcdPod(node: string): KubeObject {
  const readinessProbe = { httpGet: { port: 9980, path: "/readyz" }, periodSeconds: 1 };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `etcd-${node}`, namespace: etcdNamespace },
    spec: {
      nodeName: node,
      terminationGracePeriodSeconds: 0,
      containers: [
        { name: "etcdctl", image: "etcd:1" },
        { name: "etcd", image: "etcd:1", readinessProbe },
      ],
    },
  };
}

const secret = (name: string, certificatePem: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace: etcdNamespace },
  type: "Opaque",
  data: { "tls.crt": Buffer.from(certificatePem).toString("base64") },
});
const secretsLeft = async () =>
  (await kube.list(resources.secrets, { namespace: etcdNamespace }, signal)).items
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.startsWith("etcd-"))
    .sort();

test("a failed member is backed up, removed and recreated", async () => {
  for (const name of secretNames) await kube.create(resources.secrets, secret(name, "x"), signal);
  await until(async () => {
    const pods = (await kube.list(resources.pods, { namespace: etcdNamespace }, signal)).items;
    const ready = pods.map((pod) => JSON.stringify(valueAt(pod, "status", "containerStatuses")));
    return ready.filter((each) => each?.includes('"ready":false')).length === 1 && ready.length === 3;
  });
  const reported: string[] = [];
  const journal: ActionJournal = { ...noJournal, report: (line) => reported.push(line) };
  const log = await recoverEtcd(context, journal);
  const [first = "", ...others] = masters;
  assert.match(
    log,
    new RegExp(`^Pod etcd-${first} on node ${first} has failed\\.\nran chroot /host /bin/sh\n`),
  );
  assert.match(log, /\nMember 8e9e05c521646940 removed from cluster\n/);
  assert.equal(reported.join("\n"), log.trimEnd());
  assert.deepEqual(asked, ["member list -w json --hex", "member remove 8e9e05c521646940"]);
  assert.deepEqual(
    await secretsLeft(),
    secretNames.filter((name) => others.some((node) => name.endsWith(node))).sort(),
  );
  const { spec } = await kube.get(resources.etcds, { name: "cluster" }, signal);
  assert.match(
    stringAt({ spec }, "spec", "forceRedeploymentReason") ?? "",
    /^single-master-recovery-20\d\d-/,
  );
  assert.deepEqual(valueAt({ spec }, "spec", "unsupportedConfigOverrides"), { kept: true });
  const backup = { namespace: etcdNamespace, name: "etcd-recovery-data-backup" };
  assert.equal(await kube.find(resources.pods, backup, signal), undefined);
});

test("nothing is changed without a failed member", async () => {
  failing = false;
  await until(async () => {
    const pod = await kube.get(
      resources.pods,
      { namespace: etcdNamespace, name: `etcd-${masters[0]}` },
      signal,
    );
    return !JSON.stringify(pod.status).includes('"ready":false');
  });
  const before = await secretsLeft();
  await assert.rejects(recoverEtcd(context, noJournal), /no etcd pod is failing/);
  assert.deepEqual(await secretsLeft(), before);
});

test("certificates are renewed by hand only before 4.9", async () => {
  const version = (text: string) => ({
    status: {
      history: [
        { state: "Partial", version: "9.9.9" },
        { state: "Completed", version: text },
      ],
    },
  });
  await create("config.openshift.io/v1", "ClusterVersion", "version", version("4.19.24"));
  await assert.rejects(renewEtcdCertificates(context, noJournal), (error) => {
    assert.match(String(error), /etcd certificate renewal is not needed for cluster running version 4\.9\+/);
    return true;
  });
  await kube.mergePatch(resources.clusterVersions, { name: "version" }, version("4.8.14"), signal);
});

test("certificates are renewed as soon as the operator has rolled out", async () => {
  const old = (await createCertificateAuthority("old", 100)).certificatePem;
  const renewed = (await createCertificateAuthority("new", 1_095)).certificatePem;
  const available = { type: "Available", status: "True", reason: "AsExpected" };
  await create("config.openshift.io/v1", "ClusterOperator", "etcd", { status: { conditions: [available] } });
  for (const name of secretNames) await kube.ensure(resources.secrets, secret(name, old), signal);
  const renewal = renewEtcdCertificates(context, noJournal);
  await until(async () => (await secretsLeft()).length === 0);
  for (const name of secretNames) await kube.create(resources.secrets, secret(name, renewed), signal);
  const status = { latestAvailableRevision: 4, nodeStatuses: [{ currentRevision: 4 }] };
  await kube.mergePatch(resources.etcds, { name: "cluster" }, { status }, signal);
  await renewal;
});

test("certificates that were not renewed are reported", async () => {
  const old = (await createCertificateAuthority("old", 100)).certificatePem;
  const renewal = renewEtcdCertificates(context, noJournal);
  await until(async () => (await secretsLeft()).length === 0);
  for (const name of secretNames) await kube.create(resources.secrets, secret(name, old), signal);
  const status = { latestAvailableRevision: 5, nodeStatuses: [{ currentRevision: 5 }] };
  const failed = assert.rejects(renewal, /at least one or all certificates are not renewed: etcd-peer-/);
  await kube.mergePatch(resources.etcds, { name: "cluster" }, { status }, signal);
  await failed;
});

test("the old certificates are put back when the renewal is cut short", async () => {
  const stop = new AbortController();
  await using stopping = cluster.context({ signal: stop.signal });
  const renewal = renewEtcdCertificates(stopping, noJournal);
  const failed = assert.rejects(renewal, /etcd renewal failed, recovery performed to revert the changes\./);
  await until(async () => (await secretsLeft()).length === 0);
  stop.abort(new Error("the service stops"));
  await failed;
  assert.deepEqual(await secretsLeft(), secretNames.toSorted());
});

test("an unhealthy etcd, or one with expired certificates, is not changed", async () => {
  const degraded = { type: "Degraded", status: "True" };
  const patch = (conditions: readonly object[]) =>
    kube.mergePatch(resources.clusterOperators, { name: "etcd" }, { status: { conditions } }, signal);
  await patch([degraded]);
  await assert.rejects(
    renewEtcdCertificates(context, noJournal),
    /Etcd Operator is not in expected state, quiting\./,
  );
  await patch([{ type: "Available", status: "True", reason: "Odd" }]);
  await assert.rejects(
    renewEtcdCertificates(context, noJournal),
    /Available state is not AsExpected, quiting\./,
  );
  await patch([{ type: "Available", status: "True", reason: "AsExpected" }]);
  await kube.ensure(resources.secrets, secret(secretNames[0] ?? "", "no certificate"), signal);
  await assert.rejects(
    renewEtcdCertificates(context, noJournal),
    /invalid cert data when parsing secret: etcd-peer-/,
  );
  assert.deepEqual(await secretsLeft(), secretNames.toSorted());
});

test("keys of etcd are counted by namespace, most first", async () => {
  const directory = await mkdtemp(join(tmpdir(), "etcdctl-"));
  try {
    const keys = [
      "/kubernetes.io/namespaces/shop",
      "/kubernetes.io/namespaces/default",
      "/kubernetes.io/configmaps/shop/a",
      "/kubernetes.io/configmaps/shop/b",
      "/kubernetes.io/operator.openshift.io/etcds/cluster",
      "/kubernetes.io/machine.openshift.io/machines/shop/m",
      "/kubernetes.io/machine.openshift.io/machines/default/m",
    ];
    const stub = `#!/bin/sh\nfor key in ${keys.join(" ")}; do case $key in "$3"*) echo "$key"; echo;; esac; done\n`;
    await writeFile(join(directory, "etcdctl"), stub, { mode: 0o755 });
    const env = { PATH: `${directory}:${process.env.PATH}` };
    const { stdout } = await promisify(execFile)("bash", ["-c", keyCountScript], { env });
    assert.equal(stdout, "3 shop\n3 <cluster-scope>\n1 default\n");
    await writeFile(join(directory, "etcdctl"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    await assert.rejects(promisify(execFile)("bash", ["-c", keyCountScript], { env }));
  } finally {
    await rm(directory, { recursive: true });
  }
});
