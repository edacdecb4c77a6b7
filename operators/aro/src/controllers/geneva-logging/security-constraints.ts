import { type Manifest, manifest } from "@keelson/aro-api";
import { type KubeObject, resources } from "@keelson/kube";
import { accountName, namespace } from "./names.ts";

const { securityContextConstraints } = resources;

export const sourceName = "privileged";
export const constraintsName = "privileged-genevalogging";

/**
 * Values for required fields that are null in the source. In a desired object, null would instead request that the field be
 * absent.
 */
const empty: Readonly<Record<string, unknown>> = {
  allowedCapabilities: [],
  defaultAddCapabilities: [],
  requiredDropCapabilities: [],
  volumes: [],
  priority: 0,
};

/** Returns a copy of the platform's `privileged` SecurityContextConstraints. Only the exporters' service account may use it. */
export function securityConstraints(source: KubeObject): Manifest {
  const { apiVersion: _, kind: __, metadata: ___, ...members } = source;
  const allowed = Object.entries(members).map(([name, value]) => [name, value ?? empty[name] ?? null]);
  return manifest(
    securityContextConstraints,
    { name: constraintsName },
    {
      ...Object.fromEntries(allowed),
      groups: [],
      users: [`system:serviceaccount:${namespace}:${accountName}`],
    },
  );
}
