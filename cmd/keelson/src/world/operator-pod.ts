import { readFileSync } from "node:fs";
import { placeFileVariables } from "./place-file-variables.ts";

/** Files, ports and environment of an operator pod that runs on this machine. */
export interface OperatorPod {
  readonly server: string;
  readonly serviceAccount: string;
  /** Returns the local port for a port that the container declares. Returns 0 (any free port) for undeclared ports. */
  readonly port: (declared: number) => number;
  /** Environment of the container. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the environment of a simulated container on this machine. Files are below `KEELSON_ROOT`. Ports are in `KEELSON_PORT_n`.
 * The API server URL comes from the kubeconfig. Unlike the Kubernetes variables for host and port, the kubeconfig can contain the
 * URL's path.
 * @throws Error for a variable that names a file outside of the container
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
