import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type KubeObject, startApiServer } from "@keelson/apiserver";
import { stringAt } from "@keelson/base";
import { createKubeconfig } from "@keelson/kube";
import { type ImageRegistry, startWorkloads } from "@keelson/sim-openshift";
import { parseAllDocuments } from "yaml";
import { simulatedPullSecret } from "../state/aro-installer.ts";
import { writeFileAtomically } from "../state/atomic-file.ts";
import { hiveFiles, type ManagementCluster } from "../state/management-cluster.ts";
import type { WorldDeps } from "./world-deps.ts";

const name = "hive";
const fieldManager = "keelson";
const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
const namespaces = { group: "", version: "v1", resource: "namespaces" };

/**
 * Starts the cluster for Hive: a separate API server with Hive's CRDs, a node and workloads. Hive's controllers do not run in
 * this cluster. Start them as separate processes with `hive.kubeconfig`.
 */
export async function startManagementCluster(
  managementCluster: ManagementCluster,
  images: ImageRegistry,
  { directory, local, clock, logger }: WorldDeps,
): Promise<AsyncDisposable> {
  const { port, token, crds } = managementCluster;
  publishFiles(directory, managementCluster, local.authority.certificatePem);
  await using stack = new AsyncDisposableStack();
  const log = logger.child({ component: "management cluster" });
  const server = stack.use(
    await startApiServer({
      host: "127.0.0.1",
      port,
      publicUrl: `https://localhost:${port}`,
      rootCluster: name,
      certificateAuthorityPem: local.authority.certificatePem,
      tls: local.serving,
      storage: { kind: "file", path: join(directory, "hive.sqlite") },
      logger: log,
      clock,
    }),
  );
  const tokens = [{ token, user: "hive-admin", groups: ["system:masters"] }];
  const cluster =
    server.findCluster(name) ??
    (await server.createCluster({ name, clientCertificateAuthorities: [], tokens }));
  for (const definition of readDefinitions(crds))
    await cluster.client.apply(definitions, definition, { fieldManager, force: true });
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  await cluster.client.apply(namespaces, namespace, { fieldManager, force: true });
  stack.use(
    await startWorkloads(cluster, {
      nodes: [`${name}-0`],
      directory: join(directory, "hive-nodes"),
      images,
      // Installers reach the simulated Azure through a proxy. They must trust the simulated Azure's CA, because they use Azure's
      // public host names.
      trustedCaPem: local.authority.certificatePem,
      clock,
      logger: log,
    }),
  );
  return stack.move();
}

/** Writes the files that the resource provider and Hive's controllers read. */
function publishFiles(directory: string, { port, token, graphKey }: ManagementCluster, caPem: string): void {
  const names = { clusterName: name, userName: `${name}-admin` };
  const kubeconfig = createKubeconfig({ server: `https://localhost:${port}`, caPem, token, ...names });
  for (const [file, content] of [
    [hiveFiles.kubeconfig, kubeconfig],
    [hiveFiles.graphKey, graphKey],
    [hiveFiles.pullSecret, simulatedPullSecret],
  ] as const)
    writeFileAtomically(join(directory, file), content, 0o600);
}

/**
 * Reads the CustomResourceDefinitions in a directory. Returns an empty list if the directory no longer exists. The cluster then
 * keeps the definitions that it has stored.
 */
function readDefinitions(directory: string): readonly KubeObject[] {
  if (!existsSync(directory)) return [];
  const files = readdirSync(directory).filter((file) => /\.ya?ml$/.test(file));
  return files.toSorted().flatMap((file) => {
    const documents = parseAllDocuments(readFileSync(join(directory, file), "utf8"));
    if (!Array.isArray(documents)) return [];
    return documents.flatMap((document) => {
      const value: unknown = document.toJS();
      return isDefinition(value) ? [value] : [];
    });
  });
}

function isDefinition(value: unknown): value is KubeObject {
  return (
    stringAt(value, "kind") === "CustomResourceDefinition" &&
    stringAt(value, "metadata", "name") !== undefined
  );
}
