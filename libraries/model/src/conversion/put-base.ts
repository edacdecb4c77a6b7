import type { SchemaNode } from "../fields/schema.ts";
import { isWireObject, type Wire, wireOf } from "../fields/wire.ts";

/**
 * Fields that a PUT request for an existing cluster may omit. An omitted field keeps its stored value. A PUT request must repeat
 * all other fields.
 */
const kept: ReadonlySet<string> = new Set([
  "id",
  "name",
  "type",
  "systemData",
  "properties.provisioningState",
  "properties.clusterProfile.pullSecret",
  "properties.clusterProfile.version",
  "properties.servicePrincipalProfile.clientSecret",
]);

/** Returns the base for a PUT request to an existing cluster. The request body is then merged into this base. */
export function putBase(nodes: readonly SchemaNode[], stored: Wire): Wire {
  return wireOf(
    nodes.map((node) => {
      const value = stored[node.name];
      if (kept.has(node.field.path)) return [node.name, value];
      if (node.field.type !== "object" || !isWireObject(value)) return [node.name, undefined];
      const base = putBase(node.members, value);
      const needed = node.field.presence === "always" || Object.keys(base).length > 0;
      return [node.name, needed ? base : undefined];
    }),
  );
}
