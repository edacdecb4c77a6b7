import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@keelson/base";
import fc from "fast-check";
import { apiVersions } from "./api-versions.ts";
import { applyClusterRequest } from "./cluster-request.ts";
import { toExternal } from "./external.ts";
import type { OpenShiftCluster } from "./open-shift-cluster.ts";
import { merged } from "./rules/rule-table.ts";
import {
  identityBody,
  installedCluster,
  revealed,
  sendable,
  testRequest,
  validBody,
  versionNamed,
  vnetId,
} from "./test-cluster.ts";
import type { ApiVersion } from "./version.ts";
import { vmSizes } from "./vm-sizes.ts";

const newest = versionNamed("2025-07-25");
const sizes = vmSizes.filter((size) => !size.developmentOnly && !size.minimumVersion);
const masterSize = fc.constantFrom(...sizes.filter((size) => size.roles.includes("master")));
const tags = fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 });
const subnet = fc.stringMatching(/^[a-z]{2,20}$/).map((name) => `${vnetId}/subnets/${name}`);
const enabled = fc.constantFrom("Enabled", "Disabled");
const visibility = fc.constantFrom("Public", "Private");

/** A body that creates a cluster in `version`; of 2025-07-25 with identities now and then. */
function bodyIn(version: ApiVersion): fc.Arbitrary<JsonObject> {
  return fc
    .record({
      tags,
      domain: fc.stringMatching(/^[a-z][a-z0-9]{1,20}(\.example\.com)?$/),
      master: masterSize,
      worker: fc.constantFrom(...sizes),
      subnets: fc.uniqueArray(subnet, { minLength: 2, maxLength: 2 }),
      count: fc.integer({ min: 2, max: 50 }),
      disk: fc.integer({ min: 128, max: 4096 }),
      visibilities: fc.tuple(visibility, visibility),
      modes: fc.tuple(enabled, enabled, enabled, enabled),
      addresses: fc.option(fc.integer({ min: 1, max: 20 })),
      identities: fc.boolean(),
    })
    .map((any) => {
      const common: JsonObject = {
        ...(Object.keys(any.tags).length > 0 ? { tags: any.tags } : {}),
        properties: {
          clusterProfile: { domain: any.domain },
          masterProfile: { vmSize: any.master.name, subnetId: any.subnets[0] },
          workerProfiles: [
            { vmSize: any.worker.name, subnetId: any.subnets[1], count: any.count, diskSizeGB: any.disk },
          ],
          apiserverProfile: { visibility: any.visibilities[0] },
          ingressProfiles: [{ visibility: any.visibilities[1] }],
        },
      };
      if (version !== newest) return merged(validBody(version), common);
      const base = any.identities ? identityBody(version) : validBody(version);
      return merged(merged(base, common), {
        properties: {
          clusterProfile: { fipsValidatedModules: any.modes[0] },
          masterProfile: { encryptionAtHost: any.modes[1] },
          workerProfiles: [{ encryptionAtHost: any.modes[2] }],
          networkProfile: {
            preconfiguredNSG: any.modes[3],
            ...(any.addresses
              ? { loadBalancerProfile: { managedOutboundIps: { count: any.addresses } } }
              : {}),
          },
        },
      });
    });
}

/** What an update that asks for nothing makes of a cluster. */
function updating(cluster: OpenShiftCluster): OpenShiftCluster {
  return {
    ...cluster,
    properties: {
      ...cluster.properties,
      provisioningState: "Updating",
      lastProvisioningState: cluster.properties.provisioningState,
    },
  };
}

for (const version of apiVersions) {
  test(`a PUT of what GET answered changes nothing, ${version.name}`, () => {
    fc.assert(
      fc.property(bodyIn(version), (body) => {
        const current = installedCluster(version, body);
        const echo = sendable(version, toExternal(version, current, "read"));
        const updated = applyClusterRequest(testRequest({ version, current, body: echo }));
        assert.deepEqual(revealed(updated), revealed(updating(current)));
      }),
      { numRuns: 60 },
    );
  });

  test(`a new cluster shows what was asked for, secrets excepted, ${version.name}`, () => {
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
      { numRuns: 60 },
    );
  });

  test(`a PATCH loses nothing that it does not name, ${version.name}`, () => {
    fc.assert(
      fc.property(
        bodyIn(version),
        fc.option(tags),
        fc.option(fc.stringMatching(/^[!-~]{1,40}$/)),
        (body, newTags, secret) => {
          const current = installedCluster(version, body);
          const sp = current.properties.servicePrincipalProfile;
          const servicePrincipalProfile = secret && sp ? { clientSecret: secret } : undefined;
          const patch = {
            ...(newTags ? { tags: newTags } : {}),
            ...(servicePrincipalProfile ? { properties: { servicePrincipalProfile } } : {}),
          };
          const updated = applyClusterRequest(
            testRequest({ version, method: "PATCH", current, body: patch }),
          );
          const { tags: oldTags, ...rest } = updating(current);
          const expectedTags = newTags ?? oldTags ?? {};
          const expected = {
            ...rest,
            ...(Object.keys(expectedTags).length > 0 ? { tags: expectedTags } : {}),
            properties: {
              ...rest.properties,
              ...(servicePrincipalProfile
                ? { servicePrincipalProfile: { ...sp, clientSecret: { secret } } }
                : {}),
            },
          };
          assert.deepEqual(revealed(updated), revealed(expected));
        },
      ),
      { numRuns: 60 },
    );
  });
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
