import type { ExporterRole } from "./names.ts";
import type { Profile } from "./profile.ts";

/** Collector processor that drops a record if one of its conditions is true. */
export interface LogFilter {
  readonly name: string;
  readonly drops: readonly string[];
}

const all = (...conditions: readonly string[]) => `(${conditions.join(" and ")})`;
const any = (...conditions: readonly string[]) => `(${conditions.join(" or ")})`;
const not = (condition: string) => `not ${condition}`;
const bodyAt = (path: readonly string[]) =>
  `body${path.map((member) => `[${JSON.stringify(member)}]`).join("")}`;
/**
 * Returns a condition that matches a string field of a record's body. With an empty path, the condition matches the body itself.
 * The condition checks that each parent is a map before it reads a field of the parent.
 */
const matches = (path: readonly string[], pattern: string) =>
  all(
    ...path.map((_, depth) => `IsMap(${bodyAt(path.slice(0, depth))})`),
    `IsString(${bodyAt(path)})`,
    `IsMatch(${bodyAt(path)}, ${JSON.stringify(pattern)})`,
  );
const oneOf = (path: readonly string[], ...values: readonly string[]) =>
  matches(path, `^(${values.join("|")})$`);

/**
 * Returns conditions that match warnings and errors in a container's log line. They match the formats of logrus, klog and the
 * cluster version operator.
 */
const wrongIn = (...path: readonly string[]) => [
  matches(path, "level=(error|warn|warning)"),
  matches(path, String.raw`\b[EW][0-9]{4}\b`),
  matches(path, "Update error .*: ClusterOperatorDegraded"),
];

const containersInTrouble: LogFilter = {
  name: "filter/containers-in-trouble",
  drops: [
    not(
      any(
        ...wrongIn(),
        matches([], String.raw`\t(error|warn)\t`),
        oneOf(["severity"], "[EWF]", "error", "warn", "warning", "fatal"),
        ...wrongIn("message"),
      ),
    ),
  ],
};

const olmNoise: LogFilter = {
  name: "filter/olm-noise",
  drops: [
    String.raw`addrConn\.createTransport failed to connect|connect: connection refused`,
    "install strategy successful",
    "resolving sources|checking if subscriptions need update",
    "evaluating current pod|matching label selector, 1 have the correct images and matching hash",
    "No subscriptions were found in namespace",
  ].map((pattern) => matches([], pattern)),
};

const from = (identifier: string, pattern: string) =>
  all(oneOf(["SYSLOG_IDENTIFIER"], identifier), matches(["MESSAGE"], pattern));

const journalNoise: LogFilter = {
  name: "filter/journal-noise",
  drops: [
    from("ovs-vswitchd", "flow_mods"),
    from("sshd", "kex_exchange_identification|Connection reset by"),
    from("NetworkManager", "new Veth device|new Open vSwitch Port device|carrier: link connected"),
    from("kernel", "entered promiscuous mode|left promiscuous mode"),
    from("crio", "not allowed with host net enabled"),
  ],
};

/** Filter that keeps warnings, errors, kubelet failures, CRI-O failures and boot messages. */
const journalInTrouble = (role: ExporterRole): LogFilter => ({
  name: "filter/journal-in-trouble",
  drops: [
    not(
      any(
        oneOf(["PRIORITY"], "[0-4]"),
        from(
          "kubenswrapper",
          String.raw`\b(E|W)[0-9]{4}\b|ContainerStatus from runtime service failed|\b[Ff]ailed\b|timed out|timeout|\berr=`,
        ),
        ...(role === "master" ? [from("kubenswrapper", "SyncLoop")] : []),
        from("crio", String.raw`level=(error|warn|warning|fatal)|\b[Ff]ailed\b|timed out|timeout|\berror\b`),
        from("kernel", "^Kernel command line: "),
        all(oneOf(["_SYSTEMD_UNIT"], String.raw`init\.scope`), matches(["UNIT"], String.raw`\.service$`)),
      ),
    ),
  ],
});

const reviews = "(tokenreviews|accessreviews|selfsubjectaccessreviews)";
/** Namespaces of add-ons that write many logs. The service does not operate these add-ons. */
export const noisyNamespaces = [
  "logging",
  "keda",
  "gitops",
  "user-workload-monitoring",
  "adp",
  "distributed-tracing",
  "cnv",
  "serverless",
  "pipelines",
  "nfd",
].map((name) => `openshift-${name}`);

/** Filter that keeps audit records of changes in the platform's namespaces. */
const auditedChanges: LogFilter = {
  name: "filter/audited-changes",
  drops: [
    not(oneOf(["verb"], "create", "update", "delete", "patch")),
    matches(["objectRef", "resource"], `^${reviews}$`),
    matches(["requestURI"], String.raw`/${reviews}(/|\?|$)`),
    oneOf(["objectRef", "resource"], "leases"),
    not(oneOf(["objectRef", "namespace"], "default", "kube-.+", "openshift(?:-.+)?")),
    oneOf(["objectRef", "namespace"], ...noisyNamespaces),
  ],
};

export type Source = "journald" | "containers" | "audit";

/** Returns the filters of a profile for one log source. */
export function filtersOf(profile: Profile, source: Source, role: ExporterRole): readonly LogFilter[] {
  if (profile === "max-logs") return [];
  const isMinimal = profile === "minimal-logs";
  if (source === "audit") return [auditedChanges];
  if (source === "containers") return [isMinimal ? containersInTrouble : olmNoise];
  return isMinimal ? [journalNoise, journalInTrouble(role)] : [journalNoise];
}
