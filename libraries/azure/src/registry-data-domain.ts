/**
 * Returns the data endpoint of a container registry in a region: `name.azurecr.io` ->
 * `name.eastus.data.azurecr.io`.
 */
export function registryDataDomain(domain: string, location: string): string {
  const [name = "", ...suffix] = domain.split(".");
  return [name, location, "data", ...suffix].join(".");
}
