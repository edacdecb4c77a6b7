import { join } from "node:path";
import type { AsyncOperation } from "@keelson/arm";
import { systemClock } from "@keelson/base";
import { cliErrors } from "./cli-errors.ts";
import { firstClusterRequest } from "./first-cluster.ts";
import type { Progress } from "./progress.ts";
import type { RpClient } from "./rp-client.ts";
import { writeFileAtomically } from "./state/atomic-file.ts";

export interface EnsureClusterOptions {
  readonly client: RpClient;
  readonly name: string;
  readonly directory: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/**
 * Brings the cluster to Succeeded through the ARM API, whether it is new, under way or done,
 * and writes its admin kubeconfig. Returns its path.
 * @throws ClusterFailed with the operation's error
 */
export async function ensureCluster(options: EnsureClusterOptions): Promise<string> {
  const { client, name, directory, progress, signal } = options;
  const state = await client.findState(name, signal);
  if (state === undefined) {
    await client.registerSubscription(signal);
    progress.say(`creating cluster ${name}`);
    const application = await client.registerApplication(name, signal);
    const request = firstClusterRequest(name, client.subscriptionId, application);
    const url = await client.createCluster(name, request, signal);
    const operation = await client.follow(
      url,
      (status) => progress.update(describeOperation(name, status)),
      signal,
    );
    if (operation.status === "Failed") throw failed(name, JSON.stringify(operation.error));
  } else if (state !== "Succeeded") {
    await settle(options, state);
  }
  const path = join(directory, `${name}.kubeconfig`);
  writeFileAtomically(path, await client.adminKubeconfig(name, name, signal), 0o600);
  progress.say(`cluster ${name} Succeeded`);
  return path;
}

/** Waits for work that an earlier run began. */
async function settle(
  { client, name, progress, signal }: EnsureClusterOptions,
  first: string,
): Promise<void> {
  for (
    let state: string | undefined = first;
    state !== "Succeeded";
    state = await client.findState(name, signal)
  ) {
    if (state === "Failed" || state === undefined) throw failed(name, "its last operation failed");
    progress.update(`cluster ${name} ${state}`);
    await systemClock.sleep(200, signal);
  }
}

function failed(name: string, why: string) {
  return cliErrors.ClusterFailed(
    `cluster ${name} failed: ${why}. Details are in keelson.log; delete the cluster to try again`,
  );
}

/** An operation in one line: its state, how far it is, and the step under way. */
export function describeOperation(
  name: string,
  { status, percentComplete, properties }: AsyncOperation,
): string {
  const percent = percentComplete === undefined ? "" : ` ${String(Math.floor(percentComplete)).padStart(3)}%`;
  const steps = properties
    ? `  ${properties.completedSteps}/${properties.totalSteps}  ${properties.step}`
    : "";
  return `${name} ${status}${percent}${steps}`;
}
