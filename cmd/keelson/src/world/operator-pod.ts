import { readFileSync } from "node:fs";
import { placeFileVariables } from "./place-file-variables.ts";

/** What a pod of the operator has instead of a file system and a network of its own. */
export interface OperatorPod {
  readonly server: string;
  readonly serviceAccount: string;
  /** The port of this machine in place of one that the container declares; 0, which takes a free one, for others. */
  readonly port: (declared: number) => number;
  /** The container's own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * From the environment of a simulated container that runs on this machine: files are below `KEELSON_ROOT`, ports are
 * `KEELSON_PORT_n`, and the API server is that of the kubeconfig, whose URL has a path.
 * @throws Error for a variable whose file is outside of the container
 */
export async function operatorPod(given: Readonly<Record<string, string | undefined>>): Promise<OperatorPod> {
  const { KUBECONFIG = "", ...environment } = given;
  const { KEELSON_SERVICE_ACCOUNT: serviceAccount = "" } = given;
  const kubeconfig: { clusters: { cluster: { server: string } }[] } = JSON.parse(
    readFileSync(KUBECONFIG, "utf8"),
  );
  return {
    server: kubeconfig.clusters[0]?.cluster.server ?? "",
    serviceAccount,
    port: (declared) => Number(given[`KEELSON_PORT_${declared}`] ?? 0),
    environment: await placeFileVariables(environment),
  };
}
