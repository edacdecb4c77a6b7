import { randomUUID } from "node:crypto";
import { defineErrors } from "@keelson/base";
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

const seedErrors = defineErrors({ CatalogueConflict: { retry: "backoff" } });

/** Maximum number of commit attempts. An attempt fails if a process that started concurrently has written the same documents. */
const attempts = 10;

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
 * @throws CatalogueConflict after repeated conflicting writes
 */
export async function seedVersions(
  database: ServiceDatabase,
  wanted: readonly SeedVersion[],
  signal: AbortSignal,
): Promise<void> {
  const { versions, defaultVersion } = database.collections;
  await seed(database, versionsPartition, signal, async () => {
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
    return [...writes, ...chosen.map(({ version }) => claim(version))];
  });
}

/** Adds missing role sets. Idempotent. @throws CatalogueConflict after repeated conflicting writes */
export async function seedRoleSets(
  database: ServiceDatabase,
  wanted: readonly SeedRoleSet[],
  signal: AbortSignal,
): Promise<void> {
  const { roleSets } = database.collections;
  await seed(database, roleSetsPartition, signal, async () => {
    const { items } = await roleSets.list({ partitionKey: roleSetsPartition, limit: 1000 }, signal);
    const stored = new Set(
      items.map((item) => item.document.platformWorkloadIdentityRoleSet.properties.openShiftVersion),
    );
    return wanted
      .filter(({ openShiftVersion }) => !stored.has(openShiftVersion))
      .map((properties) =>
        create(roleSets, {
          id: randomUUID(),
          partitionKey: roleSetsPartition,
          platformWorkloadIdentityRoleSet: { properties },
        }),
      );
  });
}

/** Commits the missing documents. After a conflict with a different process, determines again which documents are missing. */
async function seed(
  database: ServiceDatabase,
  partitionKey: string,
  signal: AbortSignal,
  missing: () => Promise<readonly Write[]>,
): Promise<void> {
  let last = "";
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const writes = await missing();
    if (writes.length === 0) return;
    const result = await database.commit(partitionKey, writes, { signal });
    if (result.kind === "committed") return;
    last = result.kind;
  }
  throw seedErrors.CatalogueConflict(
    `The documents of partition ${partitionKey} were not created: ${attempts} commits ended with ${last}. Check the configuration for values that are listed twice, and start the process again.`,
  );
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
