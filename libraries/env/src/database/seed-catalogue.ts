import { randomUUID } from "node:crypto";
import { create, type Write } from "@keelson/database";
import {
  claimDefault,
  type MachineImages,
  type PlatformWorkloadIdentityRole,
  publishedMachineImages,
  roleSetsPartition,
  type ServiceDatabase,
  versionsPartition,
} from "@keelson/model";

export interface SeedVersion {
  readonly version: string;
  readonly default: boolean;
  /** Machine images. Default: the published images of the minor version. */
  readonly machineImages?: MachineImages;
}

export interface SeedRoleSet {
  /** Minor version, for example `4.16`. */
  readonly openShiftVersion: string;
  readonly platformWorkloadIdentityRoles: readonly PlatformWorkloadIdentityRole[];
}

/**
 * Adds missing OpenShift versions and enables them. Existing versions and the existing default version do not change. Idempotent.
 */
export async function seedVersions(
  database: ServiceDatabase,
  wanted: readonly SeedVersion[],
  signal: AbortSignal,
): Promise<void> {
  const { versions, defaultVersion } = database.collections;
  const claim = await claimDefault(defaultVersion, signal);
  const { items } = await versions.list({ partitionKey: versionsPartition, limit: 1000 }, signal);
  const stored = items.map((item) => item.document.openShiftVersion.properties);
  const hasDefault = stored.some((each) => each.default);
  const missing = wanted.filter(({ version }) => !stored.some((each) => each.version === version));
  const writes = missing.map(({ version, machineImages, default: isDefault }) =>
    create(versions, {
      id: randomUUID(),
      partitionKey: versionsPartition,
      openShiftVersion: {
        properties: {
          version,
          ...pullspecs(version),
          ...imagesOf(version, machineImages),
          enabled: true,
          default: isDefault && !hasDefault,
        },
      },
    }),
  );
  const chosen = hasDefault ? [] : missing.filter((each) => each.default);
  writes.push(...chosen.map(({ version }) => claim(version)));
  await seed(database, versionsPartition, writes, signal);
}

/** Adds missing role sets. Idempotent. */
export async function seedRoleSets(
  database: ServiceDatabase,
  wanted: readonly SeedRoleSet[],
  signal: AbortSignal,
): Promise<void> {
  const { roleSets } = database.collections;
  const { items } = await roleSets.list({ partitionKey: roleSetsPartition, limit: 1000 }, signal);
  const stored = new Set(
    items.map((item) => item.document.platformWorkloadIdentityRoleSet.properties.openShiftVersion),
  );
  const writes = wanted
    .filter(({ openShiftVersion }) => !stored.has(openShiftVersion))
    .map((properties) =>
      create(roleSets, {
        id: randomUUID(),
        partitionKey: roleSetsPartition,
        platformWorkloadIdentityRoleSet: { properties },
      }),
    );
  await seed(database, roleSetsPartition, writes, signal);
}

/** Commits all writes or none. Conflicts are ignored, because a different process wrote the same documents. */
async function seed(
  database: ServiceDatabase,
  partitionKey: string,
  writes: readonly Write[],
  signal: AbortSignal,
): Promise<void> {
  if (writes.length > 0) await database.commit(partitionKey, writes, { signal });
}

function imagesOf(version: string, wanted: MachineImages | undefined) {
  const machineImages = wanted ?? publishedMachineImages(version);
  return machineImages ? { machineImages } : {};
}

function pullspecs(version: string) {
  const minor = version.split(".").slice(0, 2).join(".");
  return {
    openShiftPullspec: `quay.io/openshift-release-dev/ocp-release:${version}-x86_64`,
    installerPullspec: `arointsvc.azurecr.io/aro-installer:${minor}`,
  };
}
