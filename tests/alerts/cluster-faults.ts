import assert from "node:assert/strict";
import { createCertificateAuthority, issueCertificate, stringAt } from "@keelson/base";
import { type KubeClient, resources } from "@keelson/kube";
import type { WorldClient } from "../e2e/support/world-client.ts";

/** Access of a fault to its cluster. */
export interface FaultyCluster {
  readonly name: string;
  readonly kube: KubeClient;
  readonly world: WorldClient;
  readonly signal: AbortSignal;
}

/** Fault of one cluster. Each fault needs its own cluster. */
export interface ClusterFault {
  readonly name: string;
  /** Name of the only alert that may fire for the cluster. */
  readonly alert: string;
  /** Causes the fault. Returns its repair, and labels that the alert must have. */
  readonly begin: (cluster: FaultyCluster) => Promise<ActiveFault>;
}

export interface ActiveFault {
  readonly labels: Readonly<Record<string, string>>;
  readonly repair: () => Promise<void>;
}

const namespace = "openshift-azure-operator";

export const clusterFaults: readonly ClusterFault[] = [
  {
    name: "a cluster operator is degraded",
    alert: "KeelsonClusterOperatorDegraded",
    begin: (cluster) => inject(cluster, "operator-degraded", { operator: "ingress" }, { name: "ingress" }),
  },
  {
    // `/healthz` succeeds, so the collectors run, and almost all of them fail.
    name: "the API server rejects all requests with 503",
    alert: "KeelsonCollectorFailing",
    begin: (cluster) => inject(cluster, "api-error", { code: 503 }, {}),
  },
  {
    name: "etcd is unhealthy",
    alert: "KeelsonApiServerUnhealthy",
    begin: (cluster) => inject(cluster, "api-unhealthy", { check: "etcd" }, { code: "500" }),
  },
  {
    name: "a worker is not ready",
    alert: "KeelsonWorkerNotReady",
    async begin(cluster) {
      const node = await workerOf(cluster);
      return inject(cluster, "node-not-ready", { node }, { nodeName: node });
    },
  },
  {
    name: "a worker has disk pressure",
    alert: "KeelsonNodePressure",
    async begin(cluster) {
      const node = await workerOf(cluster);
      return inject(cluster, "disk-full", { node }, { nodeName: node, type: "DiskPressure" });
    },
  },
  {
    name: "the certificate of the ingress expires in ten days",
    alert: "KeelsonCertificateExpiring",
    begin: replaceIngressCertificate,
  },
  {
    name: "the cluster's monitoring reports a critical alert",
    alert: "KeelsonPlatformAlertCritical",
    begin: (cluster) =>
      inject(
        cluster,
        "alert",
        { alert: "etcdNoLeader", severity: "critical", namespace: "openshift-etcd" },
        { alert: "etcdNoLeader" },
      ),
  },
];

/** Injects a fault of the simulated OpenShift into the cluster. */
async function inject(
  { name, world }: FaultyCluster,
  kind: string,
  parameters: object,
  labels: ActiveFault["labels"],
): Promise<ActiveFault> {
  const { id } = await world.clusters("POST", "/faults", { kind, cluster: name, parameters });
  return {
    labels,
    async repair() {
      await world.clusters("DELETE", `/faults/${id}`);
    },
  };
}

async function workerOf({ kube, signal }: FaultyCluster): Promise<string> {
  const labelSelector = "node-role.kubernetes.io/worker";
  const { items } = await kube.list(resources.nodes, { labelSelector }, signal);
  const name = items[0]?.metadata.name;
  assert.ok(name, "the cluster has no worker");
  return name;
}

/** Replaces the certificate that the service has issued for the default ingress. */
async function replaceIngressCertificate({ kube, signal }: FaultyCluster): Promise<ActiveFault> {
  const key = { namespace: "openshift-ingress-operator", name: "default" };
  const ingress = await kube.get(resources.ingressControllers, key, signal);
  const name = stringAt(ingress, "spec", "defaultCertificate", "name");
  assert.ok(name, "the ingress has no certificate of the service");
  const secret = await kube.get(resources.secrets, { namespace, name }, signal);
  const before = stringAt(secret, "data", "tls.crt");
  assert.ok(before, `the Secret ${name} has no certificate`);
  const authority = await createCertificateAuthority("short-lived", 30);
  const { certificatePem } = await issueCertificate(authority, {
    commonName: name,
    usage: "server",
    validDays: 10,
  });
  const write = async (certificate: string) => {
    const { apiVersion, kind } = secret;
    const data = { "tls.crt": certificate };
    await kube.ensure(resources.secrets, { apiVersion, kind, metadata: { namespace, name }, data }, signal);
  };
  await write(Buffer.from(certificatePem).toString("base64"));
  return { labels: { namespace, name }, repair: () => write(before) };
}
