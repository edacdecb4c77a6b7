import { factLines } from "./known-facts.ts";

/**
 * Returns the permitted strings of a field in a built-in kind, as kube-apiserver publishes them in OpenAPI documents. In lists
 * and maps, the permitted strings apply to each value. The strings are only documentation (`kubectl explain`). Other checks
 * reject invalid values.
 */
export function enumOf(type: string, field: string): readonly string[] | undefined {
  return enums.get(`${type}.${field}`);
}

/** Returns the names of fields with permitted strings, such as `core.v1.Container.imagePullPolicy`. */
export function enumFields(): Iterable<string> {
  return enums.keys();
}

/** Permitted strings of types that several kinds share, in the format of `TypeFacts`. */
const shared = `
admissionregistration.v1.MatchResources.matchPolicy Equivalent|Exact
admissionregistration.v1.NamedRuleWithOperations.operations *|CONNECT|CREATE|DELETE|UPDATE
admissionregistration.v1.NamedRuleWithOperations.scope *|Cluster|Namespaced
admissionregistration.v1.RuleWithOperations.operations *|CONNECT|CREATE|DELETE|UPDATE
admissionregistration.v1.RuleWithOperations.scope *|Cluster|Namespaced
core.v1.AppArmorProfile.type Localhost|RuntimeDefault|Unconfined
core.v1.AzureDiskVolumeSource.cachingMode None|ReadOnly|ReadWrite
core.v1.AzureDiskVolumeSource.kind Dedicated|Managed|Shared
core.v1.Container.imagePullPolicy Always|IfNotPresent|Never
core.v1.Container.terminationMessagePolicy FallbackToLogsOnError|File
core.v1.ContainerPort.protocol SCTP|TCP|UDP
core.v1.EphemeralContainer.imagePullPolicy Always|IfNotPresent|Never
core.v1.EphemeralContainer.terminationMessagePolicy FallbackToLogsOnError|File
core.v1.HTTPGetAction.scheme HTTP|HTTPS
core.v1.HostPathVolumeSource.type |BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket
core.v1.ImageVolumeSource.pullPolicy Always|IfNotPresent|Never
core.v1.Lifecycle.stopSignal SIGABRT|SIGALRM|SIGBUS|SIGCHLD|SIGCLD|SIGCONT|SIGFPE|SIGHUP|SIGILL|SIGINT|SIGIO|SIGIOT|SIGKILL|SIGPIPE|SIGPOLL|SIGPROF|SIGPWR|SIGQUIT|SIGRTMAX|SIGRTMAX-1|SIGRTMAX-10|SIGRTMAX-11|SIGRTMAX-12|SIGRTMAX-13|SIGRTMAX-14|SIGRTMAX-2|SIGRTMAX-3|SIGRTMAX-4|SIGRTMAX-5|SIGRTMAX-6|SIGRTMAX-7|SIGRTMAX-8|SIGRTMAX-9|SIGRTMIN|SIGRTMIN+1|SIGRTMIN+10|SIGRTMIN+11|SIGRTMIN+12|SIGRTMIN+13|SIGRTMIN+14|SIGRTMIN+15|SIGRTMIN+2|SIGRTMIN+3|SIGRTMIN+4|SIGRTMIN+5|SIGRTMIN+6|SIGRTMIN+7|SIGRTMIN+8|SIGRTMIN+9|SIGSEGV|SIGSTKFLT|SIGSTOP|SIGSYS|SIGTERM|SIGTRAP|SIGTSTP|SIGTTIN|SIGTTOU|SIGURG|SIGUSR1|SIGUSR2|SIGVTALRM|SIGWINCH|SIGXCPU|SIGXFSZ
core.v1.NodeSelectorRequirement.operator DoesNotExist|Exists|Gt|In|Lt|NotIn
core.v1.PodSecurityContext.fsGroupChangePolicy Always|OnRootMismatch
core.v1.PodSecurityContext.supplementalGroupsPolicy Merge|Strict
core.v1.PodSpec.dnsPolicy ClusterFirst|ClusterFirstWithHostNet|Default|None
core.v1.PodSpec.preemptionPolicy Never|PreemptLowerPriority
core.v1.PodSpec.restartPolicy Always|Never|OnFailure
core.v1.SeccompProfile.type Localhost|RuntimeDefault|Unconfined
core.v1.SecurityContext.procMount Default|Unmasked
core.v1.Toleration.effect NoExecute|NoSchedule|PreferNoSchedule
core.v1.Toleration.operator Equal|Exists|Gt|Lt
core.v1.TopologySpreadConstraint.nodeAffinityPolicy Honor|Ignore
core.v1.TopologySpreadConstraint.nodeTaintsPolicy Honor|Ignore
core.v1.TopologySpreadConstraint.whenUnsatisfiable DoNotSchedule|ScheduleAnyway
core.v1.VolumeMount.mountPropagation Bidirectional|HostToContainer|None
`;

const enums: ReadonlyMap<string, readonly string[]> = new Map(
  factLines("enums", shared).map(([field, ...texts]) => [field, texts.join(" ").split("|")]),
);
