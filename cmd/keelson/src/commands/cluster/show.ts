import process from "node:process";
import type { AsyncOperation } from "@keelson/arm";
import { type JsonObject, listAt, numberAt, objectAt, stringAt } from "@keelson/base";
import type { Command } from "commander";
import { addClusterOptions, type ClusterFlags, clusterOf } from "../../options/cluster-options.ts";
import { printable } from "../../output/printable.ts";
import { stopSignal } from "../../process/stop-signals.ts";
import { describeOperation } from "../../rp-client/ensure-cluster.ts";
import { type Availability, RpClient } from "../../rp-client/rp-client.ts";
import { readEndpoints } from "../../state/endpoints.ts";

interface ShowFlags extends ClusterFlags {
  readonly output: "table" | "json";
}

interface Shown {
  /** Cluster resource, as returned by the ARM API. */
  readonly cluster: JsonObject;
  readonly health?: Availability;
  readonly operation?: AsyncOperation;
}

export function addClusterShow(cluster: Command): void {
  addClusterOptions(
    cluster
      .command("show")
      .description(
        "print the state, health, version, addresses, machines, identity and newest operation of a cluster",
      ),
  )
    .addHelpText(
      "after",
      `
With -o json, the field \`cluster\` contains the cluster resource as returned by the ARM API.

Examples:
  keelson cluster show demo
  keelson cluster show -g demo -n demo -o json`,
    )
    .action(run);
}

async function run(argument: string | undefined, flags: ShowFlags, command: Command): Promise<void> {
  const cluster = clusterOf(argument, flags, command);
  const signal = stopSignal(() => undefined);
  await using client = new RpClient(readEndpoints(flags.state));
  const resource = await client.cluster(cluster, signal);
  const health = await client.availability(cluster, signal);
  const operation = await client.newestOperation(cluster, signal);
  const shown = {
    cluster: resource,
    ...(health === undefined ? {} : { health }),
    ...(operation === undefined ? {} : { operation }),
  };
  process.stdout.write(flags.output === "json" ? `${JSON.stringify(shown)}\n` : showText(shown));
}

/** Formats a cluster as one line for each property. Omits unknown properties. */
export function showText({ cluster, health, operation }: Shown): string {
  const at = (...path: readonly (string | number)[]) => stringAt(cluster, "properties", ...path);
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Name", stringAt(cluster, "name")],
    ["ID", stringAt(cluster, "id")],
    ["State", at("provisioningState")],
    ["Health", health && `${health.state}: ${health.summary}`],
    ["Version", at("clusterProfile", "version")],
    ["API server", address(at("apiserverProfile", "url"), at("apiserverProfile", "visibility"))],
    ["Console", at("consoleProfile", "url")],
    ["Ingress", address(at("ingressProfiles", 0, "ip"), at("ingressProfiles", 0, "visibility"))],
    ["Masters", machines(3, at("masterProfile", "vmSize"))],
    ...workers(cluster).map((text) => ["Workers", text] as const),
    ["Identity", identityOf(cluster)],
    ["Managed resource group", at("clusterProfile", "resourceGroupId")],
    ["Created", stringAt(cluster, "systemData", "createdAt")],
    ["Newest operation", operation && describeOperation("", operation).trim()],
    ["Error", operation?.error && `${operation.error.code}: ${operation.error.message}`],
  ];
  return rows
    .flatMap(([title, value]) => (value ? [`${title.padEnd(23)} ${printable(value)}\n`] : []))
    .join("");
}

function address(value: string | undefined, visibility: string | undefined): string | undefined {
  return value === undefined ? visibility : `${value} (${visibility ?? "unknown visibility"})`;
}

function machines(count: number | undefined, size: string | undefined): string | undefined {
  return size === undefined ? undefined : `${count ?? "?"} x ${size}`;
}

/**
 * Returns one line for each worker profile. The profiles come from `workerProfilesStatus` (existing machines). If there is no
 * status yet, they come from `workerProfiles` (requested machines).
 */
function workers(cluster: JsonObject): readonly string[] {
  const status = listAt(cluster, "properties", "workerProfilesStatus");
  const profiles = status.length > 0 ? status : listAt(cluster, "properties", "workerProfiles");
  return profiles.map((each) => {
    const text = machines(numberAt(each, "count"), stringAt(each, "vmSize")) ?? "";
    return `${text} (${stringAt(each, "name") ?? "worker"})`;
  });
}

function identityOf(cluster: JsonObject): string | undefined {
  const clientId = stringAt(cluster, "properties", "servicePrincipalProfile", "clientId");
  if (clientId) return `service principal ${clientId}`;
  const operators = Object.keys(
    objectAt(cluster, "properties", "platformWorkloadIdentityProfile", "platformWorkloadIdentities"),
  );
  return operators.length === 0
    ? undefined
    : `managed identities of the cluster and ${operators.length} operators`;
}
