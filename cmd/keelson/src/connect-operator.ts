import {
  connectInCluster,
  connectKube,
  inClusterServer,
  type KubeClient,
  type KubeOptions,
} from "@keelson/kube";
import { cliErrors } from "./cli-errors.ts";
import { readKubeconfigFile } from "./kubeconfig-file.ts";

export interface OperatorAccess {
  /** A file; its user is who the program acts as. */
  readonly kubeconfig?: string;
  /** URL of the API server for the service account; that of the pod's environment when absent. */
  readonly server?: string;
  /** Folder with token and ca.crt. */
  readonly serviceAccount: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Whom a program in a cluster acts as: the user of its kubeconfig, or its pod's service account. @throws NoCluster */
export async function connectOperator(
  { kubeconfig, server, serviceAccount: folder, environment }: OperatorAccess,
  client: Omit<KubeOptions, "kubeconfig">,
): Promise<KubeClient> {
  if (kubeconfig !== undefined && server === undefined)
    return connectKube({ kubeconfig: await readKubeconfigFile(kubeconfig), ...client });
  const found = server ?? inClusterServer(environment);
  if (found === undefined)
    throw cliErrors.NoCluster(
      "there is no cluster to run on: this is no pod; give --kubeconfig FILE (or KUBECONFIG) of its administrator",
    );
  return connectInCluster({ server: found, folder }, client);
}
