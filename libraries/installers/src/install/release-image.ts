/**
 * Returns the pullspec of the release image in the service's registry. If the service has no registry, returns the published
 * pullspec.
 */
export function mirroredPullspec(pullspec: string, registry: string | undefined): string {
  return registry ? pullspec.replace(/^quay\.io\//, `${registry}/`) : pullspec;
}
