import { ContainerConfigError } from "./container-environment.ts";

/**
 * A name of the API as the name of one folder. The API server checks most of them, but not all where they are only
 * references (`nodeName`, `claimName`).
 * @throws ContainerConfigError for anything but an RFC 1123 subdomain
 */
export function folderName(field: string, name: string): string {
  if (name.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(name))
    return name;
  throw new ContainerConfigError(`${field} ${JSON.stringify(name)} is no RFC 1123 subdomain`);
}
