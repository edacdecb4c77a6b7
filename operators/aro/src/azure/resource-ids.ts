import { parseResourceId } from "@keelson/arm";

const name = /^[\p{L}\p{N}_.()-]{1,90}$/u;

/** True if the string can be a name in a resource ID. Other strings could redirect a request. */
export function isResourceName(text: string): boolean {
  return name.test(text) && !/^\.+$/.test(text);
}

/** True if a string from the cluster is a resource ID that is safe in a request path. */
export function isResourceId(text: string): boolean {
  return parseResourceId(text) !== undefined && text.slice(1).split("/").every(isResourceName);
}
