import { isPlainObject, listAt, stringAt } from "@keelson/base";
import { conditionStatus, type KubeObject, type KubeResource, resources } from "@keelson/kube";
import type { OperatorParts, OperatorRequest } from "../operator/operator-controller.ts";
import { writeEncryptionConfig } from "./encryption-config.ts";
import { type EncryptedResource, isMigrated, keyIdOf, migratedAnnotations } from "./encryption-key.ts";
import type { EncryptionOptions, EncryptionSituation } from "./encryption-situation.ts";

export const storageVersionMigrations: KubeResource = {
  group: "migration.k8s.io",
  version: "v1alpha1",
  plural: "storageversionmigrations",
  kind: "StorageVersionMigration",
  namespaced: false,
};

const writeKeyAnnotation = "encryption.apiserver.operator.openshift.io/write-key";
const retryMs = 300_000;

/**
 * Rewrites all objects with the write key as soon as every API server encrypts with this key. Records completed resources on the
 * key. Returns the resources that are still being migrated.
 * @throws Error for failed migrations
 */
export async function migrate<Parts extends OperatorParts>(
  options: EncryptionOptions<Parts>,
  { deployed, desired, keySecrets }: EncryptionSituation,
  { parts, signal }: OperatorRequest<Parts>,
): Promise<readonly EncryptedResource[]> {
  const { api, clock } = parts;
  if (!deployed) return [];
  if (writeEncryptionConfig(deployed) !== writeEncryptionConfig(desired)) {
    // Deletes migrations to a write key that is about to be replaced, because they would be useless.
    for (const resource of deployed.keys())
      await api.delete(storageVersionMigrations, { name: migrationName(resource) }, signal);
    return [];
  }
  const migrating: EncryptedResource[] = [];
  const failures: string[] = [];
  for (const [resource, { writeKey }] of [...deployed].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (!writeKey || isMigrated(writeKey, [resource])) continue;
    const outcome = await migrateResource(resource, `${writeKey.id}`, parts, signal);
    if (outcome === "running") migrating.push(resource);
    else if (outcome !== "done") failures.push(outcome.failure);
    else {
      const secret = keySecrets.find((each) => keyIdOf(each) === writeKey.id);
      if (!secret) throw new Error(`the Secret of key ${writeKey.id} of ${options.component} is gone`);
      await markMigrated(secret, [...writeKey.migrated.resources, resource], clock.now(), parts, signal);
      // The next resource is migrated in the next call, which reads the updated Secret.
      return [...migrating, resource];
    }
  }
  if (failures.length > 0) throw new Error(failures.join("; "));
  return migrating;
}

async function migrateResource<Parts extends OperatorParts>(
  resource: EncryptedResource,
  writeKey: string,
  { api, clock }: Parts,
  signal: AbortSignal,
): Promise<"running" | "done" | { readonly failure: string }> {
  const name = migrationName(resource);
  const live = await api.find(storageVersionMigrations, { name }, signal);
  const isOfKey = live?.metadata.annotations?.[writeKeyAnnotation] === writeKey;
  if (live && isOfKey && conditionStatus(live, "Succeeded") === "True") return "done";
  const failed = live && isOfKey ? failureOf(live) : undefined;
  if (failed && clock.now().getTime() - failed.atMs <= retryMs)
    return {
      failure: `migration of ${resource} for key ${JSON.stringify(writeKey)} failed: ${failed.message}`,
    };
  if (live && isOfKey && !failed) return "running";
  if (live) {
    const { resourceVersion } = live.metadata;
    const preconditions = resourceVersion === undefined ? {} : { preconditions: { resourceVersion } };
    await api.delete(storageVersionMigrations, { name }, signal, preconditions);
  }
  const [plural = "", ...group] = resource.split(".");
  await api.create(
    storageVersionMigrations,
    {
      apiVersion: "migration.k8s.io/v1alpha1",
      kind: "StorageVersionMigration",
      metadata: { name, annotations: { [writeKeyAnnotation]: writeKey } },
      spec: { resource: { group: group.join("."), version: "v1", resource: plural } },
    },
    signal,
  );
  return "running";
}

function failureOf(migration: KubeObject): { readonly message: string; readonly atMs: number } | undefined {
  const found = listAt(migration, "status", "conditions").find(
    (each) => stringAt(each, "type") === "Failed" && stringAt(each, "status") === "True",
  );
  if (!isPlainObject(found)) return undefined;
  const at = Date.parse(stringAt(found, "lastUpdateTime") ?? stringAt(found, "lastTransitionTime") ?? "");
  return { message: stringAt(found, "message") ?? "", atMs: Number.isNaN(at) ? 0 : at };
}

function migrationName(resource: EncryptedResource): string {
  const [plural = "", ...group] = resource.split(".");
  return `encryption-migration-${group.join(".") || "core"}-${plural}`;
}

async function markMigrated<Parts extends OperatorParts>(
  { metadata }: KubeObject,
  migrated: readonly EncryptedResource[],
  now: Date,
  { api }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const { name, namespace = "", resourceVersion } = metadata;
  const annotations = migratedAnnotations(migrated, now);
  await api.mergePatch(
    resources.secrets,
    { namespace, name },
    { metadata: { resourceVersion, annotations } },
    signal,
  );
}
