import type { JsonObject, JsonValue } from "@keelson/base";

export interface ResourceGroup {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  readonly tags: JsonObject | undefined;
  readonly managedBy: string | undefined;
  readonly state: "Succeeded" | "Deleting";
}

export function renderGroup(group: ResourceGroup): JsonValue {
  const { id, name, location, tags, managedBy, state } = group;
  return {
    id,
    name,
    type: "Microsoft.Resources/resourceGroups",
    location,
    ...(managedBy ? { managedBy } : {}),
    ...(tags ? { tags } : {}),
    properties: { provisioningState: state },
  };
}
