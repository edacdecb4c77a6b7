import { type KubeObject, matchesLabels } from "@keelson/apimachinery";
import { present } from "../registry/present.ts";
import { keyOf } from "../resources/served-resource.ts";
import type { AdmissionContext } from "./admission-context.ts";
import type { Binding, Policy } from "./configuration/policy.ts";

/**
 * Returns a policy's parameter objects for one binding. Returns `[undefined]` if the policy or the binding has no parameters.
 * Returns an empty list if no parameter object exists, so that the policy is not evaluated. `namespace` is the request's
 * namespace.
 * @throws Error if the binding is misconfigured, or if it denies requests without a parameter object
 */
export function paramsOf(
  { directory, store }: AdmissionContext,
  { paramKind }: Policy,
  { params }: Binding,
  namespace: string | undefined,
): readonly (KubeObject | undefined)[] {
  if (!paramKind || !params) return [undefined];
  const resource = directory.findKind(paramKind.apiVersion, paramKind.kind);
  if (!resource)
    throw new Error(`paramKind kind \`${paramKind.apiVersion}, Kind=${paramKind.kind}\` not known`);
  if (!resource.type.namespaced && params.namespace) {
    throw new Error("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  const where = resource.type.namespaced ? params.namespace || namespace : undefined;
  if (resource.type.namespaced && !where) {
    throw new Error("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
  }
  const { name, selector } = params;
  const stored = name
    ? [store.get(resource.bucket, keyOf(where, name)) ?? []].flat()
    : store
        .range(resource.bucket, where ? `${where}/` : "")
        .filter(({ object }) => matchesLabels(selector ?? [], object.metadata.labels ?? {}));
  if (stored.length === 0 && params.deniesWhenAbsent) {
    throw new Error("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  return stored.map((each) => present(resource, each).object);
}
