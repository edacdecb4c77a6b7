import { fieldError, type KubeObject, type StatusCause, scalarStringAt } from "@keelson/apimachinery";
import { objectAt, stringsAt } from "@keelson/base";
import type { Findings } from "../../catalogue/findings.ts";
import { dnsLabel, qualifiedName as qualifiedNameForm } from "../../catalogue/names.ts";
import { ageColumn, nameColumn, textOf } from "../../columns/column.ts";
import type { Kind } from "../kind.ts";

const standardFinalizers: ReadonlySet<string> = new Set(["foregroundDeletion", "kubernetes", "orphan"]);

/**
 * Built-in kind Namespace. Source of its rules: kubernetes pkg/apis/core/v1/defaults.go and
 * pkg/apis/core/validation/validation.go.
 */
export const namespace: Kind = {
  group: "",
  versions: ["v1"],
  kind: "Namespace",
  plural: "namespaces",
  shortNames: ["ns"],
  namespaced: false,
  description: "A scope for names. Its deletion deletes all objects in it.",
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  subresources: { finalize: { kind: "Namespace", verbs: ["update"] }, status: {} },
  strategy: {
    nameFault: dnsLabel,
    applyDefaults: applyNamespaceDefaults,
    validate: namespacePhase,
    specByFinalize: true,
    returnsDeleted: true,
    terminating: terminatingNamespace,
    serverFields: { "f:spec": { "f:finalizers": {} } },
  },
  columns: [nameColumn, textOf("Status", "status.phase"), ageColumn],
  selectableFields: { fields: { "status.phase": {} } },
  types: {
    checks: {
      "core.v1.NamespaceSpec": [["finalizers", finalizerNames]],
    },
    mergeKeys: `
core.v1.NamespaceStatus conditions=type
`,
    ownership: `
core.v1.NamespaceStatus conditions=type
`,
    protobuf: `
core.v1.Namespace metadata=1 spec=2 status=3
core.v1.NamespaceCondition type=1* status=2* lastTransitionTime=4 reason=5 message=6
core.v1.NamespaceSpec finalizers=1
core.v1.NamespaceStatus phase=1 conditions=2
`,
    enums: `
core.v1.NamespaceStatus.phase Active|Terminating
`,
  },
};

function applyNamespaceDefaults(object: KubeObject, current: KubeObject | undefined): KubeObject {
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, labels: { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name } },
    spec: current ? object.spec : { finalizers: withOwnFinalizer(stringsAt(object, "spec", "finalizers")) },
    status: current ? (object.status ?? { phase: "Active" }) : { phase: "Active" },
  };
}

function withOwnFinalizer(finalizers: readonly string[]): readonly string[] {
  return finalizers.includes("kubernetes") ? finalizers : [...finalizers, "kubernetes"];
}

function namespacePhase(object: KubeObject, current: KubeObject | undefined): readonly StatusCause[] {
  const phase = scalarStringAt(object, "status", "phase");
  if (!current || phase === scalarStringAt(current, "status", "phase")) return [];
  if (current.metadata.deletionTimestamp === undefined) {
    if (phase !== "Terminating") return [];
    const why = "may not be 'Terminating' if `deletionTimestamp` is empty";
    return [fieldError.invalid("status.Phase", phase, why)];
  }
  if (phase === "Terminating") return [];
  const why = "may only be 'Terminating' if `deletionTimestamp` is not empty";
  return [fieldError.invalid("status.Phase", phase, why)];
}

/** Validates the finalizers in a namespace's spec. Each finalizer must be a standard finalizer or a qualified name. */
function finalizerNames(value: unknown, findings: Findings): void {
  if (!Array.isArray(value)) return;
  for (const [at, name] of value.entries()) {
    const why = qualifiedNameForm(String(name));
    if (why) findings.invalid(name, why, at);
    if (String(name).includes("/") || standardFinalizers.has(String(name))) continue;
    findings.invalid(name, "name is neither a standard finalizer name nor is it fully qualified", at);
  }
}

function terminatingNamespace(namespace: KubeObject): KubeObject {
  const { deletionGracePeriodSeconds: _, ...metadata } = namespace.metadata;
  return {
    ...namespace,
    metadata: { ...metadata, name: namespace.metadata.name },
    status: { ...objectAt(namespace, "status"), phase: "Terminating" },
  };
}
