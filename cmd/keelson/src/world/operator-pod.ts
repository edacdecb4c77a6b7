import { readFileSync } from "node:fs";
import { join } from "node:path";

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
 */
export function operatorPod(given: Readonly<Record<string, string | undefined>>): OperatorPod {
  const { KUBECONFIG = "", ...environment } = given;
  const { KEELSON_ROOT: root = "/", KEELSON_SERVICE_ACCOUNT: serviceAccount = "" } = given;
  const kubeconfig: { clusters: { cluster: { server: string } }[] } = JSON.parse(
    readFileSync(KUBECONFIG, "utf8"),
  );
  const placed = Object.entries(environment).map(([name, value]) => [
    name,
    name.endsWith("_FILE") && value?.startsWith("/") ? join(root, value) : value,
  ]);
  return {
    server: kubeconfig.clusters[0]?.cluster.server ?? "",
    serviceAccount,
    port: (declared) => Number(given[`KEELSON_PORT_${declared}`] ?? 0),
    environment: Object.fromEntries(placed),
  };
}
