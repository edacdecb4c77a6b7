import type { JsonObject } from "@keelson/base";
import fc from "fast-check";
import type { ApiVersion } from "../api-versions/version.ts";
import { vmSizes } from "../cluster/vm-sizes.ts";
import type { SchemaNode } from "../fields/schema.ts";
import { type Wire, type WireValue, wireOf } from "../fields/wire.ts";
import { merged } from "./rule-table.ts";
import { hasField, identityBody, validBody, vnetId } from "./test-cluster.ts";

const sizes = vmSizes.filter((size) => !size.developmentOnly && !size.minimumVersion);
const masterSize = fc.constantFrom(...sizes.filter((size) => size.roles.includes("master")));
const subnet = fc.stringMatching(/^[a-z]{2,20}$/).map((name) => `${vnetId}/subnets/${name}`);
const enabled = fc.constantFrom("Enabled", "Disabled");
const visibility = fc.constantFrom("Public", "Private");

export const tags = fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 });
export const addressCount = fc.integer({ min: 1, max: 20 });

/** Generates a body that creates a cluster in `version`. Some bodies have managed identities if the version supports them. */
export function bodyIn(version: ApiVersion): fc.Arbitrary<JsonObject> {
  const has = (path: string) => hasField(version.fields, `properties.${path}`);
  const only = (path: string, members: JsonObject) => (has(path) ? members : {});
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
      addresses: fc.option(addressCount),
      routes: fc.boolean(),
      identities: fc.boolean(),
    })
    .map((any) => {
      const [fipsValidatedModules, ofMasters, ofWorkers, preconfiguredNSG] = any.modes;
      const encryptionAtHost = "masterProfile.encryptionAtHost";
      const routed = any.routes && any.visibilities.every((each) => each === "Private");
      const managedOutboundIps = any.addresses && !routed ? { count: any.addresses } : undefined;
      const base =
        any.identities && has("platformWorkloadIdentityProfile") ? identityBody(version) : validBody(version);
      return merged(base, {
        ...(Object.keys(any.tags).length > 0 ? { tags: any.tags } : {}),
        properties: {
          clusterProfile: {
            domain: any.domain,
            ...only("clusterProfile.fipsValidatedModules", { fipsValidatedModules }),
          },
          networkProfile: {
            ...only("networkProfile.preconfiguredNSG", { preconfiguredNSG }),
            ...only("networkProfile.outboundType", {
              outboundType: routed ? "UserDefinedRouting" : "Loadbalancer",
            }),
            ...(managedOutboundIps
              ? only("networkProfile.loadBalancerProfile", { loadBalancerProfile: { managedOutboundIps } })
              : {}),
          },
          masterProfile: {
            vmSize: any.master.name,
            subnetId: any.subnets[0],
            ...only(encryptionAtHost, { encryptionAtHost: ofMasters }),
          },
          workerProfiles: [
            {
              vmSize: any.worker.name,
              subnetId: any.subnets[1],
              count: any.count,
              diskSizeGB: any.disk,
              ...only(encryptionAtHost, { encryptionAtHost: ofWorkers }),
            },
          ],
          apiserverProfile: { visibility: any.visibilities[0] },
          ingressProfiles: [{ visibility: any.visibilities[1] }],
        },
      });
    });
}

/**
 * Generates any cluster in the format of API version `version`, without read-only fields. The cluster may violate the version's
 * rules.
 */
export function wireIn(version: ApiVersion): fc.Arbitrary<Wire> {
  return membersIn(version.fields);
}

function isWritten({ field, members }: SchemaNode): boolean {
  if (field.readOnly || field.requestOnly) return false;
  return field.presence !== "filled" || members.some(isWritten);
}

function membersIn(nodes: readonly SchemaNode[]): fc.Arbitrary<Wire> {
  const values = Object.fromEntries(nodes.map((node) => [node.name, valueIn(node)]));
  return fc.record(values).map((members) => wireOf(Object.entries(members)));
}

/** Zero values are excluded, because responses omit fields with zero values. */
function valueIn(node: SchemaNode): fc.Arbitrary<WireValue | undefined> {
  if (!isWritten(node)) return fc.constant(node.field.presence === "always" ? {} : undefined);
  const members = () => membersIn(node.members);
  const orNothing = (value: fc.Arbitrary<WireValue>) => fc.option(value, { nil: undefined });
  switch (node.field.type) {
    case "text":
      return orNothing(fc.string({ minLength: 1 }));
    case "time":
      return orNothing(fc.constant("2026-01-02T03:04:05Z"));
    case "integer":
      return orNothing(fc.integer().filter((value) => value !== 0));
    case "boolean":
      return orNothing(fc.constant(true));
    case "object":
      if (node.field.presence === "always") return members();
      return orNothing(node.field.presence === "filled" ? members().filter(isFilled) : members());
    case "list":
      return orNothing(fc.array(members(), { minLength: 1, maxLength: 3 }));
    case "map":
      return orNothing(entriesOf(members()));
    case "text map":
      return orNothing(entriesOf(fc.string()));
  }
}

function entriesOf(values: fc.Arbitrary<WireValue>): fc.Arbitrary<Wire> {
  return fc.dictionary(fc.string(), values, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
}

function isFilled(wire: Wire): boolean {
  return Object.keys(wire).length > 0;
}
