import { parseResourceId } from "@keelson/arm";

const name = /^[\p{L}\p{N}_.()-]{1,90}$/u;

/** True if the string is a valid name in a resource ID. An invalid name could redirect a request to a different resource. */
export function isResourceName(text: string): boolean {
  return name.test(text) && !/^\.+$/.test(text);
}

/** True if the string is a resource ID. The string comes from the cluster and must be safe in a request path. */
export function isResourceId(text: string): boolean {
  return parseResourceId(text) !== undefined && text.slice(1).split("/").every(isResourceName);
}
