import assert from "node:assert/strict";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type ApiServer, type LogicalCluster, startApiServer } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  issueCertificate,
  listAt,
  numberAt,
  silentLogger,
  stringAt,
  systemClock,
} from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../../base/resources.ts";
import { startWorkloads, type Workloads } from "../../workloads/start-workloads.ts";

const namespace = "openshift-kube-apiserver";
const node = "master-0";
const certificates = "etc/kubernetes/static-pod-resources/kube-apiserver-certs";
/**
 * Cert syncers of the three static pod operators that the other tests do not cover. Each syncer copies one Secret and at most one
 * optional ConfigMap.
 */
const others = [
  ["cluster-etcd-operator", "openshift-etcd", "etcd-all-certs", "external-etcd-pod"],
  [
    "cluster-kube-controller-manager-operator",
    "openshift-kube-controller-manager",
    "csr-signer",
    "trusted-ca-bundle",
  ],
  [
    "cluster-kube-scheduler-operator",
    "openshift-kube-scheduler",
    "kube-scheduler-client-cert-key",
    undefined,
  ],
] as const;

describe("the cert syncer of a static pod", { timeout: 900_000 }, () => {
  let server: ApiServer;
  let cluster: LogicalCluster;
  let workloads: Workloads;

  before(async () => {
    const authority = await createCertificateAuthority("test", 2);
    const tls = await issueCertificate(authority, {
      commonName: "localhost",
      dnsNames: ["localhost"],
      usage: "server",
      validDays: 1,
    });
    server = await startApiServer({
      host: "localhost",
      port: 0,
      tls,
      storage: { kind: "memory" },
      logger: silentLogger,
      clock: systemClock,
    });
    cluster = await server.createCluster({ name: "demo", clientCertificateAuthorities: [] });
    await cluster.client.create(
      { group: "", version: "v1", resource: "namespaces" },
      { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    );
    workloads = await startWorkloads(cluster, { nodes: [node], clock: systemClock, logger: silentLogger });
    await putSecret("aggregator-client", "first");
    const manifests = join(workloads.nodeDirectory(node), "etc/kubernetes/manifests");
    await mkdir(manifests, { recursive: true });
    const syncer = {
      name: "kube-apiserver-cert-syncer",
      image: "operator:1",
      command: ["cluster-kube-apiserver-operator", "cert-syncer"],
      args: [
        "--kubeconfig=/absent",
        "--namespace=$(POD_NAMESPACE)",
        "--destination-dir=/etc/kubernetes/static-pod-certs",
      ],
      env: [{ name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } }],
      volumeMounts: [{ name: "cert-dir", mountPath: "/etc/kubernetes/static-pod-certs" }],
    };
    const volumes = [{ name: "cert-dir", hostPath: { path: `/${certificates}` } }];
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace, name: "kube-apiserver" },
      spec: { containers: [syncer], volumes },
    };
    await writeFile(join(manifests, "kube-apiserver-pod.yaml"), JSON.stringify(pod));
  });
  after(async () => {
    await workloads?.[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });

  async function putSecret(name: string, text: string): Promise<void> {
    const { client } = cluster;
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { namespace, name },
      data: { "tls.crt": Buffer.from(text).toString("base64") },
    };
    const present = await client.find(resources.secrets, secret.metadata);
    await (present ? client.update(resources.secrets, secret) : client.create(resources.secrets, secret));
  }

  /** Runs an operator's cert syncer in a static pod. Each call uses a separate directory. */
  async function runSyncer(program: string, within: string, synced = within): Promise<string> {
    await cluster.client.create(
      { group: "", version: "v1", resource: "namespaces" },
      { apiVersion: "v1", kind: "Namespace", metadata: { name: within } },
    );
    const syncer = {
      name: "cert-syncer",
      image: "operator:1",
      command: [program, "cert-syncer"],
      args: [`--namespace=${synced}`, "--destination-dir=/certs"],
      volumeMounts: [{ name: "cert-dir", mountPath: "/certs" }],
    };
    const volumes = [{ name: "cert-dir", hostPath: { path: `/certs-of/${program}` } }];
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { namespace: within, name: program },
      spec: { containers: [syncer], volumes },
    };
    const manifests = join(workloads.nodeDirectory(node), "etc/kubernetes/manifests");
    await writeFile(join(manifests, `${program}.yaml`), JSON.stringify(pod));
    return join(workloads.nodeDirectory(node), "certs-of", program);
  }

  const directory = (name: string) => join(workloads.nodeDirectory(node), certificates, "secrets", name);
  const onDisk = (name: string, text: string) =>
    eventually(async () => assert.equal(await readFile(join(directory(name), "tls.crt"), "utf8"), text));

  test("copies the cluster's objects and their changes to the node's disk without a revision", async () => {
    await onDisk("aggregator-client", "first");
    assert.equal((await stat(join(directory("aggregator-client"), "tls.crt"))).mode & 0o777, 0o600);
    await putSecret("aggregator-client", "second");
    await onDisk("aggregator-client", "second");
    await putSecret("user-serving-cert-003", "own");
    await onDisk("user-serving-cert-003", "own");
    await eventually(async () => {
      const { items } = await cluster.client.list(resources.events, { namespace });
      const messages = items
        .filter((event) => stringAt(event, "reason") === "CertificateUpdated")
        .map((event) => stringAt(event, "message"));
      assert.ok(messages.includes(`Wrote updated secret: ${namespace}/aggregator-client`), `${messages}`);
    });
  });

  test("removes only optional objects from the disk and ignores unknown objects", async () => {
    await putSecret("unknown", "x");
    for (const name of ["aggregator-client", "user-serving-cert-003"])
      await cluster.client.delete(resources.secrets, { namespace, name });
    await eventually(async () =>
      assert.deepEqual(await readdir(join(directory("aggregator-client"), "..")), ["aggregator-client"]),
    );
    await onDisk("aggregator-client", "second");
  });

  for (const [program, within, secret, optional] of others)
    test(`is a program of ${program}, with its own sources`, async () => {
      const place = await runSyncer(program, within);
      const { client } = cluster;
      const object = (kind: string, name: string, data: object) => ({
        apiVersion: "v1",
        kind,
        metadata: { namespace: within, name },
        ...data,
      });
      await client.create(resources.secrets, object("Secret", secret, { data: { key: "eA==" } }));
      await eventually(async () =>
        assert.equal(await readFile(join(place, "secrets", secret, "key"), "utf8"), "x"),
      );
      if (optional === undefined) return;
      await client.create(resources.configMaps, object("ConfigMap", optional, { data: { key: "y" } }));
      const file = join(place, "configmaps", optional, "key");
      await eventually(async () => assert.equal(await readFile(file, "utf8"), "y"));
      await client.delete(resources.configMaps, { namespace: within, name: optional });
      await eventually(() => assert.rejects(readFile(file), /ENOENT/));
    });

  test("rejects objects outside the pod's namespace", async () => {
    const place = await runSyncer("cluster-kube-apiserver-operator", "tenant", namespace);
    const name = `cluster-kube-apiserver-operator-${node}`;
    await eventually(async () => {
      const pod = await cluster.client.find(resources.pods, { namespace: "tenant", name });
      const [status] = listAt(pod, "status", "containerStatuses");
      assert.ok((numberAt(status, "restartCount") ?? 0) > 0, JSON.stringify(status));
    });
    await assert.rejects(
      readdir(place, { recursive: true }).then((names) => assert.deepEqual(names, [])),
      /ENOENT/,
    );
  });
});
