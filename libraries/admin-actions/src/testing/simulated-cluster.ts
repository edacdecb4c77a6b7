import { randomUUID } from "node:crypto";
import { type KubeObject, type LogicalCluster, startApiServer } from "@keelson/apiserver";
import {
  type Clock,
  createCertificateAuthority,
  issueCertificate,
  type Logger,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { newCluster } from "@keelson/cluster/testing";
import { connectKube, createKubeconfig } from "@keelson/kube";
import { type ClusterDocument, clusterKeys } from "@keelson/model";
import { ImageRegistry, startWorkloads } from "@keelson/sim-openshift";
import type { ActionContext, ConnectCluster } from "../context/action-context.ts";

const infraId = "demo-x7k2p";
export const masters = [0, 1, 2].map((index) => `${infraId}-master-${index}`);
export const worker = `${infraId}-worker-eastus1-0`;

/** Cluster that runs pods but contains no OpenShift operators. */
export interface SimulatedCluster extends AsyncDisposable {
  readonly kubeconfig: string;
  /** Returns a kubeconfig for a user in these groups. */
  kubeconfigOf(user: string, groups: readonly string[]): Promise<string>;
  readonly logical: LogicalCluster;
  readonly images: ImageRegistry;
  /** Returns the context of one action on the cluster. Dispose the context before the cluster. */
  context(options?: ContextOptions): ActionContext;
  /** Returns connections to this cluster, whatever the cluster document contains. */
  readonly connect: ConnectCluster;
}

interface ContextOptions {
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly document?: ClusterDocument;
}

export async function startSimulatedCluster(): Promise<SimulatedCluster> {
  await using stack = new AsyncDisposableStack();
  const authority = await createCertificateAuthority("test", 1);
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
    name: infraId,
    clientCertificateAuthorities: [authority.certificatePem],
  });
  const images = new ImageRegistry();
  const shared = { clock: systemClock, logger: silentLogger };
  stack.use(await startWorkloads(logical, { ...shared, images, nodes: [...masters, worker] }));
  const kubeconfigOf = async (commonName: string, organizations: readonly string[]) => {
    const pair = await issueCertificate(authority, {
      commonName,
      organizations,
      usage: "client",
      validDays: 1,
    });
    return createKubeconfig({
      server: logical.url,
      caPem: authority.certificatePem,
      clientCertificatePem: pair.certificatePem,
      clientKeyPem: pair.privateKeyPem,
      clusterName: infraId,
      userName: commonName,
    });
  };
  const kubeconfig = await kubeconfigOf("system:aro-service", ["system:masters"]);
  const running = stack.move();
  return {
    kubeconfig,
    kubeconfigOf,
    logical,
    images,
    context: (options = {}) => contextOf(kubeconfig, options),
    connect: (document, { logger, signal }) => contextOf(kubeconfig, { document, logger, signal }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Returns a namespace object for tests. */
export function namespace(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

/** Returns the document of an installed cluster. */
function documentOf(kubeconfig: string): ClusterDocument {
  const base = newCluster({ name: "demo", state: "Succeeded" });
  const properties = { ...base.properties, infraId, aroServiceKubeconfig: new Secret(kubeconfig) };
  const openShiftCluster = { ...base, properties };
  const partitionKey = base.id.split("/")[2] ?? "";
  return { ...clusterKeys(base), id: randomUUID(), partitionKey, bucket: 0, openShiftCluster };
}

function contextOf(kubeconfig: string, options: ContextOptions): ActionContext {
  const connection = { kubeconfig, userAgent: "test", fieldManager: "test" };
  const { signal = AbortSignal.timeout(900_000), clock = systemClock, logger = silentLogger } = options;
  const kube = connectKube({ ...connection, beforeRequest: () => signal.throwIfAborted() });
  const cleanup = connectKube(connection);
  return {
    document: options.document ?? documentOf(kubeconfig),
    get azure(): never {
      throw new Error("there is no Azure in this test");
    },
    kube: (use) => (use === "cleanup" ? cleanup : kube),
    clock,
    logger,
    signal,
    async [Symbol.asyncDispose]() {
      await Promise.all([kube, cleanup].map((client) => client[Symbol.asyncDispose]()));
    },
  };
}
