import { type ClusterSpec, flagOr } from "@keelson/aro-api";

/**
 * Returns the image that the flag sets. Default: this release's image from the service's registry.
 * @throws Error if the Cluster has no registry
 */
export function serviceImage(
  { acrDomain = "", operatorflags }: ClusterSpec,
  flag: string,
  repository: string,
): string {
  const image = flagOr(operatorflags, flag, "");
  if (image !== "") return image;
  if (acrDomain === "") throw new Error('invalid cluster spec field "acrDomain": empty');
  return `${acrDomain}/${repository}`;
}
