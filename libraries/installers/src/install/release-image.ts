/** Returns the pullspec of the service's copy of a release image. Without a registry: the published image. */
export function mirroredPullspec(pullspec: string, registry: string | undefined): string {
  return registry ? pullspec.replace(/^quay\.io\//, `${registry}/`) : pullspec;
}
