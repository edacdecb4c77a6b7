import { type ClusterSpec, flagOr } from "@keelson/aro-api";

/**
 * The image that a flag names, else the one that this version was made for, from the service's registry.
 * @throws Error when the Cluster names no registry
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
