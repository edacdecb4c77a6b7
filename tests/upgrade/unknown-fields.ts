import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Body } from "../e2e/support/stored-documents.ts";
import { findCluster, type SharedDocuments } from "./documents/shared-documents.ts";

/**
 * Fields as a later version might write them: at the top level of a document, in an object, and in the elements
 * of a list.
 */
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
  // The end of an operation may be followed by a late write.
  for (let attempt = 0; !(await documents.editIdleCluster(name, withUnknownFields)); attempt++) {
    assert.ok(attempt < 50, `${name} is idle`);
    await delay(100);
  }
}

export async function assertUnknownFieldsStayed(documents: SharedDocuments, name: string): Promise<void> {
  assertHasUnknownFields(await findCluster(documents, name));
}

/** Checks the unknown fields of all clusters that have them, and adds them to other idle ones. */
export async function checkUnknownFields(
  documents: SharedDocuments,
  marked: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for (const body of await documents.list("openshift_clusters")) {
    // A cluster may have been deleted and created again since.
    if (marked.has(body.id)) assertHasUnknownFields(body);
    else if (!(await documents.editIdleCluster(body.openShiftCluster.name, withUnknownFields))) continue;
    present.add(body.id);
  }
  return present;
}
