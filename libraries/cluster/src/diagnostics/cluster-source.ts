import type { KubeObject, KubeResource } from "@keelson/kube";
import type { ClusterContext } from "../context/context.ts";
import { type DiagnosticSource, enumeration, type Finding } from "./finding.ts";

const limitMs = 20_000;
const maxObjects = 200;

/**
 * Creates a source that inspects the cluster through its API server. The source returns no finding before the kubeconfig is
 * generated.
 */
export function clusterSource(
  name: string,
  inspect: (context: ClusterContext) => Promise<Finding | undefined>,
): DiagnosticSource {
  return {
    name,
    ofInstallsOnly: false,
    limitMs,
    inspect: async (context) =>
      context.cluster.properties.aroServiceKubeconfig ? inspect(context) : undefined,
  };
}

/** Lists at most the first few objects of a kind, because the number of objects in a cluster is unlimited. */
export async function listSome(
  { kube, signal }: ClusterContext,
  resource: KubeResource,
  namespace?: string,
): Promise<readonly KubeObject[]> {
  const { items } = await kube().page(
    resource,
    { limit: maxObjects, namespace: namespace || undefined },
    signal,
  );
  return items;
}

export function namesOf(objects: readonly KubeObject[]): string {
  return enumeration(objects.map((each) => each.metadata.name));
}
