import { listAt, stringAt, stringsAt, valueAt } from "@keelson/base";
import {
  context,
  distinct,
  named,
  namesWhere,
  type PodView,
  plural,
  quoted,
  sayers,
  type Violation,
} from "./pod-view.ts";

/** Checks a pod and returns its violation. Returns undefined if the check allows the pod. */
export type Check = (pod: PodView) => Violation | undefined;

/** Versions of one check, newest last. `since` is the first Kubernetes minor version to which a version of the check applies. */
export type VersionedCheck = readonly (readonly [since: number, check: Check])[];

/** Skips a check for pods with user namespaces. The users in their containers are not users of the node. */
export const unlessOwnUsers =
  (check: Check): Check =>
  (pod) =>
    valueAt(pod.spec, "hostUsers") === false ? undefined : check(pod);

/** Baseline checks by their Kubernetes name. API servers report violations in this order. */
export const baselineChecks: ReadonlyMap<string, VersionedCheck> = new Map([
  ["appArmorProfile", [[0, appArmorProfile]]],
  ["capabilities_baseline", [[0, addedCapabilities]]],
  ["hostNamespaces", [[0, hostNamespaces]]],
  ["hostPathVolumes", [[0, hostPathVolumes]]],
  ["hostPorts", [[0, hostPorts]]],
  ["hostProbesAndHostLifecycle", [[34, probedHosts]]],
  ["privileged", [[0, privilegedContainers]]],
  [
    "procMount",
    [
      [0, procMount],
      [35, unlessOwnUsers(procMount)],
    ],
  ],
  [
    "seLinuxOptions",
    [
      [0, seLinuxOptions(["", "container_t", "container_init_t", "container_kvm_t"])],
      [31, seLinuxOptions(["", "container_t", "container_init_t", "container_kvm_t", "container_engine_t"])],
    ],
  ],
  [
    "seccompProfile_baseline",
    [
      [0, seccompAnnotations],
      [19, seccompProfiles],
    ],
  ],
  ["sysctls", sysctlChecks()],
  ["windowsHostProcess", [[0, hostProcesses]]],
]);

const localhostOrDefault: ReadonlySet<unknown> = new Set(["RuntimeDefault", "Localhost"]);
const grantable: ReadonlySet<string> = new Set(
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split(
    " ",
  ),
);

function appArmorProfile(pod: PodView): Violation | undefined {
  const typeOf = (part: unknown) => context(part, "appArmorProfile", "type");
  const isBad = (part: unknown) =>
    context(part, "appArmorProfile") !== undefined && !localhostOrDefault.has(typeOf(part));
  const bad = namesWhere(pod, isBad);
  const values = [pod.spec, ...pod.containers].filter(isBad).map((part) => String(typeOf(part) ?? ""));
  const annotations = Object.entries(pod.annotations)
    .filter(([key]) => key.startsWith("container.apparmor.security.beta.kubernetes.io/"))
    .filter(
      ([, value]) => value !== "" && value !== "runtime/default" && !String(value).startsWith("localhost/"),
    )
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort();
  const all = [...distinct(values), ...annotations];
  const who = [
    sayers(isBad(pod.spec), bad),
    ...(annotations.length > 0 ? [plural(annotations.length, "annotation")] : []),
  ].filter((each) => each !== "");
  if (who.length === 0) return undefined;
  return {
    reason: plural(all.length, "forbidden AppArmor profile"),
    detail: `${who.join(" and ")} must not set AppArmor profile type to ${quoted(all)}`,
  };
}

function addedCapabilities(pod: PodView): Violation | undefined {
  const added = (container: unknown) =>
    stringsAt(context(container, "capabilities"), "add").filter((each) => !grantable.has(each));
  const bad = namesWhere(pod, (container) => added(container).length > 0);
  if (bad.length === 0) return undefined;
  const all = distinct(pod.containers.flatMap(added));
  return {
    reason: "non-default capabilities",
    detail: `${named(bad)} must not include ${quoted(all)} in securityContext.capabilities.add`,
  };
}

function hostNamespaces({ spec }: PodView): Violation | undefined {
  const found = ["hostNetwork", "hostPID", "hostIPC"].filter((field) => valueAt(spec, field) === true);
  if (found.length === 0) return undefined;
  return { reason: "host namespaces", detail: found.map((field) => `${field}=true`).join(", ") };
}

function hostPathVolumes({ spec }: PodView): Violation | undefined {
  const found = listAt(spec, "volumes")
    .filter((volume) => valueAt(volume, "hostPath") !== undefined)
    .map((volume) => stringAt(volume, "name") ?? "");
  if (found.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${plural(found.length, "volume")} ${quoted(found)}` };
}

function hostPorts(pod: PodView): Violation | undefined {
  const portsOf = (container: unknown) =>
    listAt(container, "ports").flatMap((each) => {
      const port = valueAt(each, "hostPort");
      return port ? [String(port)] : [];
    });
  const bad = namesWhere(pod, (container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = distinct(pod.containers.flatMap(portsOf));
  const use = `${plural(bad.length, "uses", "use")} ${plural(ports.length, "hostPort")}`;
  return { reason: "hostPort", detail: `${named(bad)} ${use} ${ports.join(", ")}` };
}

function probedHosts(pod: PodView): Violation | undefined {
  const handlers = (container: unknown) => [
    ...["livenessProbe", "readinessProbe", "startupProbe"].map((probe) => valueAt(container, probe)),
    ...["postStart", "preStop"].map((handler) => valueAt(container, "lifecycle", handler)),
  ];
  const hostsOf = (container: unknown) =>
    handlers(container)
      .flatMap((handler) => ["httpGet", "tcpSocket"].map((action) => stringAt(handler, action, "host") ?? ""))
      .filter((host) => host !== "");
  const bad = distinct(namesWhere(pod, (container) => hostsOf(container).length > 0));
  if (bad.length === 0) return undefined;
  const hosts = distinct(pod.containers.flatMap(hostsOf));
  const use = `${plural(bad.length, "uses", "use")} ${plural(hosts.length, "probe or lifecycle host")}`;
  return { reason: "probe or lifecycle host", detail: `${named(bad)} ${use} ${quoted(hosts)}` };
}

function privilegedContainers(pod: PodView): Violation | undefined {
  const bad = namesWhere(pod, (container) => context(container, "privileged") === true);
  if (bad.length === 0) return undefined;
  return { reason: "privileged", detail: `${named(bad)} must not set securityContext.privileged=true` };
}

export function procMount(pod: PodView): Violation | undefined {
  const of = (container: unknown) => context(container, "procMount");
  const isBad = (container: unknown) => of(container) !== undefined && of(container) !== "Default";
  const bad = namesWhere(pod, isBad);
  if (bad.length === 0) return undefined;
  const types = distinct(pod.containers.filter(isBad).map((container) => String(of(container))));
  return {
    reason: "procMount",
    detail: `${named(bad)} must not set securityContext.procMount to ${quoted(types)}`,
  };
}

function seLinuxOptions(allowed: readonly string[]): Check {
  const of = (part: unknown) => context(part, "seLinuxOptions");
  const badType = (part: unknown) => !allowed.includes(stringAt(of(part), "type") ?? "");
  const isBad = (part: unknown) =>
    of(part) !== undefined &&
    (badType(part) || (stringAt(of(part), "user") ?? "") !== "" || (stringAt(of(part), "role") ?? "") !== "");
  return (pod) => {
    const parts = [pod.spec, ...pod.containers].filter((part) => of(part) !== undefined);
    const bad = namesWhere(pod, isBad);
    const who = sayers(isBad(pod.spec), bad);
    if (who === "") return undefined;
    const types = distinct(parts.filter(badType).map((part) => stringAt(of(part), "type") ?? ""));
    const faults = [
      ...(types.length > 0 ? [`${plural(types.length, "type")} ${quoted(types)}`] : []),
      ...["user", "role"]
        .filter((field) => parts.some((part) => (stringAt(of(part), field) ?? "") !== ""))
        .map((field) => `${field} may not be set`),
    ];
    return {
      reason: "seLinuxOptions",
      detail: `${who} set forbidden securityContext.seLinuxOptions: ${faults.join("; ")}`,
    };
  };
}

function seccompAnnotations({ annotations, containers }: PodView): Violation | undefined {
  const isAllowed = (value: unknown) =>
    value === "runtime/default" || value === "docker/default" || String(value).startsWith("localhost/");
  const keys = [
    "seccomp.security.alpha.kubernetes.io/pod",
    ...containers.map(
      (each) => `container.seccomp.security.alpha.kubernetes.io/${stringAt(each, "name") ?? ""}`,
    ),
  ];
  const bad = distinct(
    keys
      .filter((key) => Object.hasOwn(annotations, key) && !isAllowed(annotations[key]))
      .map((key) => `${key}=${JSON.stringify(annotations[key])}`),
  );
  if (bad.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `forbidden ${plural(bad.length, "annotation")} ${bad.join(", ")}`,
  };
}

/** Returns a violation if the pod or a container sets a forbidden seccomp profile. */
export function seccompProfiles(pod: PodView): Violation | undefined {
  const typeOf = (part: unknown) => context(part, "seccompProfile", "type");
  const isBad = (part: unknown) =>
    context(part, "seccompProfile") !== undefined && !localhostOrDefault.has(typeOf(part));
  const who = sayers(isBad(pod.spec), namesWhere(pod, isBad));
  if (who === "") return undefined;
  const types = distinct([pod.spec, ...pod.containers].filter(isBad).map((part) => String(typeOf(part))));
  return {
    reason: "seccompProfile",
    detail: `${who} must not set securityContext.seccompProfile.type to ${quoted(types)}`,
  };
}

/** Returns the check for sysctls that affect only the pod's namespaces. Later versions allow more sysctls. */
function sysctlChecks(): VersionedCheck {
  const since: readonly (readonly [number, readonly string[]])[] = [
    [
      0,
      [
        "kernel.shm_rmid_forced",
        "net.ipv4.ip_local_port_range",
        "net.ipv4.tcp_syncookies",
        "net.ipv4.ping_group_range",
        "net.ipv4.ip_unprivileged_port_start",
      ],
    ],
    [27, ["net.ipv4.ip_local_reserved_ports"]],
    [
      29,
      [
        "net.ipv4.tcp_keepalive_time",
        "net.ipv4.tcp_fin_timeout",
        "net.ipv4.tcp_keepalive_intvl",
        "net.ipv4.tcp_keepalive_probes",
      ],
    ],
    [32, ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"]],
  ];
  return since.map(([minor], at) => {
    const allowed = new Set(since.slice(0, at + 1).flatMap(([, names]) => names));
    const check: Check = ({ spec }) => {
      const names = listAt(spec, "securityContext", "sysctls").map((each) => stringAt(each, "name") ?? "");
      const bad = names.filter((name) => !allowed.has(name));
      return bad.length > 0 ? { reason: "forbidden sysctls", detail: bad.join(", ") } : undefined;
    };
    return [minor, check];
  });
}

function hostProcesses(pod: PodView): Violation | undefined {
  const isBad = (part: unknown) => context(part, "windowsOptions", "hostProcess") === true;
  const who = sayers(isBad(pod.spec), namesWhere(pod, isBad));
  if (who === "") return undefined;
  return {
    reason: "hostProcess",
    detail: `${who} must not set securityContext.windowsOptions.hostProcess=true`,
  };
}
