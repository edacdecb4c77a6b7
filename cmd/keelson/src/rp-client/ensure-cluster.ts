import { join } from "node:path";
import { type AsyncOperation, isTerminal } from "@keelson/arm";
import { systemClock } from "@keelson/base";
import type { ClusterRef } from "../options/cluster-ref.ts";
import { cliErrors } from "../output/cli-errors.ts";
import type { Progress } from "../output/progress.ts";
import { writeFileAtomically } from "../state/atomic-file.ts";
import { type ClusterCredentials, type ClusterSettings, clusterRequest } from "./cluster-request.ts";
import type { RpClient } from "./rp-client.ts";

export interface EnsureClusterOptions {
  readonly client: RpClient;
  readonly cluster: ClusterRef;
  readonly settings?: ClusterSettings;
  /** True if the cluster signs in to Azure with managed identities. Default: the cluster signs in with a service principal. */
  readonly withIdentities?: boolean;
  readonly directory: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

const pollMs = 500;

/**
 * Creates the cluster through the ARM API. Resumes or retries the creation of an existing cluster until its state is Succeeded.
 * Writes the admin kubeconfig and returns its path.
 * @throws ClusterFailed with the operation's error
 */
export async function ensureCluster(options: EnsureClusterOptions): Promise<string> {
  const { client, cluster, settings, directory, progress, signal } = options;
  const { name } = cluster;
  const state = await client.findState(cluster, signal);
  if (state === undefined) {
    await client.registerSubscription(signal);
    progress.say(`creating cluster ${name}`);
    const credentials = await credentialsFor(options);
    progress.update(`${name}: requesting the cluster`);
    const request = clusterRequest(cluster, client.subscriptionId, credentials, settings);
    const url = await client.createCluster(cluster, request, signal);
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
  writeFileAtomically(path, await client.adminKubeconfig(cluster, signal), 0o600);
  progress.say(`cluster ${name} Succeeded`);
  return path;
}

async function credentialsFor(options: EnsureClusterOptions): Promise<ClusterCredentials> {
  const { client, cluster, settings, withIdentities, progress, signal } = options;
  if (withIdentities) {
    progress.update(`${cluster.name}: creating managed identities`);
    return { identities: await client.createIdentities(cluster, settings?.version, signal) };
  }
  progress.update(`${cluster.name}: registering an application`);
  return { servicePrincipal: await client.registerApplication(cluster.name, signal) };
}

/** Waits for an operation that an earlier run started, and reports its steps. */
async function settle(
  { client, cluster, progress, signal }: EnsureClusterOptions,
  first: string,
): Promise<void> {
  const { name } = cluster;
  for (
    let state: string | undefined = first;
    state !== "Succeeded";
    state = await client.findState(cluster, signal)
  ) {
    if (state === "Failed" || state === undefined) throw failed(name, "its last operation failed");
    const operation = await client.newestOperation(cluster, signal);
    progress.update(
      operation && !isTerminal(operation.status)
        ? describeOperation(name, operation)
        : `${name} ${state}: waiting for a worker`,
    );
    await systemClock.sleep(pollMs, signal);
  }
}

function failed(name: string, why: string) {
  return cliErrors.ClusterFailed(
    `cluster ${name} failed: ${why}. Details are in service.log; delete the cluster to try again`,
  );
}

/**
 * Describes an operation in one line: its state, progress and active steps. An operation without a started step is described as
 * waiting for a worker.
 */
export function describeOperation(
  name: string,
  { status, percentComplete, properties }: Pick<AsyncOperation, "status" | "percentComplete" | "properties">,
): string {
  if (!properties)
    return isTerminal(status) ? `${name} ${status}` : `${name} ${status}: waiting for a worker`;
  const percent = percentComplete === undefined ? "" : ` ${String(Math.floor(percentComplete)).padStart(3)}%`;
  const steps = `${properties.completedSteps}/${properties.totalSteps}  ${properties.step}`;
  return `${name} ${status}${percent}  ${steps}`;
}
