import { readFileSync } from "node:fs";
import process from "node:process";
import { resourceGroupId } from "@keelson/arm";
import { silentLogger } from "@keelson/base";
import type { Command } from "commander";
import { fromEmbeddedWorld } from "../../configuration/embedded-world.ts";
import {
  addClusterOptions,
  type ClusterFlags,
  clusterOf,
  dryRunOption,
  integerFrom,
  parseVersion,
  parseVisibility,
  parseVmSize,
  type Visibility,
} from "../../options/cluster-options.ts";
import type { ClusterRef } from "../../options/cluster-ref.ts";
import { cliErrors } from "../../output/cli-errors.ts";
import { type PlannedRequest, plannedText } from "../../output/planned-requests.ts";
import { Progress } from "../../output/progress.ts";
import { stopSignal } from "../../process/stop-signals.ts";
import { plannedApis } from "../../rp-client/azure-calls.ts";
import { registerClusterApplication } from "../../rp-client/cluster-application.ts";
import { createIdentities } from "../../rp-client/cluster-identities.ts";
import {
  type ClusterSettings,
  clusterPath,
  clusterRequest,
  embeddedNetworkId,
} from "../../rp-client/cluster-request.ts";
import { ensureCluster } from "../../rp-client/ensure-cluster.ts";
import { RpClient, restartMs } from "../../rp-client/rp-client.ts";
import { untilConnected } from "../../rp-client/until-connected.ts";
import { embedded } from "../../state/embedded-defaults.ts";
import { type Endpoints, readEndpoints } from "../../state/endpoints.ts";
import { readIdentity } from "../../state/identity.ts";

interface CreateFlags extends ClusterFlags {
  readonly openshiftVersion?: string;
  readonly masterSize?: string;
  readonly workerSize?: string;
  readonly workerCount?: number;
  readonly visibility?: Visibility;
  readonly apiserverVisibility?: Visibility;
  readonly ingressVisibility?: Visibility;
  readonly identities?: boolean;
  readonly dryRun?: boolean;
  readonly output: "table" | "json";
}

export function addClusterCreate(cluster: Command): void {
  addClusterOptions(
    cluster
      .command("create")
      .description(
        "create a cluster and its subnets, wait until the cluster is ready, and write the kubeconfig to the state directory",
      ),
  )
    .option(
      "--openshift-version <version>",
      "OpenShift version (default: the service's default version)",
      parseVersion,
    )
    .option("--master-size <size>", "VM size of the three masters (default: Standard_D8s_v3)", parseVmSize)
    .option("--worker-size <size>", "VM size of the workers (default: Standard_D4s_v3)", parseVmSize)
    .option("--worker-count <n>", "number of workers, 2 to 50 (default: 3)", integerFrom(2, 50))
    .option(
      "--visibility <visibility>",
      "visibility of the API server and the ingress, Public or Private (default: Public)",
      parseVisibility,
    )
    .option(
      "--apiserver-visibility <visibility>",
      "visibility of the API server (default: value of --visibility)",
      parseVisibility,
    )
    .option(
      "--ingress-visibility <visibility>",
      "visibility of the ingress (default: value of --visibility)",
      parseVisibility,
    )
    .option(
      "--identities",
      "create managed identities for the cluster's access to Azure (default: create an Entra application)",
    )
    .addOption(dryRunOption())
    .addHelpText(
      "after",
      `
If the cluster exists, the command waits for the cluster's current operation and writes the kubeconfig.
For an existing cluster, the command rejects all options for version, VM sizes, worker count, visibility and identities.

Examples:
  keelson cluster create example
  keelson cluster create -g example -n example --openshift-version 4.18.26 --worker-size Standard_D8s_v3 --worker-count 4
  keelson cluster create example --visibility Private --identities --dry-run`,
    )
    .action(run);
}

async function run(argument: string | undefined, flags: CreateFlags, command: Command): Promise<void> {
  const cluster = clusterOf(argument, flags, command);
  const settings = settingsOf(flags);
  const signal = stopSignal(() => undefined);
  const endpoints = readEndpoints(flags.state);
  await using client = new RpClient(endpoints, { reconnectMs: restartMs });
  const isNew = (await client.findState(cluster, signal)) === undefined;
  const isConfigured = Object.keys(settings).length > 0 || flags.identities;
  if (!isNew && isConfigured) {
    throw cliErrors.ClusterExists(
      `cluster "${cluster.name}" exists, so its settings cannot be specified. Change its workers with "keelson cluster scale", or use a different name.`,
    );
  }
  if (flags.dryRun) {
    const plan = isNew ? await planOf(cluster, settings, flags, { client, endpoints, signal }) : [];
    process.stdout.write(plannedText(plan, flags.output));
    return;
  }
  using progress = new Progress();
  if (isNew) {
    const { seedNetwork } = await fromEmbeddedWorld(() => import("../../world/seed-network.ts"));
    const caPem = readFileSync(endpoints.caFile, "utf8");
    const seed = () =>
      seedNetwork(endpoints.arm, caPem, readIdentity(flags.state), [cluster], silentLogger, signal);
    await untilConnected(seed, { reconnectMs: restartMs, signal });
  }
  const withIdentities = flags.identities === true;
  const directory = flags.state;
  const kubeconfig = await ensureCluster({
    client,
    cluster,
    settings,
    withIdentities,
    directory,
    progress,
    signal,
  });
  progress.end();
  const { name } = cluster;
  process.stdout.write(
    flags.output === "json" ? `${JSON.stringify({ name, kubeconfig })}\n` : `${kubeconfig}\n`,
  );
}

/** Returns the settings that the flags specify. The result has no field for an omitted flag. */
function settingsOf(flags: CreateFlags): ClusterSettings {
  const { openshiftVersion: version, masterSize, workerSize, workerCount, visibility } = flags;
  const { apiserverVisibility = visibility, ingressVisibility = visibility } = flags;
  const all = { version, masterSize, workerSize, workerCount, apiserverVisibility, ingressVisibility };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

interface PlanContext {
  readonly client: RpClient;
  readonly endpoints: Endpoints;
  readonly signal: AbortSignal;
}

/** Returns the requests that create the cluster and its prerequisites. */
async function planOf(
  cluster: ClusterRef,
  settings: ClusterSettings,
  flags: CreateFlags,
  { client, endpoints, signal }: PlanContext,
): Promise<readonly PlannedRequest[]> {
  const { arm, rp, subscriptionId } = endpoints;
  const group = resourceGroupId(subscriptionId, cluster.resourceGroup);
  const { location } = embedded;
  const network = embeddedNetworkId(subscriptionId);
  const subnets = ["master", "worker"].map(
    (role): PlannedRequest => ({
      method: "PUT",
      url: `${arm}${network}/subnets/${cluster.name}-${role}`,
      body: { properties: { addressPrefix: "(first free /24 network)" } },
    }),
  );
  const credentials: PlannedRequest[] = [];
  const apis = plannedApis(endpoints, credentials);
  const displayName = `cluster ${cluster.name}`;
  const body = clusterRequest(
    cluster,
    subscriptionId,
    flags.identities
      ? {
          identities: await createIdentities(cluster, {
            apis,
            subscriptionId,
            roles: await client.operatorRoles(settings.version, signal),
          }),
        }
      : {
          servicePrincipal: await registerClusterApplication({
            apis,
            subscriptionId,
            displayName,
            virtualNetworkId: network,
          }),
        },
    settings,
  );
  return [
    { method: "PUT", url: `${arm}${group}`, body: { location } },
    ...subnets,
    ...credentials,
    { method: "PUT", url: `${rp}${clusterPath(subscriptionId, cluster)}`, body },
  ];
}
