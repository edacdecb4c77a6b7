import assert from "node:assert/strict";
import { test } from "node:test";
import { CloudError } from "@keelson/arm";
import type { OpenShiftCluster } from "@keelson/model";
import { assertIdentitiesOffered, withIdentityHeaders } from "./managed-identities.ts";

const tenant = (last: number) => `00000000-0000-4000-8000-00000000000${last}`;
const settings = {
  hostSuffix: "identity.example",
  identityUrl: "https://assumed.identity.example/",
  homeTenantId: tenant(1),
};

/** Returns a cluster that has only the properties that the functions under test read. */
function clusterWith(
  properties: object,
  managedServiceIdentity?: OpenShiftCluster["managedServiceIdentity"],
): OpenShiftCluster {
  return { properties, ...(managedServiceIdentity ? { managedServiceIdentity } : {}) } as OpenShiftCluster;
}

const withIdentities = { platformWorkloadIdentityProfile: {} };
const request = (headers: Readonly<Record<string, string>>) => ({ header: (name: string) => headers[name] });

for (const [title, headers, stored, expected] of [
  ["assumed", {}, undefined, [settings.identityUrl, settings.homeTenantId]],
  [
    "kept",
    {},
    { identityURL: "https://kept.identity.example/", tenantId: tenant(2) },
    ["https://kept.identity.example/", tenant(2)],
  ],
  [
    "sent",
    { "x-ms-identity-url": "https://sent.identity.example/", "x-ms-home-tenant-id": tenant(3) },
    { identityURL: "https://kept.identity.example/", tenantId: tenant(2) },
    ["https://sent.identity.example/", tenant(3)],
  ],
] as const) {
  test(`where identities are found is ${title}`, () => {
    const cluster = clusterWith(withIdentities, stored);
    const { managedServiceIdentity: identity } = withIdentityHeaders(cluster, request(headers), settings);
    assert.deepEqual([identity?.identityURL, identity?.tenantId], expected);
  });
}

test("a cluster with a service principal has no identity, whatever the headers say", () => {
  const cluster = clusterWith({ servicePrincipalProfile: {} });
  const headers = { "x-ms-identity-url": "https://sent.identity.example/" };
  assert.equal(withIdentityHeaders(cluster, request(headers), settings), cluster);
});

test("a service without managed identities reports that", () => {
  assert.throws(
    () => assertIdentitiesOffered(clusterWith(withIdentities), undefined),
    (error) => error instanceof CloudError && /no clusters with managed identities/.test(error.message),
  );
  assertIdentitiesOffered(clusterWith({ servicePrincipalProfile: {} }), undefined);
  assertIdentitiesOffered(clusterWith(withIdentities), settings);
});
