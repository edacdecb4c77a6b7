import { textAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { failures } from "../status/status-error.ts";

export interface FieldRequirement {
  readonly field: string;
  readonly value: string;
  readonly equal: boolean;
}

export type FieldSelector = readonly FieldRequirement[];

/**
 * Fields that a resource can be selected by, besides `metadata.name` and `metadata.namespace`.
 * The keys are `resource.group`, the core group without a dot.
 */
const selectableFields: Readonly<Record<string, readonly string[]>> = {
  pods: [
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.nominatedNodeName",
  ],
  events: [
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "source",
    "type",
  ],
  "events.events.k8s.io": [
    "regarding.kind",
    "regarding.namespace",
    "regarding.name",
    "regarding.uid",
    "regarding.apiVersion",
    "regarding.resourceVersion",
    "regarding.fieldPath",
    "reason",
    "reportingController",
    "type",
  ],
  secrets: ["type"],
  namespaces: ["status.phase"],
  nodes: ["spec.unschedulable"],
  replicationcontrollers: ["status.replicas"],
  services: ["spec.clusterIP", "spec.type"],
  "replicasets.apps": ["status.replicas"],
  "jobs.batch": ["status.successful"],
  "certificatesigningrequests.certificates.k8s.io": ["spec.signerName"],
};

/** The fields of a resource that a selector may name. */
export function selectable(group: string, resource: string): ReadonlySet<string> {
  const own = selectableFields[group ? `${resource}.${group}` : resource] ?? [];
  return new Set(["metadata.name", "metadata.namespace", ...own]);
}

/**
 * Parses `a=b,c!=d`; `\\`, `\,` and `\=` are escapes in values.
 * @throws StatusError 400 for bad grammar and for a field that is not in `allowed`.
 */
export function parseFieldSelector(text: string, allowed: ReadonlySet<string>): FieldSelector {
  const terms = text.match(/(?:\\.|[^,\\])+/g) ?? [];
  return terms.map((term) => {
    const parts = /^([^=!]*?)(==|!=|=)(.*)$/s.exec(term);
    if (!parts) throw failures.badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const [, field = "", operator, value = ""] = parts;
    if (!allowed.has(field)) throw failures.badRequest(`field label not supported: ${field}`);
    return { field, value: value.replace(/\\(.)/gs, "$1"), equal: operator !== "!=" };
  });
}

/** An object as selectors look at it: who selects by name and namespace only need not have it parsed. */
export interface Selectable {
  /** `namespace/name`, or the name of what has no namespace. */
  readonly key: string;
  readonly object: KubeObject;
}

export function matchesFields(selector: FieldSelector, selectable: Selectable): boolean {
  return selector.every(({ field, value, equal }) => (fieldValue(selectable, field) === value) === equal);
}

/** The one name a selector asks for, if it does: such lists and watches need not look at other objects. */
export function selectedName(selector: FieldSelector): string | undefined {
  return selector.find(({ field, equal }) => field === "metadata.name" && equal)?.value;
}

function fieldValue(selectable: Selectable, field: string): string {
  const { key } = selectable;
  if (field === "metadata.name") return key.slice(key.indexOf("/") + 1);
  if (field === "metadata.namespace") return key.slice(0, Math.max(0, key.indexOf("/")));
  const { object } = selectable;
  if (field === "source") return textAt(object, "source", "component");
  if (field === "status.successful") return textAt(object, "status", "succeeded") || "0";
  const text = textAt(object, ...field.split("."));
  return text || (field === "spec.unschedulable" || field === "spec.hostNetwork" ? "false" : "");
}
