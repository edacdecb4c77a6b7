import { readFileSync } from "node:fs";
import { placeFileVariables } from "./place-file-variables.ts";

/** Replacements for the file system and network of an operator pod that runs on this machine. */
export interface OperatorPod {
  readonly server: string;
  readonly serviceAccount: string;
  /** The port of this machine in place of one that the container declares; 0, which takes a free one, for others. */
  readonly port: (declared: number) => number;
  /** The container's own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the environment of a simulated container on this machine. Files are below `KEELSON_ROOT`, ports are `KEELSON_PORT_n`.
 * The API server is that of the kubeconfig; its URL has a path.
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
