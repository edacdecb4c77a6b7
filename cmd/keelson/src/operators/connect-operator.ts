import {
  type ConnectionPool,
  connectInCluster,
  connectKube,
  inClusterServer,
  type KubeClient,
  type KubeOptions,
} from "@keelson/kube";
import { cliErrors } from "../output/cli-errors.ts";
import { type KubeconfigFileOptions, readKubeconfigFile } from "./kubeconfig-file.ts";

export interface OperatorAccess extends KubeconfigFileOptions {
  /** A file; its user is who the program acts as. */
  readonly kubeconfig?: string;
  /** URL of the API server for the service account. Default: that of the pod's environment. */
  readonly server?: string;
  /** Directory with token and ca.crt. */
  readonly serviceAccount: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Connections of a process that several operators share. */
  readonly connections?: ConnectionPool;
}

/** Connects as the user of the kubeconfig, or else as the service account of the pod. @throws NoCluster */
export async function connectOperator(
  access: OperatorAccess,
  options: Omit<KubeOptions, "kubeconfig" | "connections">,
): Promise<KubeClient> {
  const { kubeconfig, server, serviceAccount: folder, environment, connections } = access;
  const client = connections === undefined ? options : { ...options, connections };
  if (kubeconfig !== undefined && server === undefined)
    return connectKube({ kubeconfig: await readKubeconfigFile(kubeconfig, access), ...client });
  const found = server ?? inClusterServer(environment);
  if (found === undefined)
    throw cliErrors.NoCluster(
      "there is no cluster to run on: this is no pod; give --kubeconfig FILE (or KUBECONFIG) of its administrator",
    );
  return connectInCluster({ server: found, folder }, client);
}
