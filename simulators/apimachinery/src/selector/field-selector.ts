import { textAt } from "../json/access.ts";
import type { KubeObject } from "../objects/kube-object.ts";
import { failures } from "../status/status-error.ts";
import { maxRequirements } from "./label-selector.ts";

/** Field of a kind that objects are selected by. */
export interface SelectableField {
  /** Absent: the field's own name is its path. */
  readonly path?: string;
  /** Selects objects without a value. Absent: the empty text. */
  readonly absent?: string;
}

interface FieldRequirement extends SelectableField {
  readonly field: string;
  readonly value: string;
  readonly equal: boolean;
}

export type FieldSelector = readonly FieldRequirement[];

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

/** An object as selectors read it: by name and namespace alone it need not be parsed. */
export interface Selectable {
  /** `namespace/name`, or the name of what has no namespace. */
  readonly key: string;
  readonly object: KubeObject;
}

export function matchesFields(selector: FieldSelector, selectable: Selectable): boolean {
  return selector.every((requirement) => {
    const { value, equal } = requirement;
    return (fieldValue(selectable, requirement) === value) === equal;
  });
}

/** The one name a selector asks for, if it does: such lists and watches need not read other objects. */
export function selectedName(selector: FieldSelector): string | undefined {
  return selector.find(({ field, equal }) => field === "metadata.name" && equal)?.value;
}

function fieldValue({ key, object }: Selectable, { field, path, absent = "" }: FieldRequirement): string {
  if (field === "metadata.name") return key.slice(key.indexOf("/") + 1);
  if (field === "metadata.namespace") return key.slice(0, Math.max(0, key.indexOf("/")));
  return textAt(object, ...(path ?? field).split(".")) || absent;
}
