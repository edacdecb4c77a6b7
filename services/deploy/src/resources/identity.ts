import { groupLocation, type Value } from "../template/expression.ts";
import type { Resource } from "../template/template.ts";

export function managedIdentity(name: Value): Resource {
  return { type: "Microsoft.ManagedIdentity/userAssignedIdentities", name: [name], location: groupLocation };
}
