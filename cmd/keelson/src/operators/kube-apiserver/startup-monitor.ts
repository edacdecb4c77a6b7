import { systemClock } from "@keelson/base";
import { resources } from "@keelson/kube";
import { apiServerState } from "@keelson/kube-apiserver-operator";
import { monitorStartup, NodeDisk, reportNodeRevision } from "@keelson/operator-kit";
import type { NodeFlags } from "../../options/node-options.ts";
import { buildVersion } from "../../process/build-version.ts";
import { connectOperator } from "../connect-operator.ts";
import { nodeFiles, nodePlace } from "../node-place.ts";
import type { NodeRun } from "./static-pod-node.ts";

export interface StartupMonitorFlags extends NodeFlags {
  readonly revision: number;
  readonly fallbackTimeoutDuration: number;
  readonly targetName: string;
  readonly manifestsDir: string;
  readonly resourceDir: string;
  readonly installerLockFile?: string;
  readonly nodeName: string;
  readonly logFilePath?: string;
}

const component = "startup-monitor";
const namespace = "openshift-kube-apiserver";

/** Watches a revision start. It ends with its manifest, which it takes away. */
export async function runStartupMonitor(
  flags: StartupMonitorFlags,
  { environment, logger, signal }: NodeRun,
): Promise<void> {
  const { revision, nodeName: node, installerLockFile, fallbackTimeoutDuration: fallbackTimeoutMs } = flags;
  const placeOf = nodePlace(environment);
  const client = { userAgent: `${component}/${buildVersion()}`, fieldManager: component };
  await using api = await connectOperator({ ...flags, environment, placeOf }, client);
  await monitorStartup(
    {
      revision,
      fallbackTimeoutMs,
      targetName: flags.targetName,
      manifestsDir: flags.manifestsDir,
      resourceDir: flags.resourceDir,
      ...(installerLockFile === undefined ? {} : { installerLockFile }),
    },
    {
      check: (stop) => apiServerState({ api, namespace, node, revision, clock: systemClock }, stop),
      reportGood: (stop) => reportNodeRevision(api, resources.kubeApiServers, { node, revision }, stop),
      disk: new NodeDisk(nodeFiles(environment)),
      clock: systemClock,
      logger,
    },
    signal,
  );
}
