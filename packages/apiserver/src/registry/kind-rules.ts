import { isDeepStrictEqual } from "node:util";
import { bindingRules, policyRules } from "../admission/policy-rules.ts";
import { webhookConfigurationRules } from "../admission/webhook-rules.ts";
import {
  validateDefinition,
  withCleanup,
  withDefinitionDefaults,
  withDefinitionStatus,
} from "../custom/definition-rules.ts";
import { arrayAt, recordAt, textAt, valueAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { fieldError } from "../status/field-error.ts";
import type { StatusCause } from "../status/status-error.ts";
import type { RevisionStore } from "../storage/revision-store.ts";
import type { ResourceDirectory } from "./resource-directory.ts";
import { completeService, validateService } from "./service-rules.ts";

export interface RuleContext {
  readonly directory: ResourceDirectory;
  readonly store: RevisionStore;
  /** RFC 3339, to the second. */
  readonly now: string;
}

/** What a built-in kind does beyond the rules of all objects. Each part may be absent. */
export interface KindRules {
  /** Fills in what the server adds when an object is created or replaced. */
  readonly complete?: (
    object: KubeObject,
    current: KubeObject | undefined,
    context: RuleContext,
  ) => KubeObject;
  readonly validate?: (object: KubeObject, current: KubeObject | undefined) => readonly StatusCause[];
  /** `metadata.generation` counts changes of what the user wants. */
  readonly counted?: boolean;
  /** The spec changes only through the `finalize` subresource. */
  readonly specByFinalize?: boolean;
  /** A new object may bring a status: there is no controller whose word it is. */
  readonly statusOnCreate?: boolean;
}

export function rulesOf(bucket: string): KindRules {
  return rules[bucket] ?? none;
}

const none: KindRules = {};
const counted: KindRules = { counted: true };

const rules: Readonly<Record<string, KindRules>> = {
  "/namespaces": { complete: completeNamespace, specByFinalize: true },
  "/secrets": { complete: completeSecret, validate: unlessImmutable(["data"]) },
  "/configmaps": { validate: unlessImmutable(["data", "binaryData"]) },
  "/services": { complete: completeService, validate: validateService },
  "/nodes": { statusOnCreate: true },
  "/persistentvolumeclaims": { complete: pendingAtFirst },
  "/pods": { complete: pendingAtFirst },
  "/replicationcontrollers": { counted: true, complete: withReplicas },
  "apps/deployments": { counted: true, complete: withReplicas },
  "apps/statefulsets": { counted: true, complete: withReplicas },
  "apps/replicasets": { counted: true, complete: withReplicas },
  "apps/daemonsets": counted,
  "batch/jobs": counted,
  "batch/cronjobs": counted,
  "policy/poddisruptionbudgets": counted,
  "networking.k8s.io/ingresses": counted,
  "networking.k8s.io/networkpolicies": counted,
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": webhookConfigurationRules,
  "admissionregistration.k8s.io/validatingwebhookconfigurations": webhookConfigurationRules,
  "admissionregistration.k8s.io/validatingadmissionpolicies": policyRules,
  "admissionregistration.k8s.io/validatingadmissionpolicybindings": bindingRules,
  "rbac.authorization.k8s.io/rolebindings": { validate: sameRoleRef },
  "rbac.authorization.k8s.io/clusterrolebindings": { validate: sameRoleRef },
  "apiextensions.k8s.io/customresourcedefinitions": {
    counted: true,
    complete: (object, current, { directory, now }) =>
      withDefinitionStatus(withDefinitionDefaults(current ? object : withCleanup(object)), directory, now),
    validate: validateDefinition,
  },
};

function completeNamespace(object: KubeObject, current: KubeObject | undefined): KubeObject {
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, labels: { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name } },
    spec: current ? object.spec : { finalizers: ["kubernetes"] },
    status: current ? (object.status ?? { phase: "Active" }) : { phase: "Active" },
  };
}

function completeSecret(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object;
  const encoded = Object.entries(recordAt(stringData)).map(
    ([key, text]) => [key, Buffer.from(String(text)).toString("base64")] as const,
  );
  const entries = [...Object.entries(recordAt(object, "data")), ...encoded];
  return {
    ...rest,
    ...(entries.length > 0 ? { data: Object.fromEntries(entries) } : {}),
    type: textAt(object, "type") || "Opaque",
  };
}

function pendingAtFirst(object: KubeObject, current: KubeObject | undefined): KubeObject {
  return current || valueAt(object, "status", "phase") ? object : { ...object, status: { phase: "Pending" } };
}

function withReplicas(object: KubeObject): KubeObject {
  if (valueAt(object, "spec", "replicas") !== undefined) return object;
  return { ...object, spec: { ...recordAt(object, "spec"), replicas: 1 } };
}

function unlessImmutable(fields: readonly string[]): NonNullable<KindRules["validate"]> {
  return (object, current) => {
    if (current?.immutable !== true) return [];
    const why = "field is immutable when `immutable` is set";
    const changed = fields.filter((field) => !isDeepStrictEqual(object[field], current[field]));
    const lifted = object.immutable === true ? [] : ["immutable"];
    return [...changed, ...lifted].map((field) => fieldError.forbidden(field, why));
  };
}

function sameRoleRef(object: KubeObject, current: KubeObject | undefined): readonly StatusCause[] {
  const causes = arrayAt(object, "subjects").flatMap((subject, at) =>
    textAt(subject, "name") ? [] : [fieldError.required(`subjects[${at}].name`)],
  );
  if (!textAt(object, "roleRef", "name")) return [...causes, fieldError.required("roleRef.name")];
  if (!current || textAt(current, "roleRef", "name") === textAt(object, "roleRef", "name")) {
    if (!current || textAt(current, "roleRef", "kind") === textAt(object, "roleRef", "kind")) return causes;
  }
  return [...causes, fieldError.invalid("roleRef", object.roleRef, "cannot change roleRef")];
}
