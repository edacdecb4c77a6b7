import { ContainerConfigError, expandReferences } from "./container-environment.ts";

/**
 * Expands variables in the `subPathExpr` of a mount (core/v1 VolumeMount).
 * @throws ContainerConfigError if a variable is missing or empty, or the result is outside the volume
 */
export function expandSubPath(expression: string, env: Readonly<Record<string, string>>): string {
  const missing = new Set<string>();
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const path = expandReferences(expression, present, (name) => {
    missing.add(name);
    return "";
  });
  if (missing.size > 0) throw new ContainerConfigError(`missing value for ${[...missing].sort().join(", ")}`);
  if (path.startsWith("/"))
    throw new ContainerConfigError(`error SubPath \`${path}\` must not be an absolute path`);
  if (path.split("/").includes(".."))
    throw new ContainerConfigError(`unable to provision SubPath \`${path}\`: must not contain '..'`);
  return path;
}
