import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Body } from "../e2e/support/stored-documents.ts";
import { findCluster, type SharedDocuments } from "./documents/shared-documents.ts";

/** Unknown fields that a later version might add: in a document, in an object and in list elements. */
const additions = [
  { path: ["laterVersion"], value: { added: [1, "two", null] } },
  { path: ["openShiftCluster", "laterVersion"], value: "kept" },
  { path: ["openShiftCluster", "properties", "laterVersion"], value: { deep: { deeper: true } } },
  { path: ["openShiftCluster", "properties", "networkProfile", "laterVersion"], value: 7 },
  { path: ["openShiftCluster", "properties", "workerProfiles", "0", "laterVersion"], value: ["kept"] },
] as const;

const at = (body: Body, path: readonly string[]): Body => path.reduce((value, name) => value?.[name], body);

function withUnknownFields(body: Body): Body {
  for (const { path, value } of additions) at(body, path.slice(0, -1))[path.at(-1) ?? ""] = value;
  return body;
}

function assertHasUnknownFields(body: Body): void {
  for (const { path, value } of additions)
    assert.deepEqual(at(body, path), value, `${path.join(".")} of ${body?.openShiftCluster?.name}`);
}

/** Adds unknown fields to the document of an idle cluster. */
export async function addUnknownFields(documents: SharedDocuments, name: string): Promise<void> {
  // Retries because the service may still write to the document after the end of an operation.
  for (let attempt = 0; !(await documents.editIdleCluster(name, withUnknownFields)); attempt++) {
    assert.ok(attempt < 50, `${name} is idle`);
    await delay(100);
  }
}

export async function assertUnknownFieldsStayed(documents: SharedDocuments, name: string): Promise<void> {
  assertHasUnknownFields(await findCluster(documents, name));
}

/** Checks the clusters with unknown fields. Adds unknown fields to other idle clusters. */
export async function checkUnknownFields(
  documents: SharedDocuments,
  marked: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for (const body of await documents.list("openshift_clusters")) {
    // Compares IDs because a cluster with this name may have been deleted and recreated since then.
    if (marked.has(body.id)) assertHasUnknownFields(body);
    else if (!(await documents.editIdleCluster(body.openShiftCluster.name, withUnknownFields))) continue;
    present.add(body.id);
  }
  return present;
}
