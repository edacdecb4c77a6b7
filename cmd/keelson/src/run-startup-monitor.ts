import { systemClock } from "@keelson/base";
import { resources } from "@keelson/kube";
import { apiServerState } from "@keelson/kube-apiserver-operator";
import { monitorStartup, NodeDisk, reportNodeRevision } from "@keelson/operator-kit";
import { buildVersion } from "./build-version.ts";
import type { StartupMonitorFlags } from "./commands/kube-apiserver-operator/startup-monitor.ts";
import { connectOperator } from "./connect-operator.ts";
import { nodeFiles, nodePlace } from "./node-place.ts";
import type { NodeRun } from "./run-static-pod-node.ts";

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
