import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { type LogOptions, startApiServer } from "@keelson/apiserver";
import { inCreationOrder, prometheusReader } from "@keelson/aro-api";
import { operatorManifests } from "@keelson/aro-api/manifests";
import {
  createCertificateAuthority,
  issueCertificate,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { connectKube, createKubeconfig, type KubeClient } from "@keelson/kube";

/** Cluster that enforces RBAC. The test provides the cluster's Prometheus server. */
export interface GuardedCluster extends AsyncDisposable {
  readonly kubeconfigs: { readonly aroServiceKubeconfig: Secret; readonly aroSREKubeconfig: Secret };
  /** Client with the service's credentials. */
  readonly kube: KubeClient;
  /** Requests that Prometheus received. */
  readonly asked: IncomingMessage[];
}

/** Applies the permissions of the portal's service account, in the same way as the installation of a cluster. */
export async function applyPrometheusReader(kube: KubeClient, signal: AbortSignal): Promise<void> {
  const all = operatorManifests({ image: "a:1", usesWorkloadIdentity: false, supportsPodSecurity: true });
  const ofReader = all.filter(({ object }) => object.metadata.name === prometheusReader.name);
  for (const { resource, object } of inCreationOrder(ofReader)) await kube.ensure(resource, object, signal);
}

function emptyMatrix(_: IncomingMessage, response: ServerResponse): void {
  response.setHeader("content-type", "application/json");
  response.end('{"status":"success","data":{"resultType":"matrix","result":[]}}');
}

const pods = { group: "", version: "v1", resource: "pods" };

/** Returns the log of a container as bytes. */
export type LogOf = (options: LogOptions) => AsyncIterable<Uint8Array>;

async function* emptyLog(): AsyncGenerator<Uint8Array> {}

/**
 * Starts a cluster with RBAC.
 * @param respond Responds for Prometheus. Default: an empty matrix.
 * @param logOf Returns the log of each container. Default: an empty log.
 */
export async function startGuardedCluster(
  respond = emptyMatrix,
  logOf: LogOf = emptyLog,
): Promise<GuardedCluster> {
  await using stack = new AsyncDisposableStack();
  const authority = await createCertificateAuthority("test", 1);
  const asked: IncomingMessage[] = [];
  const prometheus = createServer((request, response) => {
    asked.push(request);
    respond(request, response);
  });
  stack.defer(() => closed(prometheus));
  await once(prometheus.listen(0, "127.0.0.1"), "listening");
  const { port } = prometheus.address() as AddressInfo;
  const server = stack.use(
    await startApiServer({
      host: "127.0.0.1",
      port: 0,
      tls: await issueCertificate(authority, {
        commonName: "localhost",
        dnsNames: ["localhost"],
        ipAddresses: ["127.0.0.1"],
        usage: "server",
        validDays: 1,
      }),
      storage: { kind: "memory" },
      logger: silentLogger,
      clock: systemClock,
    }),
  );
  const logical = await server.createCluster({
    name: "guarded",
    clientCertificateAuthorities: [authority.certificatePem],
  });
  const refuse = () => Promise.reject(new Error("not in this test"));
  logical.setKubelet({
    logs: (_, options) => logOf(options),
    exec: refuse,
    attach: refuse,
    askNode: refuse,
    connect: async () => connect(port, "127.0.0.1"),
  });
  const kubeconfigOf = async (commonName: string, organizations: readonly string[]) => {
    const subject = { commonName, organizations, usage: "client", validDays: 1 } as const;
    const pair = await issueCertificate(authority, subject);
    const credential = { clientCertificatePem: pair.certificatePem, clientKeyPem: pair.privateKeyPem };
    const names = { clusterName: "guarded", userName: commonName };
    const target = { server: logical.url, caPem: authority.certificatePem };
    return new Secret(createKubeconfig({ ...target, ...credential, ...names }));
  };
  const aroServiceKubeconfig = await kubeconfigOf("system:aro-service", ["system:masters"]);
  const aroSREKubeconfig = await kubeconfigOf("system:aro-sre", []);
  const options = { kubeconfig: aroServiceKubeconfig.reveal(), userAgent: "test", fieldManager: "test" };
  const kube = stack.use(connectKube(options));
  const { client } = logical;
  const namespace = "openshift-monitoring";
  const core = (resource: string) => ({ group: "", version: "v1", resource });
  const object = (
    kind: string,
    metadata: {
      readonly name: string;
      readonly namespace?: string;
      readonly labels?: Record<string, string>;
    },
    more: object = {},
  ) => ({
    apiVersion: "v1",
    kind,
    metadata,
    ...more,
  });
  await client.create(core("nodes"), object("Node", { name: "node" }));
  for (const name of [namespace, "openshift-azure-operator"])
    await client.create(core("namespaces"), object("Namespace", { name }));
  const labels = { "app.kubernetes.io/name": "prometheus" };
  const spec = { nodeName: "node", containers: [{ name: "c", image: "i" }] };
  const pod = await client.create(
    pods,
    object("Pod", { name: "prometheus-k8s-0", namespace, labels }, { spec }),
  );
  const conditions = [{ type: "Ready", status: "True" }];
  await client.updateStatus(pods, { ...pod, status: { phase: "Running", conditions } });
  const kept = stack.move();
  return {
    kubeconfigs: { aroServiceKubeconfig, aroSREKubeconfig },
    kube,
    asked,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
