import { type Manifest, manifest } from "@keelson/aro-api";
import { type KubeObject, resources } from "@keelson/kube";
import { accountName, namespace } from "./names.ts";

const { securityContextConstraints } = resources;

export const sourceName = "privileged";
export const constraintsName = "privileged-genevalogging";

/** Required members that may be null, and what says the same: a wanted null asks for absence. */
const empty: Readonly<Record<string, unknown>> = {
  allowedCapabilities: [],
  defaultAddCapabilities: [],
  requiredDropCapabilities: [],
  volumes: [],
  priority: 0,
};

/** What the platform's `privileged` constraints allow, for the exporters' account alone. */
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
