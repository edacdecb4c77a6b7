import { bindingColumns, certificateSigningRequestColumns } from "./access-columns.ts";
import { autoscalerColumns } from "./autoscaler-columns.ts";
import {
  ageColumn,
  type Column,
  count,
  createdAtColumn,
  declared,
  nameColumn,
  size,
  text,
  textOf,
} from "./column.ts";
import { eventColumns } from "./event-columns.ts";
import {
  endpointSliceColumns,
  endpointsColumns,
  ingressClassColumns,
  ingressColumns,
  networkPolicyColumns,
  serviceColumns,
} from "./network-columns.ts";
import { nodeColumns } from "./node-columns.ts";
import { podColumns } from "./pod-columns.ts";
import { at, conditionOf, textAt, textMapAt } from "./read.ts";
import {
  csiDriverColumns,
  csiNodeColumns,
  persistentVolumeClaimColumns,
  persistentVolumeColumns,
  storageClassColumns,
  volumeAttachmentColumns,
} from "./storage-columns.ts";
import {
  controllerRevisionColumns,
  cronJobColumns,
  daemonSetColumns,
  deploymentColumns,
  jobColumns,
  podDisruptionBudgetColumns,
  podTemplateColumns,
  replicaSetColumns,
  replicationControllerColumns,
  statefulSetColumns,
} from "./workload-columns.ts";

const webhookColumns = [nameColumn, size("Webhooks", "webhooks"), ageColumn];

/** Columns by kind. Facts: kubernetes pkg/printers/internalversion/printers.go and the kube-aggregator's table. */
const byKind: ReadonlyMap<string, readonly Column[]> = new Map([
  [
    "APIService",
    [nameColumn, text("Service", apiService), text("Available", apiServiceAvailable), ageColumn],
  ],
  ["CSIDriver", csiDriverColumns],
  ["CSINode", csiNodeColumns],
  ["CertificateSigningRequest", certificateSigningRequestColumns],
  ["ClusterRoleBinding", bindingColumns],
  ["ComponentStatus", [nameColumn, ...componentColumns()]],
  ["ConfigMap", [nameColumn, declared("string", size("Data", "data", "binaryData")), ageColumn]],
  ["ControllerRevision", controllerRevisionColumns],
  ["CronJob", cronJobColumns],
  ["DaemonSet", daemonSetColumns],
  ["Deployment", deploymentColumns],
  ["EndpointSlice", endpointSliceColumns],
  ["Endpoints", endpointsColumns],
  ["Event", eventColumns],
  [
    "FlowSchema",
    [
      nameColumn,
      textOf("PriorityLevel", "spec.priorityLevelConfiguration.name"),
      declared("string", count("MatchingPrecedence", "spec.matchingPrecedence")),
      textOf("DistinguisherMethod", "spec.distinguisherMethod.type", "<none>"),
      ageColumn,
      text("MissingPL", (schema) => textAt(conditionOf(schema, "Dangling"), "status") || "?"),
    ],
  ],
  ["HorizontalPodAutoscaler", autoscalerColumns],
  ["Ingress", ingressColumns],
  ["IngressClass", ingressClassColumns],
  ["Job", jobColumns],
  ["Lease", [nameColumn, textOf("Holder", "spec.holderIdentity"), ageColumn]],
  ["MutatingWebhookConfiguration", webhookColumns],
  ["Namespace", [nameColumn, textOf("Status", "status.phase"), ageColumn]],
  ["NetworkPolicy", networkPolicyColumns],
  ["Node", nodeColumns],
  ["PersistentVolume", persistentVolumeColumns],
  ["PersistentVolumeClaim", persistentVolumeClaimColumns],
  ["Pod", podColumns],
  ["PodDisruptionBudget", podDisruptionBudgetColumns],
  ["PodTemplate", podTemplateColumns],
  [
    "PriorityClass",
    [
      nameColumn,
      count("Value", "value"),
      {
        name: "Global-Default",
        type: "boolean",
        priority: 0,
        cell: (object) => at(object, "globalDefault") === true,
      },
      ageColumn,
      textOf("PreemptionPolicy", "preemptionPolicy", "<unset>"),
    ],
  ],
  [
    "PriorityLevelConfiguration",
    [
      nameColumn,
      textOf("Type", "spec.type"),
      text("NominalConcurrencyShares", (object) => limited(object, "nominalConcurrencyShares")),
      text("Queues", (object) => limited(object, "limitResponse", "queuing", "queues")),
      text("HandSize", (object) => limited(object, "limitResponse", "queuing", "handSize")),
      text("QueueLengthLimit", (object) => limited(object, "limitResponse", "queuing", "queueLengthLimit")),
      ageColumn,
    ],
  ],
  ["ReplicaSet", replicaSetColumns],
  ["ReplicationController", replicationControllerColumns],
  [
    "ResourceQuota",
    [
      nameColumn,
      text("Request", (quota) => quotaText(quota, false)),
      text("Limit", (quota) => quotaText(quota, true)),
      ageColumn,
    ],
  ],
  ["RoleBinding", bindingColumns],
  ["RuntimeClass", [nameColumn, textOf("Handler", "handler"), ageColumn]],
  ["Secret", [nameColumn, textOf("Type", "type"), declared("string", size("Data", "data")), ageColumn]],
  ["Service", serviceColumns],
  ["ServiceAccount", [nameColumn, declared("string", size("Secrets", "secrets")), ageColumn]],
  ["StatefulSet", statefulSetColumns],
  ["StorageClass", storageClassColumns],
  [
    "ValidatingAdmissionPolicy",
    [
      nameColumn,
      size("Validations", "spec.validations"),
      text("ParamKind", (policy) => {
        const kind = at(policy, "spec", "paramKind");
        return kind === undefined ? "<unset>" : `${textAt(kind, "apiVersion")}/${textAt(kind, "kind")}`;
      }),
      ageColumn,
    ],
  ],
  [
    "ValidatingAdmissionPolicyBinding",
    [
      nameColumn,
      textOf("PolicyName", "spec.policyName"),
      text("ParamRef", (binding) => {
        const ref = at(binding, "spec", "paramRef");
        if (ref === undefined) return "<unset>";
        const namespace = textAt(ref, "namespace");
        return `${namespace ? `${namespace}/` : ""}${textAt(ref, "name") || "*"}`;
      }),
      ageColumn,
    ],
  ],
  ["ValidatingWebhookConfiguration", webhookColumns],
  ["VolumeAttachment", volumeAttachmentColumns],
]);

const plainColumns: readonly Column[] = [nameColumn, createdAtColumn];

/** The columns of a built-in kind; its name and creation time when it has none of its own (roles, CRDs, limit ranges). */
export function builtinColumns(kind: string): readonly Column[] {
  return byKind.get(kind) ?? plainColumns;
}

function componentColumns(): readonly Column[] {
  return [
    text("Status", (object) =>
      textAt(firstCondition(object), "status") === "True" ? "Healthy" : "Unhealthy",
    ),
    text("Message", (object) => textAt(firstCondition(object), "message")),
    text("Error", (object) => textAt(firstCondition(object), "error")),
  ];
}

function firstCondition(object: unknown): unknown {
  const conditions = at(object, "conditions");
  return Array.isArray(conditions) ? conditions[0] : undefined;
}

function apiService(object: unknown): string {
  const service = at(object, "spec", "service");
  return service === undefined ? "Local" : `${textAt(service, "namespace")}/${textAt(service, "name")}`;
}

function apiServiceAvailable(object: unknown): string {
  const available = conditionOf(object, "Available");
  const status = textAt(available, "status") || "Unknown";
  return status === "True" ? status : `${status} (${textAt(available, "reason")})`;
}

function limited(object: unknown, ...path: readonly string[]): string {
  return String(at(object, "spec", "limited", ...path) ?? "<none>");
}

function quotaText(quota: unknown, limits: boolean): string {
  return textMapAt(quota, "status", "hard")
    .filter(([resource]) => resource.startsWith("limits") === limits)
    .map(([resource, hard]) => `${resource}: ${textAt(quota, "status", "used", resource) || "0"}/${hard}`)
    .join(", ");
}
