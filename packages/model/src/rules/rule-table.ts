import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import { isPlainObject, type JsonObject, type JsonValue } from "@keelson/base";
import { applyClusterRequest, type ClusterRequest } from "../cluster-request.ts";
import { installedCluster, testRequest, validBody, versionNamed } from "../test-cluster.ts";
import type { ApiVersion } from "../version.ts";

const first = "2019-12-31-preview";
const newest = "2025-07-25";

/** One static rule, met once: what is wrong with a valid request and what the client is told. */
export interface RuleRow {
  readonly title: string;
  /** Laid over a valid body; `undefined` takes a member away. */
  readonly wrong: JsonObject;
  readonly code?: string;
  readonly target: string;
  readonly message: string;
  /** The versions that have the rule; both when absent. */
  readonly versions?: readonly (typeof first | typeof newest)[];
  /** When it applies: on creation and on updates when absent. */
  readonly when?: "create";
  /** No update can express it: it takes away what is stored, or repeats it. */
  readonly onlyCreationSays?: true;
  /** Another valid body than the usual one. */
  readonly body?: (version: ApiVersion) => JsonObject;
  readonly request?: Partial<ClusterRequest>;
}

export const onlyFirst = { versions: [first] } as const;
export const onlyNewest = { versions: [newest] } as const;

/** Tests each row in each version and mode, also that the rule is silent where it does not apply. */
export function testRules(rows: readonly RuleRow[]): void {
  for (const row of rows) {
    for (const name of row.versions ?? [first, newest]) {
      const version = versionNamed(name);
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

/** The error with which a request is refused; fails if it is not. */
export function errorOf(request: ClusterRequest): CloudError {
  try {
    applyClusterRequest(request);
  } catch (error) {
    if (error instanceof CloudError) return error;
    throw error;
  }
  return assert.fail("the request was accepted");
}

/** `patch` laid over `body`: objects by member, arrays by index; `undefined` takes a member away. */
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
