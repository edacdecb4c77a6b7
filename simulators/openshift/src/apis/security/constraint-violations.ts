import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";

/** Properties of the pod's namespace and node assignment that the check needs. */
export interface PodPlace {
  /** First and last user ID of the namespace. If undefined, pods may not specify a user ID. */
  readonly uids?: { readonly first: number; readonly last: number } | undefined;
  /** True if the pod is assigned to control plane nodes. */
  readonly isControlPlane: boolean;
}

/** Maximum length of a value in a message. */
const maxValueLength = 1_024;

/**
 * Yields OpenShift's messages for all violations of a pod. Unlike OpenShift, this check assigns no default user IDs, groups,
 * SELinux contexts or seccomp profiles to the pod.
 */
export function* constraintViolations(
  constraints: KubeObject,
  pod: KubeObject,
  { uids, isControlPlane }: PodPlace,
): Generator<string, void, void> {
  const nodeName = stringAt(pod, "spec", "nodeName");
  const allows = (field: string) => valueAt(constraints, field) === true;
  const refusal = (path: string, value: unknown, reason: string) => {
    const shown = JSON.stringify(value).slice(0, maxValueLength);
    return `provider ${constraints.metadata.name}: ${path}: Invalid value: ${shown}: ${reason}`;
  };
  for (const [field, name, allowed] of [
    ["hostNetwork", "Host network", allows("allowHostNetwork")],
    ["hostPID", "Host PID", allows("allowHostPID")],
    ["hostIPC", "Host IPC", allows("allowHostIPC")],
  ] as const)
    if (valueAt(pod, "spec", field) === true && !allowed)
      yield refusal(`.spec.securityContext.${field}`, true, `${name} is not allowed to be used`);
  if (isControlPlane && !allows("allowHostDirVolumePlugin"))
    yield refusal(
      nodeName === undefined ? ".spec.nodeSelector" : ".spec.nodeName",
      nodeName ?? objectAt(pod, "spec", "nodeSelector"),
      "nodes of the control plane are not allowed",
    );

  const volumes = new Set(listAt(constraints, "volumes"));
  const capabilities = new Set(listAt(constraints, "allowedCapabilities"));
  for (const [index, volume] of listAt(pod, "spec", "volumes").entries()) {
    const type = Object.keys(objectAt(volume)).find((key) => key !== "name") ?? "emptyDir";
    const isListed = volumes.has(type) || volumes.has("*");
    if (!isListed || (type === "hostPath" && !allows("allowHostDirVolumePlugin")))
      yield refusal(`spec.volumes[${index}]`, type, `${type} volumes are not allowed to be used`);
  }
  yield* userViolations("spec.securityContext", pod.spec);
  for (const kind of ["initContainers", "containers", "ephemeralContainers"])
    for (const [index, container] of listAt(pod, "spec", kind).entries())
      yield* containerViolations(`.${kind}[${index}]`, container);

  function* containerViolations(path: string, container: unknown): Generator<string, void, void> {
    const context = objectAt(container, "securityContext");
    if (context.privileged === true && !allows("allowPrivilegedContainer"))
      yield refusal(`${path}.privileged`, true, "Privileged containers are not allowed");
    if (
      context.allowPrivilegeEscalation === true &&
      valueAt(constraints, "allowPrivilegeEscalation") === false
    )
      yield refusal(
        `${path}.allowPrivilegeEscalation`,
        true,
        "Allowing privilege escalation for containers is not allowed",
      );
    for (const added of listAt(context, "capabilities", "add"))
      if (!capabilities.has("*") && !capabilities.has(added))
        yield refusal(`${path}.capabilities.add`, added, "capability may not be added");
    for (const port of listAt(container, "ports")) {
      const hostPort = numberAt(port, "hostPort") ?? 0;
      if (hostPort !== 0 && !allows("allowHostPorts"))
        yield refusal(`${path}.hostPort`, hostPort, "Host ports are not allowed to be used");
    }
    yield* userViolations(path, container);
  }

  function* userViolations(path: string, holder: unknown): Generator<string, void, void> {
    const user = numberAt(holder, "securityContext", "runAsUser");
    const type = stringAt(constraints, "runAsUser", "type");
    if (user === undefined || type === "RunAsAny") return;
    const outside = function* (first: number, last: number) {
      if (user < first || user > last)
        yield refusal(`${path}.runAsUser`, user, `must be in the ranges: [${first}, ${last}]`);
    };
    const own = numberAt(constraints, "runAsUser", "uid");
    const [first, last] = ["uidRangeMin", "uidRangeMax"].map((end) =>
      numberAt(constraints, "runAsUser", end),
    );
    if (type === "MustRunAsNonRoot") {
      if (user === 0) yield refusal(`${path}.runAsUser`, user, "running with the root UID is forbidden");
    } else if (type === "MustRunAs" && own !== undefined) yield* outside(own, own);
    else if (first !== undefined && last !== undefined) yield* outside(first, last);
    else if (uids) yield* outside(uids.first, uids.last);
    else yield refusal(`${path}.runAsUser`, user, "the namespace has no range of user IDs");
  }
}
