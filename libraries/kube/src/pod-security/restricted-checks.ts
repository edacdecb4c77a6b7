import { listAt, stringAt, stringsAt, valueAt } from "@keelson/base";
import {
  type Check,
  procMount,
  seccompProfiles,
  unlessOwnUsers,
  type VersionedCheck,
} from "./baseline-checks.ts";
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

/** Skips a check for Windows pods. API server validation already forbids the checked fields in Windows pods. */
const unlessWindows =
  (check: Check): Check =>
  (pod) =>
    valueAt(pod.spec, "os", "name") === "windows" ? undefined : check(pod);

/** Restricted checks by their Kubernetes name. API servers report violations in this order. */
export const restrictedChecks: ReadonlyMap<string, VersionedCheck> = new Map([
  [
    "allowPrivilegeEscalation",
    [
      [8, privilegeEscalation],
      [25, unlessWindows(privilegeEscalation)],
    ],
  ],
  [
    "capabilities_restricted",
    [
      [22, capabilities],
      [25, unlessWindows(capabilities)],
    ],
  ],
  ["procMount_restricted", [[35, procMount]]],
  ["restrictedVolumes", [[0, volumes]]],
  [
    "runAsNonRoot",
    [
      [0, runAsNonRoot],
      [35, unlessOwnUsers(runAsNonRoot)],
    ],
  ],
  [
    "runAsUser",
    [
      [23, runAsUser],
      [35, unlessOwnUsers(runAsUser)],
    ],
  ],
  [
    "seccompProfile_restricted",
    [
      [19, seccompProfile],
      [25, unlessWindows(seccompProfile)],
    ],
  ],
]);

/** Maps a baseline check to the restricted check that replaces it. */
export const replacedBy: ReadonlyMap<string, string> = new Map([
  ["capabilities_baseline", "capabilities_restricted"],
  ["procMount", "procMount_restricted"],
  ["hostPathVolumes", "restrictedVolumes"],
  ["seccompProfile_baseline", "seccompProfile_restricted"],
]);

function privilegeEscalation(pod: PodView): Violation | undefined {
  const bad = namesWhere(pod, (container) => context(container, "allowPrivilegeEscalation") !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${named(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
}

function capabilities(pod: PodView): Violation | undefined {
  const of = (container: unknown, side: "add" | "drop") =>
    stringsAt(context(container, "capabilities"), side);
  const added = (container: unknown) => of(container, "add").filter((each) => each !== "NET_BIND_SERVICE");
  const keeping = namesWhere(pod, (container) => !of(container, "drop").includes("ALL"));
  const adding = namesWhere(pod, (container) => added(container).length > 0);
  const all = distinct(pod.containers.flatMap(added));
  const details = [
    ...(keeping.length > 0 ? [`${named(keeping)} must set securityContext.capabilities.drop=["ALL"]`] : []),
    ...(adding.length > 0
      ? [`${named(adding)} must not include ${quoted(all)} in securityContext.capabilities.add`]
      : []),
  ];
  return details.length > 0 ? { reason: "unrestricted capabilities", detail: details.join("; ") } : undefined;
}

const allowedVolumes: ReadonlySet<string> = new Set(
  "configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret".split(" "),
);
const otherVolumes: ReadonlySet<string> = new Set(
  `hostPath gcePersistentDisk awsElasticBlockStore gitRepo nfs iscsi glusterfs rbd flexVolume cinder cephfs flocker fc
  azureFile vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO storageos`.split(
    /\s+/,
  ),
);

function volumes({ spec }: PodView): Violation | undefined {
  const sources = (volume: unknown) => Object.keys(Object(volume));
  const bad = listAt(spec, "volumes").filter(
    (volume) => !sources(volume).some((source) => allowedVolumes.has(source)),
  );
  if (bad.length === 0) return undefined;
  const names = bad.map((volume) => stringAt(volume, "name") ?? "");
  const types = distinct(
    bad.map((volume) => sources(volume).find((source) => otherVolumes.has(source)) ?? "unknown"),
  );
  const use = `${plural(names.length, "uses", "use")} ${plural(types.length, "restricted volume type")}`;
  return {
    reason: "restricted volume types",
    detail: `${plural(names.length, "volume")} ${quoted(names)} ${use} ${quoted(types)}`,
  };
}

function runAsNonRoot(pod: PodView): Violation | undefined {
  const reason = "runAsNonRoot != true";
  const of = (part: unknown) => context(part, "runAsNonRoot");
  const isRoot = (part: unknown) => of(part) === false;
  const who = sayers(isRoot(pod.spec), namesWhere(pod, isRoot));
  if (who !== "") return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` };
  const open = of(pod.spec) === true ? [] : namesWhere(pod, (container) => of(container) === undefined);
  if (open.length === 0) return undefined;
  return { reason, detail: `pod or ${named(open)} must set securityContext.runAsNonRoot=true` };
}

function runAsUser(pod: PodView): Violation | undefined {
  const isRoot = (part: unknown) => context(part, "runAsUser") === 0;
  const who = sayers(isRoot(pod.spec), namesWhere(pod, isRoot));
  return who === "" ? undefined : { reason: "runAsUser=0", detail: `${who} must not set runAsUser=0` };
}

function seccompProfile(pod: PodView): Violation | undefined {
  const forbidden = seccompProfiles(pod);
  if (forbidden) return forbidden;
  const of = (part: unknown) => context(part, "seccompProfile");
  const open = of(pod.spec) === undefined ? namesWhere(pod, (container) => of(container) === undefined) : [];
  if (open.length === 0) return undefined;
  const types = '"RuntimeDefault" or "Localhost"';
  return {
    reason: "seccompProfile",
    detail: `pod or ${named(open)} must set securityContext.seccompProfile.type to ${types}`,
  };
}
