import { parseResourceId } from "@keelson/arm";

const name = /^[\p{L}\p{N}_.()-]{1,90}$/u;

/** Whether a text can be a name in a resource ID: anything else would lead a request elsewhere. */
export function isResourceName(text: string): boolean {
  return name.test(text) && !/^\.+$/.test(text);
}

/** Whether a text from the cluster is the ID of a resource, whose path a request may have. */
export function isResourceId(text: string): boolean {
  return parseResourceId(text) !== undefined && text.slice(1).split("/").every(isResourceName);
}
