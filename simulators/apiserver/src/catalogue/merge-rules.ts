/** How strategic merge treats a field that it does not simply replace or merge by member. */
export interface MergeRule {
  /** Lists of objects merge by this member; absent for lists of scalars, which merge as sets. */
  readonly mergeKey?: string;
  /** The list merges instead of being replaced. */
  readonly merge: boolean;
  /** `$retainKeys` may name the members to keep: the object (or each list item) is a union. */
  readonly retainKeys: boolean;
  /** The object is replaced whole. */
  readonly replace: boolean;
}

/**
 * One line per type: `package.version.Type` and its fields, each `field=mergeKey`. A `+` after the key adds
 * retainKeys; `field=` is a set of scalars; `field=+` an object with retainKeys; `field=!` is replaced whole.
 * Facts: the `patchStrategy` and `patchMergeKey` tags of kubernetes/api `{group}/v1/types.go` (1.36) and of ObjectMeta.
 */
const table = `
meta.v1.ObjectMeta finalizers= ownerReferences=uid
core.v1.Container env=name ports=containerPort volumeDevices=devicePath volumeMounts=mountPath
core.v1.ContainerStatus allocatedResourcesStatus=name volumeMounts=mountPath
core.v1.EphemeralContainer env=name ports=containerPort volumeDevices=devicePath volumeMounts=mountPath
core.v1.PodSpec containers=name ephemeralContainers=name hostAliases=ip imagePullSecrets=name initContainers=name
core.v1.PodSpec resourceClaims=name+ schedulingGates=name topologySpreadConstraints=topologyKey volumes=name+
core.v1.PodStatus conditions=type hostIPs=ip podIPs=ip resourceClaimStatuses=name+
core.v1.PodStatus nodeAllocatableResourceClaimStatuses=resourceClaimName
core.v1.PersistentVolumeClaimStatus conditions=type
core.v1.ReplicationControllerStatus conditions=type
core.v1.ServiceSpec ports=port
core.v1.ServiceStatus conditions=type
core.v1.ServiceAccount secrets=name
core.v1.NodeSpec podCIDRs=
core.v1.NodeStatus addresses=type conditions=type
core.v1.NamespaceStatus conditions=type
core.v1.ComponentStatus conditions=type
apps.v1.DaemonSetStatus conditions=type
apps.v1.DeploymentSpec strategy=+
apps.v1.DeploymentStatus conditions=type
apps.v1.ReplicaSetStatus conditions=type
apps.v1.StatefulSetStatus conditions=type
batch.v1.JobStatus conditions=type
policy.v1.PodDisruptionBudgetSpec selector=!
policy.v1.PodDisruptionBudgetStatus conditions=type
admissionregistration.v1.ValidatingAdmissionPolicySpec matchConditions=name variables=name
admissionregistration.v1.ValidatingWebhookConfiguration webhooks=name
admissionregistration.v1.MutatingWebhookConfiguration webhooks=name
admissionregistration.v1.ValidatingWebhook matchConditions=name
admissionregistration.v1.MutatingWebhook matchConditions=name
autoscaling.v2.HorizontalPodAutoscalerStatus conditions=type
storage.v1.CSINodeSpec drivers=name
flowcontrol.v1.FlowSchemaStatus conditions=type
flowcontrol.v1.PriorityLevelConfigurationStatus conditions=type
`;

/** Every rule, by `package.version.Type` and field, as `core.v1.PodSpec.containers`. */
export const mergeRules: ReadonlyMap<string, MergeRule> = new Map(
  table
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [type, ...fields] = line.split(" ");
      return fields.map((text): [string, MergeRule] => {
        const [field = "", code = ""] = text.split("=");
        return [`${type}.${field}`, parseRule(field, code)];
      });
    }),
);

function parseRule(field: string, code: string): MergeRule {
  const retainKeys = code.endsWith("+");
  const mergeKey = code.replace(/[+!]$/, "");
  const replace = code === "!";
  // `strategy` of a Deployment is the one object with retainKeys; everything else here is a list.
  const merge = !replace && field !== "strategy";
  return { ...(mergeKey ? { mergeKey } : {}), merge, retainKeys, replace };
}
