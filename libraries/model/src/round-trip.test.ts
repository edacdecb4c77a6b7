import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlainObject, type JsonObject } from "@keelson/base";
import fc from "fast-check";
import { apiVersions } from "./api-versions/api-versions.ts";
import type { ApiVersion } from "./api-versions/version.ts";
import type { OpenShiftCluster } from "./cluster/open-shift-cluster.ts";
import { toExternal } from "./conversion/external.ts";
import { addressCount, bodyIn, tags } from "./testing/arbitrary-cluster.ts";
import { merged } from "./testing/rule-table.ts";
import {
  hasField,
  installedCluster,
  resourceGroupId,
  revealed,
  sendable,
  testRequest,
  updating,
  versionNamed,
} from "./testing/test-cluster.ts";
import { applyClusterRequest } from "./validation/put-or-patch-request.ts";

const newest = versionNamed("2025-07-25");

for (const version of apiVersions) {
  test(`a PUT of the response to GET changes nothing, ${version.name}`, () => {
    fc.assert(
      fc.property(bodyIn(version), (body) => {
        const current = installedCluster(version, body);
        const echo = toExternal(version, current, "read");
        const updated = applyClusterRequest(testRequest({ version, current, body: echo }));
        assert.deepEqual(revealed(updated), revealed(updating(current)));
      }),
      { numRuns: 30 },
    );
  });

  test(`a PUT may leave out what clients know to be the service's, ${version.name}`, () => {
    fc.assert(
      fc.property(bodyIn(version), (body) => {
        const current = installedCluster(version, body);
        const { id, name, type, systemData, ...echo } = toExternal(version, current, "read");
        const own = { provisioningState: undefined, clusterProfile: { version: undefined } };
        const sent = merged(sendable(version, echo), { properties: own });
        const updated = applyClusterRequest(testRequest({ version, current, body: sent }));
        assert.deepEqual(revealed(updated), revealed(updating(current)));
      }),
      { numRuns: 10 },
    );
  });

  test(`a new cluster returns the requested values without secrets, ${version.name}`, () => {
    fc.assert(
      fc.property(bodyIn(version), (body) => {
        const cluster = applyClusterRequest(testRequest({ version, body }));
        const external = toExternal(version, cluster, "write");
        const secrets = {
          clusterProfile: { pullSecret: undefined },
          servicePrincipalProfile: { clientSecret: undefined },
        };
        const { servicePrincipalProfile: _, ...withIdentities } = secrets;
        const asked = merged(body, { properties: body.identity ? withIdentities : secrets });
        const group = cluster.properties.clusterProfile.resourceGroupId;
        const expected = merged(asked, { properties: { clusterProfile: { resourceGroupId: group } } });
        assert.deepEqual(merged(external, expected), external);
      }),
      { numRuns: 30 },
    );
  });

  test(`a PATCH changes what it names and nothing else, ${version.name}`, () => {
    fc.assert(
      fc.property(clusterFor(version), patchIn(version), (current, wanted) => {
        const parts = wanted.filter(({ fits }) => fits(current));
        const body = parts.reduce<JsonObject>((all, part) => merged(all, part.body), {});
        const updated = applyClusterRequest(testRequest({ version, method: "PATCH", current, body }));
        const before = revealed(updating(current));
        const after = revealed(updated);
        const paths = parts.map(({ path }) => path);
        assert.deepEqual(without(after, paths), without(before, paths));
        for (const { path, stored } of parts) assert.deepEqual(memberAt(after, path), stored, path);
      }),
      { numRuns: 30 },
    );
  });
}

/**
 * Generates a cluster that requests with `version` may change. The cluster was created with `version` or with a different
 * version.
 */
function clusterFor(version: ApiVersion): fc.Arbitrary<OpenShiftCluster> {
  const knowsIdentities = hasField(version.fields, "identity");
  return fc.constantFrom(version, ...apiVersions).chain((author) =>
    bodyIn(author)
      .filter((body) => knowsIdentities || !body.identity)
      .map((body) => {
        const cluster = installedCluster(author, body);
        const networkProfile = {
          ...cluster.properties.networkProfile,
          softwareDefinedNetwork: "OVNKubernetes" as const,
        };
        return { ...cluster, properties: { ...cluster.properties, networkProfile } };
      }),
  );
}

/** One change that a client may make. */
interface Part {
  readonly fits: (cluster: OpenShiftCluster) => boolean;
  readonly body: JsonObject;
  /** Path of the stored field that the change affects. */
  readonly path: string;
  /** Value of this field after the change. */
  readonly stored: unknown;
}

/** Generates a subset of all changes that `version` allows. */
function patchIn({ fields }: ApiVersion): fc.Arbitrary<readonly Part[]> {
  const balancer = "properties.networkProfile.loadBalancerProfile";
  const profile = "properties.platformWorkloadIdentityProfile";
  const hasPrincipal = ({ properties }: OpenShiftCluster) => properties.servicePrincipalProfile !== undefined;
  const hasIdentities = (cluster: OpenShiftCluster) => !hasPrincipal(cluster);
  const resourceId = fc
    .stringMatching(/^[a-z]{3,20}$/)
    .map((name) => `${resourceGroupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`);
  const parts: fc.Arbitrary<Part>[] = [
    tags.map((value) => ({
      fits: () => true,
      body: { tags: value },
      path: "tags",
      stored: Object.keys(value).length > 0 ? { ...value } : undefined,
    })),
    fc.uuid().map((clientId) => ({
      fits: hasPrincipal,
      body: { properties: { servicePrincipalProfile: { clientId } } },
      path: "properties.servicePrincipalProfile.clientId",
      stored: clientId,
    })),
    fc.stringMatching(/^[!-~]{1,40}$/).map((clientSecret) => ({
      fits: hasPrincipal,
      body: { properties: { servicePrincipalProfile: { clientSecret } } },
      path: "properties.servicePrincipalProfile.clientSecret",
      stored: { secret: clientSecret },
    })),
    addressCount.map((count) => ({
      fits: ({ properties }) =>
        hasField(fields, balancer) && properties.networkProfile.outboundType === "Loadbalancer",
      body: { properties: { networkProfile: { loadBalancerProfile: { managedOutboundIps: { count } } } } },
      path: `${balancer}.managedOutboundIps.count`,
      stored: count,
    })),
    fc.constant({
      fits: hasIdentities,
      body: { properties: { platformWorkloadIdentityProfile: { upgradeableTo: "4.16.40" } } },
      path: `${profile}.upgradeableTo`,
      stored: "4.16.40",
    }),
    resourceId.map((id) => ({
      fits: hasIdentities,
      body: {
        properties: {
          platformWorkloadIdentityProfile: { platformWorkloadIdentities: { ingress: { resourceId: id } } },
        },
      },
      path: `${profile}.platformWorkloadIdentities.ingress`,
      stored: { resourceId: id },
    })),
    resourceId.map((id) => ({
      fits: hasIdentities,
      body: { identity: { userAssignedIdentities: { [id]: {} } } },
      path: "managedServiceIdentity.userAssignedIdentities",
      stored: { [id]: {} },
    })),
  ];
  return fc.subarray(parts).chain((chosen) => fc.tuple(...chosen));
}

function memberAt(value: unknown, path: string): unknown {
  return path.split(".").reduce((at, name) => (isPlainObject(at) ? at[name] : undefined), value);
}

/** Removes the fields at `paths`, and the retired identities, which only the service records. */
function without(value: unknown, paths: readonly string[]): unknown {
  return [...paths, "properties.retiredIdentities"].reduce(
    (rest, path) => withoutMember(rest, path.split(".")),
    value,
  );
}

function withoutMember(value: unknown, [name = "", ...rest]: readonly string[]): unknown {
  if (!isPlainObject(value) || !(name in value)) return value;
  const { [name]: member, ...others } = value;
  return rest.length === 0 ? others : { ...value, [name]: withoutMember(member, rest) };
}

test("no version shows a secret, of any cluster", () => {
  fc.assert(
    fc.property(bodyIn(newest), fc.constantFrom(...apiVersions), (body, version) => {
      const shown = JSON.stringify(toExternal(version, installedCluster(newest, body), "read"));
      assert.doesNotMatch(shown, /first-secret|registry\.example|REDACTED|pullSecret|clientSecret/);
    }),
    { numRuns: 40 },
  );
});
