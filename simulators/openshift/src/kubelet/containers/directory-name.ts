import { ContainerConfigError } from "./container-environment.ts";

/**
 * Returns an API name as a directory name. The check is necessary because the API server does not validate all references, for
 * example `nodeName` and `claimName`.
 * @throws ContainerConfigError unless the name is an RFC 1123 subdomain
 */
export function directoryName(field: string, name: string): string {
  if (name.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name))
    return name;
  throw new ContainerConfigError(`${field} ${JSON.stringify(name)} is not an RFC 1123 subdomain`);
}
