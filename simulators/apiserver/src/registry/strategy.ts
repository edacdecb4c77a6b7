import { isDeepStrictEqual } from "node:util";
import { bindingRules, policyRules } from "../admission/policy-rules.ts";
import { webhookConfigurationRules } from "../admission/webhook-rules.ts";
import { checkChange, checkType } from "../catalogue/check-type.ts";
import { withTypeDefaults } from "../catalogue/defaults.ts";
import { Findings } from "../catalogue/findings.ts";
import { builtinTypes, typeOf } from "../catalogue/index.ts";
import { qosClassOf } from "../catalogue/pod-resources.ts";
import { prepareDefinition } from "../custom/custom-definition.ts";
import { validateDefinition, withDefinitionDefaults } from "../custom/definition-rules.ts";
import { withDefinitionStatus } from "../custom/definition-status.ts";
import { markTerminating } from "../custom/terminating.ts";
import { validateJobStatus } from "../jobs/job-status.ts";
import { recordAt, textAt, textsAt, valueAt } from "../json/access.ts";
import { sameJson } from "../json/same-json.ts";
import type { KubeObject } from "../kube-object.ts";
import { completeService } from "../services/complete-service.ts";
import { holdingsOfService } from "../services/service-pools.ts";
import { validateServiceStatus } from "../services/service-status.ts";
import { fieldError } from "../status/field-error.ts";
import type { StatusCause } from "../status/status-error.ts";
import type { HoldingsOf } from "../storage/holdings.ts";
import type { RevisionStore } from "../storage/revision-store.ts";
import type { Phases } from "../threads/phases.ts";
import type { GenerationRules } from "./generation.ts";
import type { ResourceDirectory } from "./resource-directory.ts";
import { bucketOf, parseApiVersion } from "./served-resource.ts";

export interface RuleContext {
  readonly directory: ResourceDirectory;
  readonly store: RevisionStore;
  /** RFC 3339, to the second. */
  readonly now: string;
}

/** What a built-in kind does beyond the rules of all objects. Each part may be absent. */
export interface Strategy {
  /** Fills in what the server adds when an object is created or replaced. */
  readonly applyDefaults?: (
    object: KubeObject,
    current: KubeObject | undefined,
    context: RuleContext,
  ) => KubeObject;
  /** What the beginning of its deletion makes of an object, whatever the policy. Absent: it is marked as all are. */
  readonly markDeleted?: (object: KubeObject, at: string) => KubeObject;
  /** What no two objects may have: `applyDefaults` gives it out, and who is stored first has it. */
  readonly holdings?: HoldingsOf;
  readonly validate?: (object: KubeObject, current: KubeObject | undefined) => readonly StatusCause[];
  /** Prepares in parts what serving a large object of the kind takes. */
  readonly prepare?: (object: KubeObject) => Phases<void>;
  /** `metadata.generation` counts changes of what the user wants. Absent: the kind has none. */
  readonly generation?: GenerationRules;
  /** What of the metadata a write of the status leaves as it is. Absent: nothing. */
  readonly keptWithStatus?: "metadata" | "labels" | "ownerReferences";
  /** The spec changes only through the `finalize` subresource. */
  readonly specByFinalize?: boolean;
  /** A new object may bring a status: there is no controller whose word it is. */
  readonly statusOnCreate?: boolean;
}

/** The rules of the kind stored in a bucket: those of its type, and what only code can tell. */
export function strategyFor(bucket: string): Strategy {
  return builtinRules.get(bucket) ?? none;
}

const none: Strategy = {};
const tracksGeneration: Strategy = { generation: {} };

const special: Readonly<Record<string, Strategy>> = {
  "/namespaces": { applyDefaults: completeNamespace, validate: namespacePhase, specByFinalize: true },
  "/secrets": { applyDefaults: completeSecret, validate: unlessImmutable(["data"]) },
  "/configmaps": { validate: unlessImmutable(["data", "binaryData"]) },
  "/services": {
    applyDefaults: completeService,
    validate: validateServiceStatus,
    holdings: holdingsOfService,
  },
  "/nodes": { statusOnCreate: true },
  "/persistentvolumeclaims": { applyDefaults: pendingAtFirst },
  "/pods": { applyDefaults: withQosClass, keptWithStatus: "ownerReferences" },
  "/replicationcontrollers": tracksGeneration,
  "apps/deployments": { generation: { countsMetadata: "annotations" }, keptWithStatus: "labels" },
  "apps/statefulsets": tracksGeneration,
  "apps/replicasets": tracksGeneration,
  "apps/daemonsets": tracksGeneration,
  "batch/jobs": { ...tracksGeneration, applyDefaults: withOwnSelector, validate: validateJobStatus },
  "batch/cronjobs": tracksGeneration,
  "policy/poddisruptionbudgets": tracksGeneration,
  "discovery.k8s.io/endpointslices": { generation: { countsMetadata: "labels" } },
  "flowcontrol.apiserver.k8s.io/flowschemas": { ...tracksGeneration, keptWithStatus: "metadata" },
  "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations": {
    ...tracksGeneration,
    keptWithStatus: "metadata",
  },
  "scheduling.k8s.io/priorityclasses": { generation: { ignoresUpdates: true } },
  "storage.k8s.io/csidrivers": { generation: { startsAbsent: true } },
  "networking.k8s.io/ingressclasses": tracksGeneration,
  "networking.k8s.io/ingresses": { ...tracksGeneration, validate: oneIngressClass },
  "networking.k8s.io/networkpolicies": tracksGeneration,
  "apiregistration.k8s.io/apiservices": { keptWithStatus: "metadata" },
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": webhookConfigurationRules,
  "admissionregistration.k8s.io/validatingwebhookconfigurations": webhookConfigurationRules,
  "admissionregistration.k8s.io/validatingadmissionpolicies": policyRules,
  "admissionregistration.k8s.io/validatingadmissionpolicybindings": bindingRules,
  "apiextensions.k8s.io/customresourcedefinitions": {
    generation: { ignoresDeletion: true },
    applyDefaults: (object, _, { directory, now }) =>
      withDefinitionStatus(withDefinitionDefaults(object), directory, now),
    markDeleted: markTerminating,
    validate: validateDefinition,
    prepare: prepareDefinition,
  },
};

const builtinRules: ReadonlyMap<string, Strategy> = new Map(
  builtinTypes.map(({ group, plural }) => {
    const bucket = bucketOf(group, plural);
    return [bucket, withTypeRules(special[bucket] ?? none)];
  }),
);

function withTypeRules(rules: Strategy): Strategy {
  return {
    ...rules,
    applyDefaults: (object, current, context) => {
      const complete = rules.applyDefaults?.(object, current, context) ?? object;
      const type = typeOf({ ...parseApiVersion(object.apiVersion), kind: object.kind });
      return type ? { ...complete, ...withTypeDefaults(type, complete) } : complete;
    },
    validate: (object, current) => [
      ...typeCauses(object, current),
      ...(rules.validate?.(object, current) ?? []),
    ],
  };
}

/** What is wrong by the object's type. What an update leaves as it is was judged when it came. */
function typeCauses(object: KubeObject, current: KubeObject | undefined): readonly StatusCause[] {
  const type = typeOf({ ...parseApiVersion(object.apiVersion), kind: object.kind });
  if (!type) return [];
  const findings = new Findings();
  if (current && onlyMetadataAndStatusDiffer(object, current)) {
    const status = type.fields.get("status")?.schema;
    if (status?.type !== "object" || sameJson(object.status, current.status)) return [];
    findings.enter("status");
    checkType(status, recordAt(object, "status"), findings);
    return findings.causes;
  }
  checkType(type, object, findings);
  if (current) checkChange(type, object, current, findings);
  return findings.causes;
}

function onlyMetadataAndStatusDiffer(object: KubeObject, current: KubeObject): boolean {
  const ignored = ["metadata", "status", "apiVersion"];
  return [...Object.keys(object), ...Object.keys(current)].every(
    (member) => ignored.includes(member) || sameJson(object[member], current[member]),
  );
}

/** A job selects its own pods by a label that no other job's have, unless its author chose a selector. */
function withOwnSelector(job: KubeObject, current: KubeObject | undefined): KubeObject {
  const spec = recordAt(job, "spec");
  if (current || job.spec === undefined || spec.manualSelector === true) return job;
  const { name, uid = "" } = job.metadata;
  const template = recordAt(spec, "template");
  const metadata = recordAt(template, "metadata");
  const selector = recordAt(spec, "selector");
  return {
    ...job,
    spec: {
      ...spec,
      selector: {
        ...selector,
        matchLabels: { "batch.kubernetes.io/controller-uid": uid, ...recordAt(selector, "matchLabels") },
      },
      template: {
        ...template,
        metadata: {
          ...metadata,
          labels: {
            "batch.kubernetes.io/controller-uid": uid,
            "batch.kubernetes.io/job-name": name,
            "controller-uid": uid,
            "job-name": name,
            ...recordAt(metadata, "labels"),
          },
        },
      },
    },
  };
}

/** A new ingress names its class in one way, or alike in both. */
function oneIngressClass(ingress: KubeObject, current: KubeObject | undefined): readonly StatusCause[] {
  const annotation = "kubernetes.io/ingress.class";
  const older = ingress.metadata.annotations?.[annotation];
  const name = textAt(ingress, "spec", "ingressClassName");
  if (current || older === undefined || name === "" || older === name) return [];
  const why = "must match `ingressClassName` when both are specified";
  return [fieldError.invalid(`annotations.${annotation}`, older, why)];
}

function completeNamespace(object: KubeObject, current: KubeObject | undefined): KubeObject {
  const { metadata } = object;
  return {
    ...object,
    metadata: { ...metadata, labels: { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name } },
    spec: current ? object.spec : { finalizers: withOwnFinalizer(textsAt(object, "spec", "finalizers")) },
    status: current ? (object.status ?? { phase: "Active" }) : { phase: "Active" },
  };
}

function withOwnFinalizer(finalizers: readonly string[]): readonly string[] {
  return finalizers.includes("kubernetes") ? finalizers : [...finalizers, "kubernetes"];
}

function namespacePhase(object: KubeObject, current: KubeObject | undefined): readonly StatusCause[] {
  const phase = textAt(object, "status", "phase");
  if (!current || phase === textAt(current, "status", "phase")) return [];
  if (current.metadata.deletionTimestamp === undefined) {
    if (phase !== "Terminating") return [];
    const why = "may not be 'Terminating' if `deletionTimestamp` is empty";
    return [fieldError.invalid("status.Phase", phase, why)];
  }
  if (phase === "Terminating") return [];
  const why = "may only be 'Terminating' if `deletionTimestamp` is not empty";
  return [fieldError.invalid("status.Phase", phase, why)];
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

/** A pod's class follows from what it asks for when it is created, and stays. */
function withQosClass(pod: KubeObject, current: KubeObject | undefined): KubeObject {
  if (!current) return { ...pod, status: { phase: "Pending", qosClass: qosClassOf(pod) } };
  const qosClass = textAt(current, "status", "qosClass");
  if (!qosClass || textAt(pod, "status", "qosClass")) return pod;
  return { ...pod, status: { ...recordAt(pod, "status"), qosClass } };
}

function pendingAtFirst(object: KubeObject, current: KubeObject | undefined): KubeObject {
  return current || valueAt(object, "status", "phase") ? object : { ...object, status: { phase: "Pending" } };
}

function unlessImmutable(fields: readonly string[]): NonNullable<Strategy["validate"]> {
  return (object, current) => {
    if (current?.immutable !== true) return [];
    const why = "field is immutable when `immutable` is set";
    const changed = fields.filter((field) => !isDeepStrictEqual(object[field], current[field]));
    const lifted = object.immutable === true ? [] : ["immutable"];
    return [...changed, ...lifted].map((field) => fieldError.forbidden(field, why));
  };
}
