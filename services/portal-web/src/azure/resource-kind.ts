/** Returns the detail page of an Azure resource type. Undefined for types without a detail page. */
export function detailOfType(type: string): "console" | "routes" | undefined {
  switch (type.toLowerCase()) {
    case "microsoft.compute/virtualmachines":
      return "console";
    case "microsoft.network/networkinterfaces":
      return "routes";
    default:
      return undefined;
  }
}

/** Returns the resource type without its provider, for example `virtualMachines`. */
export function shortType(type: string): string {
  const [, ...rest] = type.split("/");
  return rest.length === 0 ? type : rest.join("/");
}
