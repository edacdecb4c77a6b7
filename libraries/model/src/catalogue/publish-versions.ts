import { isDeepStrictEqual } from "node:util";
import { defineErrors } from "@keelson/base";
import type { ServiceDatabase } from "../database/collections.ts";
import { roleSetsPartition, versionsPartition } from "../documents/catalogue-documents.ts";
import { claimDefault } from "./default-version.ts";
import type { OpenShiftVersionProperties } from "./openshift-version-request.ts";
import { commitPlan, type Published, type PublishPlan, planPublishing } from "./publish-documents.ts";
import type { RoleSetProperties } from "./role-set-request.ts";

const publishErrors = defineErrors({ PublishingConflict: { retry: "backoff" } });

const limit = 10_000;
const attempts = 5;

export interface PublishOptions {
  /** True to compute the changes without writing them. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/**
 * Publishes exactly the desired installable versions. One of them is the default.
 * @throws PublishingConflict after repeated conflicting writes
 */
export async function publishVersions(
  database: ServiceDatabase,
  wanted: readonly OpenShiftVersionProperties[],
  options: PublishOptions,
): Promise<Published> {
  const { versions, defaultVersion } = database.collections;
  return publish(database, versionsPartition, options, async () => {
    const claim = await claimDefault(defaultVersion, options.signal);
    const { items } = await versions.list({ partitionKey: versionsPartition, limit }, options.signal);
    const plan = planPublishing({
      collection: versions,
      partitionKey: versionsPartition,
      stored: items,
      wanted: new Map(wanted.map((each) => [each.version, each])),
      nameOf: ({ openShiftVersion }) => openShiftVersion.properties.version,
      propertiesOf: ({ openShiftVersion }) => openShiftVersion.properties,
      isSame: isDeepStrictEqual,
      documentOf: (base, properties) => ({ ...base, openShiftVersion: { properties } }),
    });
    const former = items.map(({ document }) => document.openShiftVersion.properties).filter(isDefault);
    const chosen = wanted.find(isDefault)?.version;
    const moves = chosen !== undefined && !former.some(({ version }) => version === chosen);
    // The writes for the new and the previous default version must be in the first commit, so that exactly one version is always
    // the default.
    const ofDefault = new Set([chosen, ...former.map(({ version }) => version)]);
    const [first, others] = [true, false].map((is) =>
      plan.writes.filter(({ name }) => ofDefault.has(name) === is),
    );
    const claimed = moves ? [{ name: chosen, write: claim(chosen) }] : [];
    return { ...plan, writes: [...claimed, ...(first ?? []), ...(others ?? [])] };
  });
}

/**
 * Publishes exactly the desired role sets.
 * @throws PublishingConflict after repeated conflicting writes
 */
export async function publishRoleSets(
  database: ServiceDatabase,
  wanted: readonly RoleSetProperties[],
  options: PublishOptions,
): Promise<Published> {
  const { roleSets } = database.collections;
  return publish(database, roleSetsPartition, options, async () => {
    const { items } = await roleSets.list({ partitionKey: roleSetsPartition, limit }, options.signal);
    return planPublishing({
      collection: roleSets,
      partitionKey: roleSetsPartition,
      stored: items,
      wanted: new Map(wanted.map((each) => [each.openShiftVersion, each])),
      nameOf: ({ platformWorkloadIdentityRoleSet: { properties } }) => properties.openShiftVersion,
      propertiesOf: ({ platformWorkloadIdentityRoleSet: { properties } }) => properties,
      isSame: isDeepStrictEqual,
      documentOf: (base, properties) => ({ ...base, platformWorkloadIdentityRoleSet: { properties } }),
    });
  });
}

async function publish(
  database: ServiceDatabase,
  partitionKey: string,
  { dryRun, signal }: PublishOptions,
  plan: () => Promise<PublishPlan>,
): Promise<Published> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const { writes, ...published } = await plan();
    const all = writes.map(({ write }) => write);
    if (dryRun || (await commitPlan(database, partitionKey, all, signal))) return published;
  }
  throw publishErrors.PublishingConflict("others changed the same all the time: run the command again");
}

function isDefault({ default: is }: OpenShiftVersionProperties): boolean {
  return is;
}
