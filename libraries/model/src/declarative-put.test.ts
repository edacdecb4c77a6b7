import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isPlainObject, type JsonObject, type JsonValue } from "@keelson/base";
import fc from "fast-check";
import { apiVersions } from "./api-versions/api-versions.ts";
import type { OpenShiftCluster } from "./cluster/open-shift-cluster.ts";
import { toExternal } from "./conversion/external.ts";
import { bodyIn } from "./testing/arbitrary-cluster.ts";
import { errorOf, merged } from "./testing/rule-table.ts";
import {
  identityBody,
  installedCluster,
  revealed,
  testRequest,
  updating,
  validBody,
  versionNamed,
} from "./testing/test-cluster.ts";
import { applyClusterRequest } from "./validation/put-or-patch-request.ts";

const newest = versionNamed("2025-07-25");

/** Returns the body with each resource ID in upper case, both in values and in property names. */
function withCapitalIds(value: JsonValue | undefined): JsonValue | undefined {
  const capital = (text: string) => (text.startsWith("/subscriptions/") ? text.toUpperCase() : text);
  if (typeof value === "string") return capital(value);
  if (Array.isArray(value)) return value.map((each) => withCapitalIds(each) ?? null);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [capital(key), withCapitalIds(each)]));
}

for (const version of apiVersions)
  describe(`PUT of ${version.name}`, () => {
    const put = (current: OpenShiftCluster, body: unknown) =>
      applyClusterRequest(testRequest({ version, current, body }));

    test("accepts the body of the creation again", () => {
      fc.assert(
        fc.property(bodyIn(version), (body) => {
          const current = installedCluster(version, body);
          assert.deepEqual(revealed(put(current, body)), revealed(updating(current)));
        }),
        { numRuns: 20 },
      );
    });

    test("accepts IDs in a different case and keeps the stored case", () => {
      fc.assert(
        fc.property(bodyIn(version), (body) => {
          const current = installedCluster(version, body);
          for (const sent of [body, toExternal(version, current, "read")])
            assert.deepEqual(revealed(put(current, withCapitalIds(sent))), revealed(updating(current)));
        }),
        { numRuns: 20 },
      );
    });

    test("keeps secrets that the body leaves out, and removes tags", () => {
      const current = { ...installedCluster(version), tags: { a: "b" } };
      const { tags: _, ...untagged } = current;
      const left = {
        clusterProfile: { pullSecret: undefined },
        servicePrincipalProfile: { clientSecret: undefined },
      };
      const body = merged(validBody(version), { properties: left });
      assert.deepEqual(revealed(put(current, body)), revealed(updating(untagged)));
    });

    test("refuses each changed value with the error of a PATCH", () => {
      const current = installedCluster(version);
      const shown = toExternal(version, current, "read");
      let refused = 0;
      for (const change of changesOf(shown)) {
        const patch = testRequest({ version, method: "PATCH", current, body: change });
        const patched = outcomeOf(() => applyClusterRequest(patch));
        const put = testRequest({ version, current, body: merged(shown, change) });
        const replaced = outcomeOf(() => applyClusterRequest(put));
        assert.deepEqual(replaced, patched, JSON.stringify(change));
        if (patched !== "accepted") refused++;
      }
      assert.ok(refused > 15, `${refused}`);
    });

    test("accepts the response of a GET of any other version", () => {
      // Properties that this version lacks have their default values.
      const current = installedCluster(versionNamed("2019-12-31-preview"));
      for (const other of apiVersions)
        assert.deepEqual(
          revealed(put(current, toExternal(other, current, "read"))),
          revealed(updating(current)),
          other.name,
        );
    });
  });

test("the order of named elements does not matter", () => {
  const stored = installedCluster(newest);
  const { ingressProfiles } = stored.properties;
  const second = { name: "internal", visibility: "Private", ip: "10.0.0.5" } as const;
  const properties = { ...stored.properties, ingressProfiles: [...ingressProfiles, second] };
  const current = { ...stored, properties };
  const sent = [{ name: "internal", visibility: "Private" }, ...(ingressProfiles as readonly object[])];
  const body = {
    ...validBody(newest),
    properties: { ...Object(validBody(newest).properties), ingressProfiles: sent },
  };
  assert.deepEqual(
    revealed(applyClusterRequest(testRequest({ version: newest, current, body }))),
    revealed(updating(current)),
  );
});

test("identities in a different case are not new identities", () => {
  const body = identityBody(newest);
  const current = installedCluster(newest, body);
  const updated = applyClusterRequest(testRequest({ version: newest, current, body: withCapitalIds(body) }));
  assert.deepEqual(revealed(updated), revealed(updating(current)));
});

test("a default that was changed later is not left out without an error", () => {
  const changed = merged(validBody(newest), {
    properties: { networkProfile: { preconfiguredNSG: "Enabled" } },
  });
  const current = installedCluster(newest, changed);
  const error = errorOf(testRequest({ version: newest, current, body: validBody(newest) }));
  assert.equal(error.body.target, "properties.networkProfile.preconfiguredNSG");
});

/** Yields one change for each string and each number of a response. */
function* changesOf(value: JsonObject): Iterable<JsonObject> {
  for (const [key, member] of Object.entries(value))
    for (const each of changedValues(member)) yield { [key]: each };
}

function* changedValues(value: JsonValue | undefined): Iterable<JsonValue> {
  if (typeof value === "string") yield `${value}x`;
  else if (typeof value === "number") yield value + 1;
  else if (Array.isArray(value)) {
    for (const [at, element] of value.entries())
      for (const each of changedValues(element))
        yield value.map((other, index) => (index === at ? each : other));
  } else if (isPlainObject(value)) yield* changesOf(value);
}

function outcomeOf(request: () => unknown): unknown {
  try {
    request();
    return "accepted";
  } catch (error) {
    return Object(error).body;
  }
}
