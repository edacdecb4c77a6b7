import type { JsonValue } from "@keelson/base";
import { keyOf, parentId, sameId } from "../arm/arm-path.ts";
import type { BalancingRule, HealthProbe, HostedMachine, MachineHost } from "../arm/machine-host.ts";
import type { ResourceRecord } from "../arm/resource.ts";
import type { Subscription } from "../arm/subscription.ts";
import { at, nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { powerStateOf } from "../compute/power/power-state.ts";
import { healthExtensionOf, stoppedUnits } from "./instance-health.ts";
import { instanceType } from "./instances.ts";

/** Reports all existing scale set machines, and then every change, to a machine host. */
export function followMachines(subscription: Subscription, host: MachineHost): void {
  const keep = (record: ResourceRecord) => {
    const set = subscription.resources.find(parentId(record.id));
    if (set) host.keep(describe(record, set, subscription));
  };
  for (const record of subscription.resources.ofType(instanceType)) keep(record);
  subscription.store.onChange<ResourceRecord>("resource", (before, after) => {
    if ((after ?? before)?.type !== instanceType) return;
    if (after) keep(after);
    else host.remove(keyOf(before?.id ?? ""));
  });
}

function describe(record: ResourceRecord, set: ResourceRecord, subscription: Subscription): HostedMachine {
  const tags = Object.entries(typeof set.body.tags === "object" ? (set.body.tags ?? {}) : {});
  return {
    id: keyOf(record.id),
    name: record.name,
    customData: nonEmptyStringAt(set.hidden, "customData") ?? "",
    tags: Object.fromEntries(tags.map(([name, value]) => [name, String(value)])),
    isOn: powerStateOf(record) === "running",
    stoppedUnits: stoppedUnits(record),
    rules: rulesTo(set, subscription),
    ...extensionProbe(set),
  };
}

/** Returns the probe of a set's health extension. Default values match Azure's extension. */
function extensionProbe(set: ResourceRecord): { readonly health?: HealthProbe } {
  const settings = at(healthExtensionOf(set), "properties", "settings");
  if (typeof at(settings, "port") !== "number") return {};
  return { health: probeOf(settings, { intervalSeconds: 5, failures: 1 }) };
}

/** Returns a health probe. Load balancer probes and the health extension have the same properties. */
function probeOf(
  settings: JsonValue | undefined,
  usual: Pick<HealthProbe, "intervalSeconds" | "failures">,
): HealthProbe {
  const number = (name: string, fallback: number) => Number(at(settings, name) ?? fallback);
  return {
    protocol: protocolOf(nonEmptyStringAt(settings, "protocol")),
    port: number("port", 0),
    path: nonEmptyStringAt(settings, "requestPath") ?? "",
    intervalSeconds: number("intervalInSeconds", usual.intervalSeconds),
    failures: number("numberOfProbes", usual.failures),
  };
}

function protocolOf(text: string | undefined): HealthProbe["protocol"] {
  const name = text?.toLowerCase();
  return name === "https" || name === "http" ? name : "tcp";
}

function rulesTo(set: ResourceRecord, subscription: Subscription): readonly BalancingRule[] {
  return poolsOf(set).flatMap((pool) => {
    const balancer = subscription.resources.find(parentId(pool))?.body;
    return objectsAt(balancer, "properties", "loadBalancingRules")
      .filter((rule) => sameId(nonEmptyStringAt(rule, "properties", "backendAddressPool", "id") ?? "", pool))
      .map((rule) => {
        const probeId = nonEmptyStringAt(rule, "properties", "probe", "id") ?? "";
        const probe = objectsAt(balancer, "properties", "probes").find((each) =>
          sameId(nonEmptyStringAt(each, "id") ?? "", probeId),
        );
        return {
          name: nonEmptyStringAt(rule, "name") ?? "",
          frontend:
            nonEmptyStringAt(rule, "properties", "frontendIPConfiguration", "id")?.split("/").at(-1) ?? "",
          frontendPort: Number(at(rule, "properties", "frontendPort")),
          backendPort: Number(at(rule, "properties", "backendPort")),
          probe: probeOf(at(probe, "properties"), { intervalSeconds: 15, failures: 2 }),
        };
      });
  });
}

function poolsOf(set: ResourceRecord): readonly string[] {
  const profile = at(set.body, "properties", "virtualMachineProfile", "networkProfile");
  return objectsAt(profile, "networkInterfaceConfigurations")
    .flatMap((nic) => objectsAt(nic, "properties", "ipConfigurations"))
    .flatMap((each) => objectsAt(each, "properties", "loadBalancerBackendAddressPools"))
    .flatMap((each) => nonEmptyStringAt(each, "id") ?? []);
}
