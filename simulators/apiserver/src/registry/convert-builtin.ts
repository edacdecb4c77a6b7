import type { KubeObject } from "@keelson/apimachinery";
import { kindNamed } from "@keelson/kinds";
import { parseApiVersion } from "../resources/served-resource.ts";

/** Converts an object of a built-in kind to a different version. Most versions of a kind differ only in `apiVersion`. */
export function convertBuiltin(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const { group } = parseApiVersion(object.apiVersion);
  const convert = kindNamed(group, object.kind)?.convertTo?.[apiVersion];
  return convert ? { ...convert(object), apiVersion } : { ...object, apiVersion };
}
