import { parseResourceId } from "@keelson/arm";
import { type AzureClients, statusOf } from "@keelson/azure";
import { type Clock, type Logger, messageOf } from "@keelson/base";
import { type ClusterDocument, parseSubnetId, presentWorkers } from "@keelson/model";
import { workDimensions } from "../metrics/cluster-dimensions.ts";
import { type Emit, emitWith, type MetricSink } from "../metrics/metric-spec.ts";
import {
  destinationsOf,
  isHarmful,
  type MachineNetworks,
  type SecurityRule,
  sourcesOf,
} from "./deny-rules.ts";

export const nsgMetrics = {
  "monitor.preconfigurednsg.enabled": {
    help: "1 for a cluster with security groups that its owner manages.",
    dimensions: [],
  },
  "monitor.preconfigurednsg.invaliddenyrule": {
    help: "1 for each rule of the owner that blocks traffic between the cluster's machines.",
    dimensions: [
      "networksecuritygroup",
      "nsgresourcegroup",
      "rulename",
      "sources",
      "destinations",
      "direction",
      "priority",
    ],
  },
  "monitor.preconfigurednsg.subnetaccessforbidden": {
    help: "1 for a subnet that the service may not read.",
    dimensions: ["subnet", "vNet", "nsgresourcegroup"],
  },
  "monitor.preconfigurednsg.failedmonitorcreation": {
    help: "1 if the service could not sign in to the cluster's subscription.",
    dimensions: [],
  },
  "monitor.nsg.duration": { help: "Duration of the check in seconds.", dimensions: [], isFraction: true },
} as const;

export interface NsgMonitorOptions {
  readonly azure: () => AzureClients;
  /**
   * True if the check is due in this collection. The metric `monitor.preconfigurednsg.enabled` is sent in every collection, even
   * without a check.
   */
  readonly isDue: boolean;
  readonly sink: MetricSink;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface SecurityGroup {
  readonly id: string;
  readonly rules: readonly (SecurityRule & {
    readonly name?: string;
    readonly direction?: string;
    readonly priority?: number;
  })[];
}

interface SubnetState {
  readonly prefixes: readonly string[];
  readonly group: SecurityGroup | undefined;
}

/** Checks the customer's network security groups for rules that block required traffic. Resolves to true if the check ran. */
export async function monitorSecurityGroups(
  document: ClusterDocument,
  { azure: connect, isDue, sink, clock, logger }: NsgMonitorOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { properties } = document.openShiftCluster;
  if (properties.networkProfile.preconfiguredNSG !== "Enabled") return false;
  const emit = emitWith(nsgMetrics, sink, workDimensions(document));
  emit("monitor.preconfigurednsg.enabled", 1, {});
  if (!isDue) return false;
  const startedMs = clock.monotonicMs();
  let azure: AzureClients;
  try {
    azure = connect();
  } catch (error) {
    emit("monitor.preconfigurednsg.failedmonitorcreation", 1, {});
    logger.warn({ error: messageOf(error) }, "security groups cannot be checked");
    return true;
  }
  const read = async (id: string) => {
    try {
      return await readSubnet(azure, id, signal);
    } catch (error) {
      signal.throwIfAborted();
      reportUnread(error, id, emit);
      logger.warn({ subnet: id, error: messageOf(error) }, "a subnet could not be read");
      return undefined;
    }
  };
  const masters = await read(properties.masterProfile.subnetId);
  const workers: SubnetState[] = [];
  for (const id of workerSubnets(document)) {
    const subnet = await read(id);
    if (subnet) workers.push(subnet);
  }
  const networks = {
    masters: masters?.prefixes ?? [],
    workers: workers.flatMap(({ prefixes }) => prefixes),
  };
  const groups = [masters, ...workers].flatMap((subnet) => (subnet?.group ? [subnet.group] : []));
  // Each group is checked once. Several subnets may refer to the same group, with different letter case in the group ID.
  for (const group of new Map(groups.map((each) => [each.id.toLowerCase(), each])).values())
    reportGroup(group, networks, emit);
  emit("monitor.nsg.duration", (clock.monotonicMs() - startedMs) / 1_000, {});
  return true;
}

/** Returns the subnets of MachineSets that have machines, including MachineSets that the customer created. */
function workerSubnets({ openShiftCluster }: ClusterDocument): ReadonlySet<string> {
  const used = presentWorkers(openShiftCluster).filter(
    ({ profile }) => profile.subnetId && profile.count > 0,
  );
  return new Set(used.map(({ profile }) => profile.subnetId));
}

async function readSubnet(azure: AzureClients, id: string, signal: AbortSignal): Promise<SubnetState> {
  const { resourceGroup, virtualNetwork, name } = parseSubnetId(id);
  const subnet = await azure.network.subnets.get(resourceGroup, virtualNetwork, name, {
    ...azure.call(signal),
    expand: "NetworkSecurityGroup",
  });
  const prefixes = [
    ...(subnet.addressPrefix ? [subnet.addressPrefix] : []),
    ...(subnet.addressPrefixes ?? []),
  ];
  if (prefixes.length === 0) throw new Error(`subnet ${id} has no address prefix`);
  const group = subnet.networkSecurityGroup;
  return {
    prefixes,
    group: group?.id === undefined ? undefined : { id: group.id, rules: group.securityRules ?? [] },
  };
}

function reportUnread(error: unknown, id: string, emit: Emit<typeof nsgMetrics>): void {
  if (statusOf(error) !== 403) return;
  const { resourceGroup, virtualNetwork, name } = parseSubnetId(id);
  emit("monitor.preconfigurednsg.subnetaccessforbidden", 1, {
    subnet: name,
    vNet: virtualNetwork,
    nsgresourcegroup: resourceGroup,
  });
}

function reportGroup(group: SecurityGroup, networks: MachineNetworks, emit: Emit<typeof nsgMetrics>): void {
  const parsed = parseResourceId(group.id);
  for (const rule of group.rules) {
    if (!isHarmful(rule, networks)) continue;
    emit("monitor.preconfigurednsg.invaliddenyrule", 1, {
      networksecuritygroup: parsed?.path.at(-1)?.[1] ?? group.id,
      nsgresourcegroup: parsed?.resourceGroup ?? "",
      rulename: rule.name ?? "",
      sources: sourcesOf(rule).join(","),
      destinations: destinationsOf(rule).join(","),
      direction: rule.direction ?? "",
      priority: `${rule.priority ?? ""}`,
    });
  }
}
