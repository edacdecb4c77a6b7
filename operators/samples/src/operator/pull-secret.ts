import { objectAt, stringAt, tryParseJson } from "@keelson/base";
import type { KubeObject } from "@keelson/kube";
import { termsBasedRegistry } from "../bootstrap/registry-access.ts";

/** True if the cluster's pull secret has credentials for the registry of most samples. */
export function hasRegistryCredential(secret: KubeObject | undefined): boolean {
  const text = stringAt(secret, "data", ".dockerconfigjson") ?? "";
  const config = tryParseJson(Buffer.from(text, "base64").toString("utf8"));
  return Object.hasOwn(objectAt(config, "auths"), termsBasedRegistry);
}
