import type { Admission, KubeObject } from "@keelson/apiserver";
import { at, listAt } from "../../runtime/fields.ts";

const annotation = "openshift.io/scc";

/** Notes on each new pod the security context constraints that it runs under, the narrowest that let it. */
export const podSecurityAdmission: Admission = {
  handles: ({ resource, operation, subresource }) =>
    resource.bucket === "/pods" && operation === "CREATE" && subresource === "",
  mutate: async ({ object }) => {
    if (!object) throw new Error("a write without an object");
    const { metadata } = object;
    if (metadata.annotations?.[annotation]) return object;
    const annotations = { ...metadata.annotations, [annotation]: constraintsFor(object) };
    return {
      ...object,
      apiVersion: object.apiVersion,
      kind: object.kind,
      metadata: { ...metadata, annotations },
    };
  },
  validate: async () => undefined,
};

/** The name of the constraints that a pod needs at least. */
export function constraintsFor(pod: KubeObject): string {
  const containers = [...listAt(pod, "spec", "containers"), ...listAt(pod, "spec", "initContainers")];
  const host = (field: string) => at(pod, "spec", field) === true;
  const volumes = listAt(pod, "spec", "volumes");
  if (
    host("hostPID") ||
    host("hostIPC") ||
    containers.some((each) => at(each, "securityContext", "privileged") === true) ||
    volumes.some((each) => at(each, "hostPath") !== undefined)
  ) {
    return "privileged";
  }
  if (host("hostNetwork")) return "hostnetwork-v2";
  const runsAsRoot = [pod.spec, ...containers].some((each) => at(each, "securityContext", "runAsUser") === 0);
  return runsAsRoot ? "anyuid" : "restricted-v2";
}
