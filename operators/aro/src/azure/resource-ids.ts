import { parseResourceId } from "@keelson/arm";

const name = /^[\p{L}\p{N}_.()-]{1,90}$/u;

/** True if the string is a valid name in a resource ID. Any other string could redirect a request. */
export function isResourceName(text: string): boolean {
  return name.test(text) && !/^\.+$/.test(text);
}

/** True if the string is a resource ID. It comes from the cluster and must be safe in a request path. */
export function isResourceId(text: string): boolean {
  return parseResourceId(text) !== undefined && text.slice(1).split("/").every(isResourceName);
}
