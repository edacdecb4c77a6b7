import { X509Certificate } from "node:crypto";
import { clusters as aroClusters, defaultOperatorFlags, operatorNamespace } from "@keelson/aro-api";
import { aroDefinitions } from "@keelson/aro-api/manifests";
import { createCertificateAuthority, stringAt } from "@keelson/base";
import { resources } from "@keelson/kube";
import { passTime, type SimulatedCluster } from "../simulated-cluster.ts";
import type { Figure, Illness } from "./illness.ts";

const logging = "openshift-azure-logging";
const etcd = "openshift-etcd";
const oldSecret = "etcd-peer-demo-x7k2p-master-1";
const cluster = { name: "cluster" };

/** Installs the service's objects that the monitor reads. */
export async function installService(target: SimulatedCluster): Promise<void> {
  for (const object of aroDefinitions) await target.put(resources.customResourceDefinitions, object);
  for (const name of [operatorNamespace, logging])
    await target.put(resources.namespaces, { metadata: { name } });
  await target.put(aroClusters, {
    metadata: cluster,
    spec: { operatorflags: defaultOperatorFlags, domain: "demo.eastus.keelson.localhost" },
    status: { conditions: [] },
  });
  for (const role of ["master", "worker"]) {
    await target.put(resources.deployments, operator(role, "run"));
    await target.put(resources.daemonSets, exporter(role, "run"));
  }
  for (const name of ["demo-ingress", "demo-apiserver"]) await putCertificate(target, name, 365);
  await target.kube.mergePatch(
    resources.ingressControllers,
    { namespace: "openshift-ingress-operator", name: "default" },
    { spec: { defaultCertificate: { name: "demo-ingress" } } },
    target.signal,
  );
}

const template = (app: string, command: string, role: string) => ({
  metadata: { labels: { app } },
  spec: {
    nodeSelector: { [`node-role.kubernetes.io/${role}`]: "" },
    tolerations: [{ operator: "Exists" }],
    containers: [{ name: "main", image: "registry.example/aro", command: [command] }],
  },
});

function operator(role: string, command: string) {
  const app = `aro-operator-${role}`;
  return {
    metadata: { namespace: operatorNamespace, name: app, labels: { version: "op-1" } },
    spec: { replicas: 1, selector: { matchLabels: { app } }, template: template(app, command, role) },
  };
}

function exporter(role: string, command: string) {
  const app = `otel-exporter-${role}`;
  return {
    metadata: { namespace: logging, name: app },
    spec: { selector: { matchLabels: { app } }, template: template(app, command, role) },
  };
}

async function putCertificate(
  target: SimulatedCluster,
  name: string,
  days: number,
  namespace = operatorNamespace,
): Promise<void> {
  const { certificatePem } = await createCertificateAuthority(`${name}.example`, days);
  const data = { "tls.crt": Buffer.from(certificatePem).toString("base64"), "tls.key": "" };
  await target.put(resources.secrets, { metadata: { namespace, name }, type: "kubernetes.io/tls", data });
}

/** Returns the expected metrics of a certificate in a Secret. The certificate expires in the given number of days. */
async function expiry(
  { kube, signal }: SimulatedCluster,
  days: number,
  name: string,
  namespace = operatorNamespace,
): Promise<Figure> {
  const secret = await kube.get(resources.secrets, { namespace, name }, signal);
  const pem = Buffer.from(stringAt(secret, "data", "tls.crt") ?? "", "base64");
  const { subject, fingerprint } = new X509Certificate(pem);
  const thumbprint = fingerprint.replaceAll(":", "");
  const dimensions = { namespace, name, subject: /^CN=(.*)$/m.exec(subject)?.[1] ?? "", thumbprint };
  return ["certificate.expirationdate", days, dimensions];
}

/** Returns the metrics of the service's certificates, which both certificate collectors send. */
const certificates = (target: SimulatedCluster) =>
  Promise.all([expiry(target, 365, "demo-ingress"), expiry(target, 365, "demo-apiserver")]);

/** Returns the metrics of the etcd certificates. There are three certificates for each master. */
const ofEtcd = (target: SimulatedCluster, daysOf: (name: string) => number) =>
  Promise.all(
    ["peer", "serving", "serving-metrics"]
      .flatMap((use) => [0, 1, 2].map((master) => `etcd-${use}-demo-x7k2p-master-${master}`))
      .map((name) => expiry(target, daysOf(name), name, etcd)),
  );

const heartbeats = (master: number): readonly Figure[] => [
  ["arooperator.heartbeat", master, { name: "aro-operator-master" }],
  ["arooperator.heartbeat", 1, { name: "aro-operator-worker" }],
];

const patched =
  (patch: object, undo: object, subresource?: "status"): NonNullable<Illness["begin"]> =>
  async ({ kube, signal }) => {
    const write = (each: object) => kube.mergePatch(aroClusters, cluster, { ...each }, signal, subresource);
    await write(patch);
    return () => write(undo);
  };

const condition = (type: string, status: string) => ({
  type,
  status,
  reason: "Test",
  message: "test",
  lastTransitionTime: "2026-01-01T00:00:00Z",
});
const recently = new Date(passTime.getTime() - 30_000).toUTCString();
const reconciled = "aro.openshift.io/lastSubnetReconcileTimestamp";

export const serviceIllnesses: readonly Illness[] = [
  {
    collector: "emitAroOperatorHeartbeat",
    title: "an operator that crashes",
    async begin(target) {
      await target.put(resources.deployments, operator("master", "false"));
      return () => target.put(resources.deployments, operator("master", "run"));
    },
    well: heartbeats(1),
    ill: heartbeats(0),
  },
  {
    collector: "emitAroOperatorConditions",
    title: "nodes that do not reach the internet, and a controller that is degraded",
    begin: patched(
      {
        status: {
          conditions: [
            condition("InternetReachableFromMaster", "True"),
            condition("InternetReachableFromWorker", "False"),
            condition("DNSControllerAvailable", "True"),
            condition("DNSControllerDegraded", "True"),
          ],
        },
      },
      { status: { conditions: [] } },
      "status",
    ),
    well: [],
    ill: [
      ["arooperator.conditions", 1, { status: "False", type: "InternetReachableFromWorker" }],
      ["arooperator.conditions", 1, { status: "True", type: "DNSControllerDegraded" }],
    ],
  },
  {
    collector: "emitNSGReconciliation",
    title: "a subnet whose security group had to be put back",
    begin: patched(
      { metadata: { annotations: { [reconciled]: recently } } },
      { metadata: { annotations: { [reconciled]: null } } },
    ),
    well: [],
    ill: [["nsg.reconciliations", 1, {}]],
  },
  {
    collector: "emitOperatorFlagsAndSupportBanner",
    title: "a cluster with custom flags, and a banner",
    begin: patched(
      {
        spec: {
          operatorflags: { "aro.banner.enabled": "off", "aro.dnsmasq.enabled": null },
          banner: { content: "ContactSupport" },
        },
      },
      { spec: { operatorflags: defaultOperatorFlags, banner: null } },
    ),
    well: [],
    ill: [
      [
        "cluster.nonstandard.operator.featureflags",
        1,
        { "aro.banner.enabled": "off", "aro.dnsmasq.enabled": "DNE" },
      ],
      ["cluster.nonstandard.banner", 1, { msg: "contact support" }],
    ],
  },
  {
    collector: "emitDaemonsetStatuses",
    title: "log exporters that crash on every worker",
    async begin(target) {
      const remove = () =>
        target.kube.delete(
          resources.daemonSets,
          { namespace: logging, name: "otel-exporter-worker" },
          target.signal,
        );
      await remove();
      await target.put(resources.daemonSets, exporter("worker", "false"));
      return async () => {
        await remove();
        await target.put(resources.daemonSets, exporter("worker", "run"));
      };
    },
    well: [],
    ill: (["daemonset.statuses", "genevalogging.otel.cannotstart"] as const).map(
      (metric): Figure => [
        metric,
        1,
        {
          desiredNumberScheduled: "3",
          name: "otel-exporter-worker",
          namespace: logging,
          numberAvailable: "0",
        },
      ],
    ),
  },
  {
    collector: "emitIngressAndAPIServerCertificateExpiry",
    title: "a certificate that expires in five days, and one that is missing",
    async begin(target) {
      await putCertificate(target, "demo-ingress", 5);
      const place = { namespace: operatorNamespace, name: "demo-apiserver" };
      await target.kube.delete(resources.secrets, place, target.signal);
      return async () => {
        for (const name of ["demo-ingress", "demo-apiserver"]) await putCertificate(target, name, 365);
      };
    },
    well: certificates,
    ill: async (target) => [
      await expiry(target, 5, "demo-ingress"),
      ["certificate.secretnotfound", 1, { namespace: operatorNamespace, name: "demo-apiserver" }],
    ],
  },
  {
    collector: "emitEtcdCertificateExpiry",
    title: "a cluster too old to renew etcd's certificates",
    openShiftVersion: "4.8.57",
    async begin(target) {
      await putCertificate(target, oldSecret, 20, etcd);
      return () => putCertificate(target, oldSecret, 1_095, etcd);
    },
    well: async (target) => [...(await certificates(target)), ...(await ofEtcd(target, () => 1_095))],
    ill: async (target) => [
      ...(await certificates(target)),
      ...(await ofEtcd(target, (name) => (name === oldSecret ? 20 : 1_095))),
    ],
  },
];
