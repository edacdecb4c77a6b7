import { isPlainObject, objectAt } from "@keelson/base";
import type { KubeObject } from "./kube-object.ts";

/** Returns the object that `ensure` compares. The status is removed. A Secret's `stringData` is encoded into `data`. */
export function desired(object: KubeObject): KubeObject {
  const { status: _, stringData, ...rest } = object;
  if (!isPlainObject(stringData)) return rest;
  const encoded = Object.entries(stringData).map(([name, text]) => [
    name,
    Buffer.from(String(text)).toString("base64"),
  ]);
  const data = objectAt(rest.data);
  return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } };
}
