import { type KubeObject, resources } from "@keelson/kube";
import type { TestCluster } from "./test-cluster.ts";

export interface Update {
  readonly version: string;
  readonly state: "Completed" | "Partial";
}

/** Sets the history of the ClusterVersion, newest entry first. The test's server must serve `resources.clusterVersions`. */
export async function putClusterHistory(
  cluster: TestCluster,
  ...history: readonly Update[]
): Promise<KubeObject> {
  const time = "2026-01-01T00:00:00Z";
  return cluster.put(resources.clusterVersions, {
    metadata: { name: "version" },
    spec: { clusterID: "9d0e8a5c-4a1c-4c34-9d4e-3f5d1a2b3c4d" },
    status: {
      desired: { version: history[0]?.version ?? "4.19.24", image: "quay.io/example/release" },
      history: history.map(({ version, state }) => ({
        version,
        state,
        image: "quay.io/example/release",
        startedTime: time,
        completionTime: time,
        verified: true,
      })),
      observedGeneration: 1,
      versionHash: "hash",
      availableUpdates: [],
    },
  });
}
