import { connectKube, type KubeClient } from "@keelson/kube";
import { type Static, Type } from "typebox";
import { readConfigFile, usable } from "../files/config-files.ts";

export const hiveSchema = Type.Object(
  {
    kubeconfigFile: Type.String({
      minLength: 1,
      description:
        "kubeconfig of the cluster in which Hive runs. It must contain the credentials, and must not refer to programs or files",
    }),
    adoptClusters: Type.Boolean({
      default: false,
      description:
        "true if each cluster is registered with Hive when it is created or updated, independent of its installer",
    }),
  },
  {
    additionalProperties: false,
    description: "connection to Hive. Hive can install clusters, and administrators can read its objects",
  },
);

/**
 * Connects to Hive's API. Returns undefined if Hive is not configured. The caller must dispose the client. @throws
 * InvalidConfiguration for a kubeconfig without a cluster
 */
export function connectHive(config: Static<typeof hiveSchema> | undefined): KubeClient | undefined {
  if (!config) return undefined;
  const member = "hive.kubeconfigFile";
  const kubeconfig = readConfigFile(member, config.kubeconfigFile);
  return usable(member, config.kubeconfigFile, () =>
    connectKube({ kubeconfig, userAgent: "keelson", fieldManager: "keelson" }),
  );
}
