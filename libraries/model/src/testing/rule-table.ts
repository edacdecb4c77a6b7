import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { isPlainObject, type JsonObject, type JsonValue } from "@keelson/base";
import { apiVersions } from "../api-versions/api-versions.ts";
import type { ApiVersion } from "../api-versions/version.ts";
import type { SchemaNode } from "../fields/schema.ts";
import { applyClusterRequest, type ClusterRequest } from "../validation/put-or-patch-request.ts";
import { installedCluster, testRequest, validBody, versionNamed } from "./test-cluster.ts";

const names = apiVersions.map(({ name }) => name);
const [first = ""] = names;

/** Test row for the violation of a rule: changes of a valid request, and the expected error. */
export interface RuleRow {
  readonly title: string;
  /** Changes that are merged into a valid body. `undefined` removes a property. */
  readonly wrong: JsonObject;
  readonly code?: string;
  readonly target: string;
  readonly message: string;
  /** Versions that have the rule. Default: all versions. A version that lacks the fields is skipped. */
  readonly versions?: readonly string[];
  /** Set if the rule applies only at creation. Default: creation and updates. */
  readonly when?: "create";
  /**
   * True if an update cannot violate the rule, because the updated cluster contains the stored values instead of the wrong
   * values.
   */
  readonly onlyCreationSays?: true;
  /** Returns a valid body for the change. Default: `validBody`. */
  readonly body?: (version: ApiVersion) => JsonObject;
  readonly request?: Partial<ClusterRequest>;
}

export const onlyFirst = { versions: [first] } as const;
/** Versions after the first. In the first version, updates can change workers and ingress, so some rules differ. */
export const onlyLater = { versions: names.slice(1) } as const;

/**
 * Tests that each row's rule applies in its versions, at creation and on updates. A rule with `when: "create"` must not apply on
 * updates.
 */
export function testRules(rows: readonly RuleRow[]): void {
  for (const row of rows) {
    for (const name of row.versions ?? names) {
      const version = versionNamed(name);
      const body = (row.body ?? validBody)(version);
      if (!knows(version.fields, row.wrong) || !knows(version.fields, body)) continue;
      test(`${row.title}: refused on creation, ${name}`, () => assertRefused(row, creation(version, row)));
      if (row.onlyCreationSays) continue;
      if (row.when !== "create") {
        test(`${row.title}: refused on update, ${name}`, () => assertRefused(row, patch(version, row)));
      } else {
        test(`${row.title}: no static rule on update, ${name}`, () => {
          const { body } = errorOf(patch(version, row));
          assert.equal(body.code, "PropertyChangeNotAllowed");
        });
      }
    }
  }
}

/** True if the version has every field of the body. */
function knows(fields: readonly SchemaNode[], body: JsonObject): boolean {
  return Object.entries(body).every(([name, value]) => {
    const node = fields.find((each) => each.name === name);
    if (!node) return false;
    if (node.members.length === 0) return true;
    const inside: readonly (JsonValue | undefined)[] = isJsonArray(value)
      ? value
      : isJsonObject(value) && node.field.type === "map"
        ? Object.values(value)
        : [value];
    return inside.every((each) => !isJsonObject(each) || knows(node.members, each));
  });
}

/** Returns the error of a rejected request. Fails if the request is accepted. */
export function errorOf(request: ClusterRequest): CloudError {
  try {
    applyClusterRequest(request);
  } catch (error) {
    if (error instanceof CloudError) return error;
    throw error;
  }
  return assert.fail("the request was accepted");
}

/** Deep-merges `patch` into `body`. Objects are merged by property, arrays by index. `undefined` removes a property. */
export function merged(body: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(body));
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) result.delete(key);
    else result.set(key, mergedValue(result.get(key), value));
  }
  return Object.fromEntries(result);
}

function mergedValue(body: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (isJsonArray(patch)) {
    const base = isJsonArray(body) ? body : [];
    return patch.map((element, index) => mergedValue(base[index], element));
  }
  return isJsonObject(patch) ? merged(isJsonObject(body) ? body : {}, patch) : patch;
}

function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return isPlainObject(value);
}

function creation(version: ApiVersion, row: RuleRow): ClusterRequest {
  const body = merged((row.body ?? validBody)(version), row.wrong);
  return testRequest({ version, body, ...row.request });
}

function patch(version: ApiVersion, row: RuleRow): ClusterRequest {
  const current = installedCluster(version, (row.body ?? validBody)(version));
  return testRequest({ version, method: "PATCH", current, body: row.wrong, ...row.request });
}

function assertRefused(row: RuleRow, request: ClusterRequest): void {
  const { status, body } = errorOf(request);
  assert.deepEqual(
    { status, code: body.code, target: body.target, message: body.message },
    { status: 400, code: row.code ?? "InvalidParameter", target: row.target, message: row.message },
  );
  assert.match(body.message, /^[A-Z][^"]*[^"]$/s, "messages start in upper case and quote with '");
}
