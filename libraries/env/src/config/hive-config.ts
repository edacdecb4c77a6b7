import { connectKube, type KubeClient } from "@keelson/kube";
import { type Static, Type } from "typebox";
import { readConfigFile, usable } from "../files/config-files.ts";

export const hiveSchema = Type.Object(
  {
    kubeconfigFile: Type.String({
      minLength: 1,
      description:
        "kubeconfig of the cluster that Hive runs in, with its credentials in it: no programs and no files",
    }),
    adoptClusters: Type.Boolean({
      default: false,
      description: "registers each cluster with Hive when it is created or updated, however it was installed",
    }),
  },
  {
    additionalProperties: false,
    description: "Hive, which manages clusters; administrators can read its objects",
  },
);

/** Connects to Hive's API. The caller must dispose the client. @throws InvalidConfiguration for a kubeconfig without a cluster */
export function connectHive(config: Static<typeof hiveSchema> | undefined): KubeClient | undefined {
  if (!config) return undefined;
  const member = "hive.kubeconfigFile";
  const kubeconfig = readConfigFile(member, config.kubeconfigFile);
  return usable(member, config.kubeconfigFile, () =>
    connectKube({ kubeconfig, userAgent: "keelson", fieldManager: "keelson" }),
  );
}
