import type { KubeObject } from "@keelson/apiserver";
import { listAt, numberAt, objectAt, stringAt, valueAt } from "@keelson/base";

/** Properties of the pod's namespace and node assignment that the check needs. */
export interface PodPlace {
  /** First and last user ID of the namespace. If undefined, pods may not specify a user ID. */
  readonly uids?: { readonly first: number; readonly last: number } | undefined;
  /** True if the pod is assigned to control plane nodes. */
  readonly isControlPlane: boolean;
}

/**
 * Returns OpenShift's messages for all violations of a pod. Unlike OpenShift, this check assigns no default user IDs, groups,
 * SELinux contexts or seccomp profiles to the pod.
 */
export function constraintViolations(
  constraints: KubeObject,
  pod: KubeObject,
  { uids, isControlPlane }: PodPlace,
): readonly string[] {
  const nodeName = stringAt(pod, "spec", "nodeName");
  const allows = (field: string) => valueAt(constraints, field) === true;
  const violations: string[] = [];
  const refuse = (path: string, value: unknown, reason: string): void => {
    violations.push(
      `provider ${constraints.metadata.name}: ${path}: Invalid value: ${JSON.stringify(value)}: ${reason}`,
    );
  };
  for (const [field, name, allowed] of [
    ["hostNetwork", "Host network", allows("allowHostNetwork")],
    ["hostPID", "Host PID", allows("allowHostPID")],
    ["hostIPC", "Host IPC", allows("allowHostIPC")],
  ] as const)
    if (valueAt(pod, "spec", field) === true && !allowed)
      refuse(`.spec.securityContext.${field}`, true, `${name} is not allowed to be used`);
  if (isControlPlane && !allows("allowHostDirVolumePlugin"))
    refuse(
      nodeName === undefined ? ".spec.nodeSelector" : ".spec.nodeName",
      nodeName ?? objectAt(pod, "spec", "nodeSelector"),
      "nodes of the control plane are not allowed",
    );

  const volumes = listAt(constraints, "volumes");
  for (const [index, volume] of listAt(pod, "spec", "volumes").entries()) {
    const type = Object.keys(objectAt(volume)).find((key) => key !== "name") ?? "emptyDir";
    const isListed = volumes.includes(type) || volumes.includes("*");
    if (!isListed || (type === "hostPath" && !allows("allowHostDirVolumePlugin")))
      refuse(`spec.volumes[${index}]`, type, `${type} volumes are not allowed to be used`);
  }
  refuseUser("spec.securityContext", pod.spec);
  for (const kind of ["initContainers", "containers", "ephemeralContainers"])
    for (const [index, container] of listAt(pod, "spec", kind).entries())
      refuseContainer(`.${kind}[${index}]`, container);
  return violations;

  function refuseContainer(path: string, container: unknown): void {
    const context = objectAt(container, "securityContext");
    if (context.privileged === true && !allows("allowPrivilegedContainer"))
      refuse(`${path}.privileged`, true, "Privileged containers are not allowed");
    if (
      context.allowPrivilegeEscalation === true &&
      valueAt(constraints, "allowPrivilegeEscalation") === false
    )
      refuse(
        `${path}.allowPrivilegeEscalation`,
        true,
        "Allowing privilege escalation for containers is not allowed",
      );
    const capabilities = listAt(constraints, "allowedCapabilities");
    for (const added of listAt(context, "capabilities", "add"))
      if (!capabilities.includes("*") && !capabilities.includes(added))
        refuse(`${path}.capabilities.add`, added, "capability may not be added");
    for (const port of listAt(container, "ports")) {
      const hostPort = numberAt(port, "hostPort") ?? 0;
      if (hostPort !== 0 && !allows("allowHostPorts"))
        refuse(`${path}.hostPort`, hostPort, "Host ports are not allowed to be used");
    }
    refuseUser(path, container);
  }

  function refuseUser(path: string, holder: unknown): void {
    const user = numberAt(holder, "securityContext", "runAsUser");
    const type = stringAt(constraints, "runAsUser", "type");
    if (user === undefined || type === "RunAsAny") return;
    const refuseRange = (first: number, last: number) => {
      if (user < first || user > last)
        refuse(`${path}.runAsUser`, user, `must be in the ranges: [${first}, ${last}]`);
    };
    const own = numberAt(constraints, "runAsUser", "uid");
    const [first, last] = ["uidRangeMin", "uidRangeMax"].map((end) =>
      numberAt(constraints, "runAsUser", end),
    );
    if (type === "MustRunAsNonRoot") {
      if (user === 0) refuse(`${path}.runAsUser`, user, "running with the root UID is forbidden");
    } else if (type === "MustRunAs" && own !== undefined) refuseRange(own, own);
    else if (first !== undefined && last !== undefined) refuseRange(first, last);
    else if (uids) refuseRange(uids.first, uids.last);
    else refuse(`${path}.runAsUser`, user, "the namespace has no range of user IDs");
  }
}
