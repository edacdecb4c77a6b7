import type { KubeObject } from "@keelson/apiserver";
import { listAt, messageOf, objectAt, stringAt } from "@keelson/base";
import { type Controller, done, type Result, timestamp, watch } from "@keelson/controller";
import { conditionStatus, type ObjectKey } from "@keelson/kube";
import { resources } from "../../base/resources.ts";
import { hasReason } from "../../base/status-reason.ts";
import type { Cluster } from "../../runtime/cluster.ts";

const { storageVersionMigrations } = resources;
const own: ReadonlySet<string> = new Set(["Running", "Succeeded", "Failed"]);

/**
 * Simulates the storage version migrator (kubernetes-sigs/kube-storage-version-migrator pkg/controller). The real migrator
 * rewrites every object of a resource with the current encryption and version. The simulated store has a single format, so the
 * simulation only lists the resource. It reports Running, and then Succeeded or, for an unknown resource, Failed.
 */
export const storageVersionMigrator: Controller<Cluster> = {
  name: "storage-version-migrator",
  watches: [watch(storageVersionMigrations)],
  reconcile: migrate,
};

async function migrate(key: ObjectKey, cluster: Cluster): Promise<Result> {
  const { client } = cluster;
  const migration = await client.find(storageVersionMigrations, key);
  const isOver = ["Succeeded", "Failed"].some((type) => conditionStatus(migration, type) === "True");
  if (!migration || migration.metadata.deletionTimestamp !== undefined || isOver) return done;
  const running = await report(cluster, migration, "Running");
  const [group, version, resource] = ["group", "version", "resource"].map(
    (member) => stringAt(migration, "spec", "resource", member) ?? "",
  );
  try {
    await client.list({ group: group ?? "", version: version ?? "", resource: resource ?? "" });
  } catch (error) {
    if (!hasReason(error, "NotFound")) throw error;
    await report(cluster, running, "Failed", messageOf(error));
    return done;
  }
  await report(cluster, running, "Succeeded");
  return done;
}

/** Adds a condition with the status True. Removes the previous conditions that the migrator has set. */
function report(
  { client, clock }: Cluster,
  migration: KubeObject,
  type: string,
  message?: string,
): Promise<KubeObject> {
  const others = listAt(migration, "status", "conditions").filter(
    (each) => !own.has(stringAt(each, "type") ?? ""),
  );
  const lastUpdateTime = timestamp(clock.now());
  const condition = { type, status: "True", lastUpdateTime, ...(message === undefined ? {} : { message }) };
  const status = { ...objectAt(migration, "status"), conditions: [...others, condition] };
  return client.updateStatus(storageVersionMigrations, { ...migration, status });
}
