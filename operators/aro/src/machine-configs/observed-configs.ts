import { singleton } from "@keelson/aro-api";
import { watchFor, withoutManagedFields } from "@keelson/controller";
import { type KubeObject, resources } from "@keelson/kube";
import { managing, may, reading } from "../runtime/may.ts";
import type { Request } from "../runtime/operator-context.ts";

const { machineConfigs, machineConfigPools } = resources;

export const roleLabel = "machineconfiguration.openshift.io/role";

/** Matches the names of this operator's MachineConfigs. */
const ownNames = /^99-(?:.*-aro-(?:dns|etc-hosts-gateway-domains)|master-disable-(?:algif-aead|dirtyfrag))$/;

/** Reduces MachineConfigs of administrators and the platform to their metadata, because MachineConfigs are large. */
function strip(config: KubeObject): KubeObject {
  if (ownNames.test(config.metadata.name)) return withoutManagedFields(config);
  const { apiVersion, kind, metadata } = withoutManagedFields(config);
  const { labels: _, annotations: __, ...identity } = metadata;
  return { apiVersion, kind, metadata: identity };
}

/** The label selector excludes rendered configurations, which are the largest MachineConfigs. */
const configs = { selection: { labelSelector: roleLabel }, strip };

/** Returns a watch that reconciles the controller's single key when a MachineConfig with a matching name changes. */
export function machineConfigsChanged(names: RegExp) {
  return watchFor(machineConfigs, singleton, {
    ...configs,
    where: ({ object }) => names.test(object.metadata.name),
  });
}

/** Watch that reconciles the controller's single key when a pool is added or deleted. */
export const poolsChanged = watchFor(machineConfigPools, singleton, {
  where: ({ object, before }) =>
    before === undefined || object.metadata.deletionTimestamp !== before.metadata.deletionTimestamp,
});

export const machineConfigPermissions = [
  may(managing, "machineconfiguration.openshift.io", ["machineconfigs"]),
  may(reading, "machineconfiguration.openshift.io", ["machineconfigpools"]),
  may(["update"], "machineconfiguration.openshift.io", ["machineconfigpools/finalizers"]),
] as const;

/** Returns the pools that are not terminating, sorted by name. */
export function poolsOf({ cache }: Request): readonly KubeObject[] {
  return cache
    .informer(machineConfigPools)
    .list()
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** Returns the MachineConfigs with a role label and a matching name. */
export function configsNamed({ cache }: Request, names: RegExp): readonly KubeObject[] {
  return cache
    .informer(machineConfigs, configs)
    .list()
    .filter(({ metadata }) => names.test(metadata.name));
}

/**
 * Returns a MachineConfig. If it is not cached, it is read from the server. A MachineConfig without the role label is never
 * cached.
 */
export async function findConfig({ cache, objects }: Request, name: string): Promise<KubeObject | undefined> {
  return cache.informer(machineConfigs, configs).get({ name }) ?? objects.find(machineConfigs, { name });
}
