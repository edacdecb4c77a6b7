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
  /** Path of a kubeconfig. The program authenticates as the user in this kubeconfig. */
  readonly kubeconfig?: string;
  /** API server URL for the service account. Overrides `kubeconfig`. Default: the URL in the pod's environment. */
  readonly server?: string;
  /** Directory that contains `token` and `ca.crt`. */
  readonly serviceAccount: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Connection pool that several operators of one process share. */
  readonly connections?: ConnectionPool;
}

/**
 * If `kubeconfig` is set and `server` is not set, connects with the kubeconfig. In all other cases, connects with the pod's
 * service account.
 * @throws NoCluster
 */
export async function connectOperator(
  access: OperatorAccess,
  options: Omit<KubeOptions, "kubeconfig" | "connections">,
): Promise<KubeClient> {
  const { kubeconfig, server, serviceAccount: directory, environment, connections } = access;
  const client = connections === undefined ? options : { ...options, connections };
  if (kubeconfig !== undefined && server === undefined)
    return connectKube({ kubeconfig: await readKubeconfigFile(kubeconfig, access), ...client });
  const found = server ?? inClusterServer(environment);
  if (found === undefined)
    throw cliErrors.NoCluster(
      "there is no cluster to run on: this is no pod; give --kubeconfig FILE (or KUBECONFIG) of its administrator",
    );
  return connectInCluster({ server: found, directory }, client);
}
