import { isDeepStrictEqual } from "node:util";
import { stringAt, valueAt } from "@keelson/base";
import { type KubeObject, type KubeResource, resources } from "@keelson/kube";
import type { EnsureResult, ManagedObjects, WantedObject } from "./managed-objects.ts";
import { dataOf } from "./object-data.ts";

/** Data keys that a different controller injects into an object on request. */
const injected = [
  { key: "ca-bundle.crt", asks: ["labels", "config.openshift.io/inject-trusted-cabundle"] },
  { key: "service-ca.crt", asks: ["annotations", "service.beta.openshift.io/inject-cabundle"] },
] as const;

const tokenType = "kubernetes.io/service-account-token";

/**
 * Ensures that a ConfigMap or Secret has exactly this `data`, except for injected keys and service account tokens, which are
 * kept. Immutable objects, and Secrets of a different type, are deleted and recreated.
 */
export async function ensureData(
  objects: ManagedObjects,
  resource: KubeResource,
  wanted: WantedObject & { readonly data?: Readonly<Record<string, string>> },
): Promise<EnsureResult> {
  const { name, namespace } = wanted.metadata;
  const key = namespace === undefined ? { name } : { name, namespace };
  const { data = {}, ...rest } = wanted;
  const live = await objects.find(resource, key);
  if (live && mustReplace(resource, live, wanted, data)) {
    await objects.remove(resource, key);
    return objects.ensure(resource, withData(rest, data));
  }
  const kept = new Set(
    injected
      .filter(({ asks: [member, label] }) => valueAt(wanted, "metadata", member, label) === "true")
      .map(({ key }) => key as string),
  );
  const isToken = stringAt(live, "type") === tokenType;
  const foreign = Object.keys(dataOf(live)).filter(
    (key) => !Object.hasOwn(data, key) && !kept.has(key) && !isToken,
  );
  const absent = Object.fromEntries(foreign.map((key) => [key, null]));
  return objects.ensure(resource, withData(rest, { ...data, ...absent }));
}

function withData(wanted: WantedObject, data: Readonly<Record<string, string | null>>): WantedObject {
  return Object.keys(data).length === 0 ? wanted : { ...wanted, data };
}

function mustReplace(
  resource: KubeResource,
  live: KubeObject,
  wanted: WantedObject,
  data: Readonly<Record<string, string>>,
): boolean {
  const isSecret = resource.plural === resources.secrets.plural;
  const type = stringAt(wanted, "type") ?? "Opaque";
  if (isSecret && (stringAt(live, "type") ?? "Opaque") !== type) return true;
  return live.immutable === true && !isDeepStrictEqual(live.data ?? {}, data);
}
