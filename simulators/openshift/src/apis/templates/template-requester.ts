import { isDeepStrictEqual } from "node:util";
import type { Admission, KubeObject, LogicalCluster, User } from "@keelson/apiserver";
import { listAt, objectAt, stringAt } from "@keelson/base";
import { failures } from "../failures.ts";
import { templateGroup } from "./process-template.ts";

/**
 * Sets the requester of a TemplateInstance. The instance's objects are created with the requester's permissions. By default, the
 * requester is the caller. Callers with the `assign` permission may set a different requester. The spec is immutable after
 * creation. Source: openshift/openshift-apiserver `pkg/template/apiserver/registry/templateinstance/strategy.go`.
 */
export function templateRequesterAdmission(logical: Pick<LogicalCluster, "allows">): Admission {
  return {
    handles: ({ resource, operation, subresource }) =>
      resource.bucket === `${templateGroup}/templateinstances` &&
      operation !== "DELETE" &&
      subresource === "",
    mutate: async ({ operation, object, user, namespace = "", name }) => {
      if (!object) throw new Error("a write without an object");
      if (operation !== "CREATE") return object;
      const isNamed = stringAt(object, "spec", "requester", "username") !== undefined;
      const assign = { kind: "resource", verb: "assign", group: templateGroup } as const;
      const resource = "templateinstances";
      if (isNamed && (await logical.allows(user, { ...assign, resource, namespace, name }))) return object;
      const { apiVersion, kind, metadata, spec } = object;
      const requester = {
        username: user.name,
        groups: user.groups,
        ...(user.uid ? { uid: user.uid } : {}),
        ...(user.extra ? { extra: user.extra } : {}),
      };
      return { ...object, apiVersion, kind, metadata, spec: { ...objectAt(spec), requester } };
    },
    validate: async ({ object, oldObject }) => {
      if (!object || !oldObject || isDeepStrictEqual(object.spec, oldObject.spec)) return;
      throw failures.invalid(
        "TemplateInstance",
        templateGroup,
        object.metadata.name,
        "spec",
        "Forbidden: field is immutable",
      );
    },
  };
}

/** Returns the requester of a TemplateInstance. @throws Error if the instance has no requester */
export function requesterOf(instance: KubeObject): User {
  const name = stringAt(instance, "spec", "requester", "username");
  if (!name) throw new Error("the TemplateInstance has no requester");
  const uid = stringAt(instance, "spec", "requester", "uid");
  const extra = Object.entries(objectAt(instance, "spec", "requester", "extra"));
  return {
    name,
    groups: textsOf(listAt(instance, "spec", "requester", "groups")),
    ...(uid ? { uid } : {}),
    ...(extra.length > 0
      ? { extra: Object.fromEntries(extra.map(([key, values]) => [key, textsOf(listAt(values))])) }
      : {}),
  };
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return values.filter((each) => typeof each === "string");
}
