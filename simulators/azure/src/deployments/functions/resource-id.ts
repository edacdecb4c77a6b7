/**
 * Builds a resource ID. `type` includes the namespace: `Microsoft.Network/virtualNetworks`. Returns `undefined` if the number of
 * names does not match the type.
 */
export function resourceIdOf(scope: string, type: string, names: readonly string[]): string | undefined {
  const [namespace = "", ...types] = type.split("/");
  const parts = names.flatMap((each) => each.split("/"));
  if (types.length === 0 || types.length !== parts.length) return undefined;
  if (type.toLowerCase() === "microsoft.resources/resourcegroups") {
    return `${scope.split("/").slice(0, 3).join("/")}/resourceGroups/${parts[0]}`;
  }
  return [scope, "providers", namespace, ...types.flatMap((each, at) => [each, parts[at] ?? ""])].join("/");
}
