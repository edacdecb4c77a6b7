import { textAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import type { ResourceType } from "../resource-type.ts";
import { failures } from "../status/status-error.ts";
import { maxRequirements } from "./label-selector.ts";

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
  "jobs.batch": ["status.successful"],
  "certificatesigningrequests.certificates.k8s.io": ["spec.signerName"],
};

/**
 * @throws StatusError 400 for a field that the resource cannot be selected by, in the words that its kind has upstream;
 * `custom` are the fields that a definition of the resource adds.
 */
export function requireSelectable(
  selector: FieldSelector,
  { group, plural, kind, origin }: Pick<ResourceType, "group" | "plural" | "kind" | "origin">,
  custom: readonly string[] = [],
): void {
  const own = selectableFields[group ? `${plural}.${group}` : plural];
  const wrong = selector.find(
    ({ field }) =>
      field !== "metadata.name" &&
      field !== "metadata.namespace" &&
      ![...(own ?? []), ...custom].includes(field),
  );
  if (!wrong) return;
  const field = JSON.stringify(wrong.field);
  if (own === selectableFields["jobs.batch"])
    throw failures.badRequest(`field label ${field} not supported for ${kind}`);
  if (own || origin === "custom") throw failures.badRequest(`field label not supported: ${wrong.field}`);
  throw failures.badRequest(
    `${field} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}

/** Parses `a=b,c!=d`; `\\`, `\,` and `\=` are escapes in values. @throws StatusError 400 */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = termsOf(text);
  if (terms.length > maxRequirements) {
    throw failures.badRequest(`invalid selector: it has at most ${maxRequirements} terms`);
  }
  return terms.map((term) => {
    const operator = /!=|==|=/.exec(term);
    if (!operator) throw failures.badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const { index, 0: sign } = operator;
    return {
      field: term.slice(0, index),
      value: unescaped(term.slice(index + sign.length)),
      equal: sign !== "!=",
    };
  });
}

/** The terms between commas that are not escaped; empty ones are left out. */
function termsOf(text: string): readonly string[] {
  const terms: string[] = [];
  let begin = 0;
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === "\\") at++;
    else if (at === text.length || text[at] === ",") {
      terms.push(text.slice(begin, at));
      begin = at + 1;
    }
  }
  if (begin < text.length) terms.push(text.slice(begin));
  return terms.filter((term) => term !== "");
}

function unescaped(value: string): string {
  return value.replace(/\\(.?)|[=,]/gs, (found, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw failures.badRequest(
        `invalid field selector: unescaped character in value: ${found.charCodeAt(0)}`,
      );
    }
    if (escaped !== "" && "\\,=".includes(escaped)) return escaped;
    throw failures.badRequest(`invalid field selector: invalid escape sequence: ${found}`);
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
