import { isPlainObject, type JsonValue, objectAt } from "@keelson/base";
import {
  checkForce,
  deleteObject,
  parseObject,
  readObjects,
  writeObject,
} from "../kubernetes/kubernetes-objects.ts";
import { type ActionParameter, flag, required, strictFlag, text } from "./action-parameter.ts";
import { declareAction } from "./admin-action.ts";

const suffix = "kubernetesobjects";
const place = { kind: required(text("kind")), namespace: text("namespace"), name: text("name") };

export const readKubernetesObjects = declareAction({
  method: "GET",
  suffix,
  role: "reader",
  summary: "read objects of the platform",
  remarks:
    "with `name`, one object; without `name`, a list, or status 500 if there are more than 1,000 objects. `kind` may contain the group: `kind.group`",
  parameters: { ...place, unrestricted: strictFlag("unrestricted") },
  handle: async (context, query) => ({ body: await readObjects(context, query) }),
});

const object: ActionParameter = {
  name: "the object",
  in: "body",
  type: "object",
  read: (input) =>
    input.read((body) => {
      parseObject(body);
      return body;
    }),
};

export const writeKubernetesObject = declareAction({
  method: "POST",
  suffix,
  role: "elevated",
  summary: "replace or create an object",
  destructive: true,
  remarks: "replaces the object, or creates it if it does not exist",
  parameters: { object },
  recorded: (parameters) => identityOf(parameters.object),
  handle: (context, parameters) => writeObject(context, parameters.object),
});

export const deleteKubernetesObject = declareAction({
  method: "DELETE",
  suffix,
  role: "elevated",
  summary: "delete an object",
  destructive: true,
  remarks: "`force` is allowed only for pods",
  parameters: { ...place, name: required(text("name")), force: flag("force") },
  check: ({ kind, force }) => checkForce(kind, force),
  handle: (context, query) => deleteObject(context, query),
});

/** Returns only the identity of an object, because its content may be confidential. */
export function identityOf(value: JsonValue): Readonly<Record<string, string>> {
  if (!isPlainObject(value)) return {};
  const { apiVersion, kind, metadata } = value;
  const { namespace, name } = objectAt(metadata);
  const texts = Object.entries({ apiVersion, kind, namespace, name });
  return Object.fromEntries(texts.filter((each): each is [string, string] => typeof each[1] === "string"));
}
