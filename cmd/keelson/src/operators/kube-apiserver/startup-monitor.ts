import { systemClock } from "@keelson/base";
import { resources } from "@keelson/kube";
import { apiServerState } from "@keelson/kube-apiserver-operator";
import { monitorStartup, NodeDisk, reportNodeRevision } from "@keelson/operator-kit";
import type { NodeFlags } from "../../options/node-options.ts";
import { nodeFiles } from "../node-place.ts";
import { connectNode, type NodeRun } from "./node-run.ts";

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

/** Monitors the start of a revision. Exits after it has deleted its own manifest. */
export async function runStartupMonitor(flags: StartupMonitorFlags, run: NodeRun): Promise<void> {
  const { environment, logger, signal } = run;
  const { revision, nodeName: node, installerLockFile, fallbackTimeoutDuration: fallbackTimeoutMs } = flags;
  await using api = await connectNode(component, flags, run);
  await monitorStartup(
    {
      revision,
      fallbackTimeoutMs,
      targetName: flags.targetName,
      manifestsDir: flags.manifestsDir,
      resourceDir: flags.resourceDir,
      installerLockFile,
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
