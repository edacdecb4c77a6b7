/** `East US 2` and `eastus2` are the same place. */
export function normalizeLocation(location: string): string {
  return location.toLowerCase().replaceAll(" ", "");
}
