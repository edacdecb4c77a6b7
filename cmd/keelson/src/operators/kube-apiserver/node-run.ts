import type { Logger } from "@keelson/base";
import type { KubeClient } from "@keelson/kube";
import type { NodeFlags } from "../../options/node-options.ts";
import { buildVersion } from "../../process/build-version.ts";
import type { ProgramEnvironment } from "../../process/program-environment.ts";
import { connectOperator } from "../connect-operator.ts";
import { nodePlace } from "../node-place.ts";

/** Environment and signals of a program that runs on a node. */
export interface NodeRun {
  readonly environment: ProgramEnvironment;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

export interface NodeAccess extends NodeFlags {
  /** Host name to verify in the API server's certificate. Default: the host of its URL. */
  readonly tlsServerNameOverride?: string;
}

/**
 * Connects a program on a node to its cluster's API server. `component` is the user agent and field manager.
 * @throws NoCluster
 */
export function connectNode(
  component: string,
  { tlsServerNameOverride: tlsServerName, ...access }: NodeAccess,
  { environment }: NodeRun,
): Promise<KubeClient> {
  return connectOperator(
    { ...access, environment, placeOf: nodePlace(environment), tlsServerName },
    { userAgent: `${component}/${buildVersion()}`, fieldManager: component },
  );
}
