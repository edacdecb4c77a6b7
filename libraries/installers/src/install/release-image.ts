/** Returns the pullspec of the release image in the service's registry. Without a registry, returns the published pullspec. */
export function mirroredPullspec(pullspec: string, registry: string | undefined): string {
  return registry ? pullspec.replace(/^quay\.io\//, `${registry}/`) : pullspec;
}
