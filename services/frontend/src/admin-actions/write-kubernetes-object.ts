import { parseObject, writeObject } from "@keelson/admin-actions";
import { isPlainObject, type JsonValue } from "@keelson/base";
import type { AdminAction } from "./running/admin-action.ts";

/** Creates or replaces an object of the cluster. */
export const writeKubernetesObject: AdminAction<{ readonly object: JsonValue }> = {
  method: "POST",
  suffix: "kubernetesobjects",
  mutating: true,
  read(request) {
    return request.read((object) => {
      parseObject(object);
      return { object };
    });
  },
  recorded: ({ object }) => identityOf(object),
  async handle(context, { object }) {
    await writeObject(context, object);
    return { status: 200 };
  },
};

/** What an object is called: what it holds may be nobody's business. */
export function identityOf(object: JsonValue): Readonly<Record<string, string>> {
  if (!isPlainObject(object)) return {};
  const { apiVersion, kind, metadata } = object;
  const { namespace, name } = isPlainObject(metadata) ? metadata : {};
  const texts = Object.entries({ apiVersion, kind, namespace, name });
  return Object.fromEntries(texts.filter((each): each is [string, string] => typeof each[1] === "string"));
}
