import { readFileSync } from "node:fs";
import process from "node:process";
import { type AsyncOperation, isTerminal } from "@keelson/arm";
import { silentLogger, systemClock } from "@keelson/base";
import { cliErrors } from "./cli-errors.ts";
import type { ClusterFlags } from "./commands/cluster.ts";
import { tableOf } from "./commands/output.ts";
import { fromEmbeddedWorld } from "./embedded-world.ts";
import { describeOperation, ensureCluster } from "./ensure-cluster.ts";
import { Progress } from "./progress.ts";
import { RpClient, restartMs } from "./rp-client.ts";
import { readEndpoints } from "./state/endpoints.ts";
import { readIdentity } from "./state/identity.ts";
import { untilConnected } from "./until-connected.ts";

const pollMs = 500;

/** @throws ClusterFailed with the operation's error */
export async function createCluster(
  name: string,
  { state, output }: ClusterFlags,
  signal: AbortSignal,
): Promise<void> {
  const endpoints = readEndpoints(state);
  await using client = new RpClient(endpoints, { reconnectMs: restartMs });
  using progress = new Progress();
  if ((await client.findState(name, signal)) === undefined) {
    const { seedNetwork } = await fromEmbeddedWorld(() => import("./world/seed-network.ts"));
    const caPem = readFileSync(endpoints.caFile, "utf8");
    const seed = () => seedNetwork(endpoints.arm, caPem, readIdentity(state), [name], silentLogger, signal);
    await untilConnected(seed, { reconnectMs: restartMs, signal });
  }
  const kubeconfig = await ensureCluster({ client, name, directory: state, progress, signal });
  progress.end();
  process.stdout.write(output === "json" ? `${JSON.stringify({ name, kubeconfig })}\n` : `${kubeconfig}\n`);
}

/** @throws UnknownCluster; ClusterFailed with the operation's error */
export async function deleteCluster(
  name: string,
  { state, output }: ClusterFlags,
  signal: AbortSignal,
): Promise<void> {
  await using client = new RpClient(readEndpoints(state), { reconnectMs: restartMs });
  using progress = new Progress();
  const url = await client.deleteCluster(name, signal);
  if (url === undefined) throw unknown(name);
  progress.say(`deleting cluster ${name}`);
  const operation = await client.follow(
    url,
    (status) => progress.update(describeOperation(name, status)),
    signal,
  );
  progress.end();
  finish(name, operation, output);
}

/** Follows the newest operation, live, until it ends. @throws UnknownCluster; ClusterFailed with the operation's error */
export async function watchCluster(
  name: string,
  { state, output }: ClusterFlags,
  signal: AbortSignal,
): Promise<void> {
  await using client = new RpClient(readEndpoints(state), { reconnectMs: restartMs });
  using progress = new Progress();
  for (;;) {
    const operation = await client.newestOperation(name, signal);
    if (!operation) throw unknown(name);
    progress.update(describeOperation(name, operation));
    if (isTerminal(operation.status)) {
      progress.end();
      return finish(name, operation, output);
    }
    await systemClock.sleep(pollMs, signal);
  }
}

export async function listClusters({ state, output }: ClusterFlags, signal: AbortSignal): Promise<void> {
  await using client = new RpClient(readEndpoints(state));
  const clusters = await client.listClusters(signal);
  const rows = clusters.map(({ name, resourceGroup, state: provisioning, version }) => [
    name,
    resourceGroup,
    provisioning,
    version,
  ]);
  process.stdout.write(
    output === "json"
      ? `${JSON.stringify(clusters)}\n`
      : tableOf([["NAME", "RESOURCE GROUP", "STATE", "VERSION"], ...rows]),
  );
}

function finish(name: string, operation: AsyncOperation, output: ClusterFlags["output"]): void {
  if (operation.status !== "Succeeded") {
    throw cliErrors.ClusterFailed(
      `cluster ${name}: the operation ${operation.status}: ${JSON.stringify(operation.error)}`,
    );
  }
  process.stdout.write(
    output === "json" ? `${JSON.stringify(operation)}\n` : `${name} ${operation.status}\n`,
  );
}

function unknown(name: string) {
  return cliErrors.UnknownCluster(
    `there is no cluster "${name}": "keelson cluster list" has those that there are`,
  );
}
