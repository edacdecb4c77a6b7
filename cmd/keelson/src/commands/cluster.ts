import { readFileSync } from "node:fs";
import process from "node:process";
import { type AsyncOperation, isTerminal } from "@keelson/arm";
import { silentLogger, systemClock } from "@keelson/base";
import type { Command } from "commander";
import { fromEmbeddedWorld } from "../configuration/embedded-world.ts";
import { parseClusterName, stateOption } from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { Progress } from "../output/progress.ts";
import { tableOf } from "../output/table.ts";
import { stopSignal } from "../process/stop-signals.ts";
import { describeOperation, ensureCluster } from "../rp-client/ensure-cluster.ts";
import { RpClient, restartMs } from "../rp-client/rp-client.ts";
import { untilConnected } from "../rp-client/until-connected.ts";
import { readEndpoints } from "../state/endpoints.ts";
import { readIdentity } from "../state/identity.ts";

interface ClusterFlags {
  readonly state: string;
  readonly output: "table" | "json";
}

const description = "name of the cluster and of its resource group";

/** `keelson cluster ...`: manages the clusters of a running instance through its ARM API. */
export function addCluster(root: Command): Command {
  const cluster = root
    .command("cluster")
    .description('create, delete, list and watch clusters of a running "keelson up"');
  const add = (name: string, text: string, run: typeof createCluster) =>
    cluster
      .command(name)
      .description(text)
      .argument("<name>", description, parseClusterName)
      .addOption(stateOption())
      .addOption(outputOption())
      .action((clusterName: string, flags: ClusterFlags) =>
        run(
          clusterName,
          flags,
          stopSignal(() => undefined),
        ),
      );
  add(
    "create",
    "create subnets and a cluster, wait until the cluster is ready, and write its kubeconfig",
    createCluster,
  );
  add("delete", "delete a cluster and wait until the deletion is complete", deleteCluster);
  add(
    "watch",
    "show the progress of the newest operation of a cluster until it completes. The exit code is 1 if it fails",
    watchCluster,
  );
  cluster
    .command("list")
    .description("list clusters with their provisioning states")
    .addOption(stateOption())
    .addOption(outputOption())
    .action((flags: ClusterFlags) =>
      listClusters(
        flags,
        stopSignal(() => undefined),
      ),
    );
  return cluster;
}

const pollMs = 500;

/** Creates a cluster and waits for the operation. @throws ClusterFailed with the operation's error */
async function createCluster(
  name: string,
  { state, output }: ClusterFlags,
  signal: AbortSignal,
): Promise<void> {
  const endpoints = readEndpoints(state);
  await using client = new RpClient(endpoints, { reconnectMs: restartMs });
  using progress = new Progress();
  if ((await client.findState(name, signal)) === undefined) {
    const { seedNetwork } = await fromEmbeddedWorld(() => import("../world/seed-network.ts"));
    const caPem = readFileSync(endpoints.caFile, "utf8");
    const seed = () => seedNetwork(endpoints.arm, caPem, readIdentity(state), [name], silentLogger, signal);
    await untilConnected(seed, { reconnectMs: restartMs, signal });
  }
  const kubeconfig = await ensureCluster({ client, name, directory: state, progress, signal });
  progress.end();
  process.stdout.write(output === "json" ? `${JSON.stringify({ name, kubeconfig })}\n` : `${kubeconfig}\n`);
}

/** Deletes a cluster and waits for the operation. @throws UnknownCluster; ClusterFailed with the operation's error */
async function deleteCluster(
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

/**
 * Reports the newest operation of a cluster until the operation completes.
 * @throws UnknownCluster; ClusterFailed with the operation's error
 */
async function watchCluster(
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

async function listClusters({ state, output }: ClusterFlags, signal: AbortSignal): Promise<void> {
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
    `there is no cluster "${name}". Run "keelson cluster list" to see all clusters.`,
  );
}
