import assert from "node:assert/strict";
import type { Fleet } from "../e2e/support/fleet.ts";

/** As a later version might write them: at the top of a document, within an object, and within the elements of a list. */
const additions = [
  { path: ["laterVersion"], value: { added: [1, "two", null] } },
  { path: ["openShiftCluster", "laterVersion"], value: "kept" },
  { path: ["openShiftCluster", "properties", "laterVersion"], value: { deep: { deeper: true } } },
  { path: ["openShiftCluster", "properties", "networkProfile", "laterVersion"], value: 7 },
  { path: ["openShiftCluster", "properties", "workerProfiles", "0", "laterVersion"], value: ["kept"] },
] as const;

/** Adds members that no program knows to the document of an idle cluster. */
export async function addUnknownFields({ database }: Fleet, name: string): Promise<void> {
  for (const { path, value } of additions) {
    const changed = await database.query(
      "update openshift_clusters set etag = nextval('document_etag'), body = jsonb_set(body::jsonb, $2, $3)::json" +
        " where body::jsonb->'openShiftCluster'->>'name' = $1 and lease_owner is null and queued_at is null",
      [name, path, JSON.stringify(value)],
    );
    assert.equal(changed.rowCount, 1, `${name} is idle`);
  }
}

export async function assertUnknownFieldsStayed({ database }: Fleet, name: string): Promise<void> {
  for (const { path, value } of additions) {
    const { rows } = await database.query<{ value: unknown }>(
      "select body::jsonb #> $2 as value from openshift_clusters where body::jsonb->'openShiftCluster'->>'name' = $1",
      [name, path],
    );
    assert.deepEqual(rows[0]?.value, value, `${path.join(".")} of ${name}`);
  }
}
