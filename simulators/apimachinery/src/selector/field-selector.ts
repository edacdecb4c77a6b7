import { scalarStringAt } from "../json/access.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import { failures } from "../status/status-error.ts";
import { maxRequirements } from "./label-selector.ts";

/** Selectable field of a kind. */
export interface SelectableField {
  /** Path in the object. Default: the field's name. */
  readonly path?: string;
  /** Field value of objects that do not have the field. Default: an empty string. */
  readonly absent?: string;
}

interface FieldRequirement extends SelectableField {
  readonly field: string;
  readonly value: string;
  readonly equal: boolean;
}

export type FieldSelector = readonly FieldRequirement[];

/** Parses a field selector such as `a=b,c!=d`. `\\`, `\,` and `\=` are escapes in values. @throws StatusError 400 */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = termsOf(text);
  if (terms.length > maxRequirements) {
    throw failures.badRequest(`invalid selector: more than ${maxRequirements} terms`);
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

/** Splits the selector at unescaped commas and drops empty terms. */
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

/** Object to which a selector is applied. If the selector uses only the name and the namespace, the object is not parsed. */
export interface Selectable {
  /** Key `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string;
  readonly object: KubeObject;
}

export function matchesFields(selector: FieldSelector, selectable: Selectable): boolean {
  return selector.every((requirement) => {
    const { value, equal } = requirement;
    return (fieldValue(selectable, requirement) === value) === equal;
  });
}

/**
 * Returns the object name that the selector requires. Undefined if it requires no name. Lists and watches with a required name
 * read only the object with this name.
 */
export function selectedName(selector: FieldSelector): string | undefined {
  return selector.find(({ field, equal }) => field === "metadata.name" && equal)?.value;
}

function fieldValue({ key, object }: Selectable, { field, path, absent = "" }: FieldRequirement): string {
  if (field === "metadata.name") return key.slice(key.indexOf("/") + 1);
  if (field === "metadata.namespace") return key.slice(0, Math.max(0, key.indexOf("/")));
  return scalarStringAt(object, ...(path ?? field).split(".")) || absent;
}
