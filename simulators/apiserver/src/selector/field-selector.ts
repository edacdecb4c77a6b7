import { textAt } from "../json/access.ts";
import { kindOf } from "../kinds/builtin-kinds.ts";
import type { SelectableField } from "../kinds/kind.ts";
import type { KubeObject } from "../kube-object.ts";
import type { ResourceType } from "../resource-type.ts";
import { failures } from "../status/status-error.ts";
import { maxRequirements } from "./label-selector.ts";

interface FieldRequirement extends SelectableField {
  readonly field: string;
  readonly value: string;
  readonly equal: boolean;
}

export type FieldSelector = readonly FieldRequirement[];

/**
 * The selector, which knows where the objects of its resource have what it selects by.
 * @throws StatusError 400 for a field that the resource cannot be selected by, in the words that its kind has upstream;
 * `custom` are the fields that a definition of the resource adds.
 */
export function requireSelectable(
  selector: FieldSelector,
  { group, plural, origin }: Pick<ResourceType, "group" | "plural" | "origin">,
  custom: readonly string[] = [],
): FieldSelector {
  const own = origin === "builtin" ? kindOf(`${group}/${plural}`)?.selectableFields : undefined;
  return selector.map((requirement) => {
    const { field } = requirement;
    if (metadataFields.includes(field) || custom.includes(field)) return requirement;
    const found = own && Object.hasOwn(own.fields, field) ? own.fields[field] : undefined;
    if (found) return { ...requirement, ...found };
    if (own?.refusal) throw failures.badRequest(own.refusal(field));
    if (own || origin === "custom") throw failures.badRequest(`field label not supported: ${field}`);
    throw failures.badRequest(
      `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
    );
  });
}

const metadataFields: readonly string[] = ["metadata.name", "metadata.namespace"];

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
