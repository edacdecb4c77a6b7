import type { KubeObject } from "@keelson/apiserver";
import {
  isPlainObject,
  listAt,
  messageOf,
  objectAt,
  stringAt,
  WorkBudget,
  WorkBudgetExceeded,
  type WorkLimits,
} from "@keelson/base";
import { stringMapAt } from "../../base/fields.ts";
import { failures } from "../failures.ts";
import { generateValue } from "./generate-value.ts";

export const templateGroup = "template.openshift.io";

/** Limits for the processing of one template. Real templates produce less than 100 kB. */
const limits: WorkLimits = { nodes: 500_000, bytes: 20_000_000, timeMs: 2_000 };

const inText = /\$\{([a-zA-Z0-9_]+?)\}/g;
const wholeValue = /^\$\{\{([a-zA-Z0-9_]+)\}\}$/;

/**
 * Generates missing parameters and substitutes all parameters in a template's objects. `${NAME}` inserts a string, `${{NAME}}` a
 * value of any type.
 * @throws StatusError 422 if a required parameter has no value or cannot be generated; WorkBudgetExceeded
 */
export function processTemplate(template: KubeObject, budget = new WorkBudget(limits)): KubeObject {
  const parameters = listAt(template, "parameters").map((each, index) =>
    valued(template, objectAt(each), index, budget),
  );
  const texts = new Map(
    parameters.map((each) => [stringAt(each, "name") ?? "", stringAt(each, "value") ?? ""]),
  );
  const values: Values = { texts, budget };
  const labels = stringMapAt(substitute(objectAt(template, "labels"), values));
  const objects = listAt(template, "objects").map((each) => {
    const object = objectAt(substitute(withoutNamespace(objectAt(each)), values));
    if (Object.keys(labels).length === 0) return object;
    const metadata = objectAt(object, "metadata");
    return { ...object, metadata: { ...metadata, labels: { ...objectAt(metadata, "labels"), ...labels } } };
  });
  const message = stringAt(template, "message");
  return {
    ...template,
    apiVersion: template.apiVersion,
    kind: template.kind,
    metadata: template.metadata,
    ...(message === undefined ? {} : { message: substitute(message, values) }),
    objects,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
  };
}

interface Values {
  readonly texts: ReadonlyMap<string, string>;
  readonly budget: WorkBudget;
}

function valued(
  template: KubeObject,
  parameter: Readonly<Record<string, unknown>>,
  index: number,
  budget: WorkBudget,
): Readonly<Record<string, unknown>> {
  const field = `template.parameters[${index}]`;
  const invalid = (why: string) =>
    failures.invalid("Template", templateGroup, template.metadata.name, field, why);
  const { value, generate, from, required, name } = parameter;
  if (typeof value === "string" && value !== "") return parameter;
  if (typeof generate === "string" && generate !== "") {
    if (generate !== "expression") {
      const why = `Unknown generator name '${generate}' for parameter ${String(name)}`;
      throw invalid(`Invalid value: ${JSON.stringify(generate)}: ${why}`);
    }
    try {
      return { ...parameter, value: generateValue(String(from ?? ""), budget) };
    } catch (error) {
      if (error instanceof WorkBudgetExceeded) throw error;
      throw invalid(`Invalid value: ${JSON.stringify(from)}: ${messageOf(error)}`);
    }
  }
  if (required === true) {
    throw invalid(`Required value: ${field}: parameter ${String(name)} is required and must be specified`);
  }
  return parameter;
}

/** Substitutes parameters in a value. References to undefined parameters remain unchanged. */
function substitute(value: unknown, values: Values): unknown {
  values.budget.spend(1);
  if (typeof value === "string") return substituteText(value, values);
  if (Array.isArray(value)) return value.map((each: unknown) => substitute(each, values));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [withTexts(key, values), substitute(each, values)]),
  );
}

function substituteText(text: string, values: Values): unknown {
  const whole = values.texts.get(wholeValue.exec(text)?.[1] ?? "");
  if (whole === undefined) return withTexts(text, values);
  values.budget.spend(1, whole.length);
  try {
    const value: unknown = JSON.parse(whole);
    return value;
  } catch {
    return whole;
  }
}

function withTexts(text: string, { texts, budget }: Values): string {
  budget.spend(0, text.length);
  return text.replace(inText, (written, name: string) => {
    const value = texts.get(name);
    if (value !== undefined) budget.spend(1, value.length);
    return value ?? written;
  });
}

/**
 * Removes the namespace of a template's object, unless the namespace contains a parameter reference. Without a namespace, the
 * object is created in the namespace in which the template is processed.
 */
function withoutNamespace(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { namespace, ...metadata } = objectAt(object, "metadata");
  if (typeof namespace !== "string" || namespace.includes("${")) return object;
  return { ...object, metadata };
}
