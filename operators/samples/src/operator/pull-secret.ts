import { isPlainObject, stringAt } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { termsBasedRegistry } from "../bootstrap/registry-access.ts";

/** Whether the cluster's pull secret has credentials of the registry that most samples use. */
export function hasRegistryCredential(secret: KubeObject | undefined): boolean {
  const text = stringAt(secret, "data", ".dockerconfigjson");
  if (text === undefined) return false;
  try {
    const config: unknown = JSON.parse(Buffer.from(text, "base64").toString("utf8"));
    return (
      isPlainObject(config) && isPlainObject(config.auths) && Object.hasOwn(config.auths, termsBasedRegistry)
    );
  } catch {
    return false;
  }
}
