import type { KubeObject } from "@keelson/apiserver";
import { isPlainObject, messageOf } from "@keelson/base";
import { listAt, recordAt, textAt, textsAt } from "../../runtime/fields.ts";
import { failures } from "../failures.ts";
import { generateValue } from "./generate-value.ts";

export const templateGroup = "template.openshift.io";

const inText = /\$\{([a-zA-Z0-9_]+?)\}/g;
const wholeValue = /^\$\{\{([a-zA-Z0-9_]+)\}\}$/;

/**
 * A Template with its parameters' values, generated where it says so, put into its objects: `${NAME}` within texts,
 * `${{NAME}}` as a value of any type.
 * @throws StatusError 422 for a parameter that is required and has no value, or cannot be generated
 */
export function processTemplate(template: KubeObject): KubeObject {
  const parameters = listAt(template, "parameters").map((each, index) =>
    valued(template, recordAt(each), index),
  );
  const values = new Map(parameters.map((each) => [textAt(each, "name") ?? "", textAt(each, "value") ?? ""]));
  const labels = textsAt(substitute(recordAt(template, "labels"), values));
  const objects = listAt(template, "objects").map((each) => {
    const object = recordAt(substitute(withoutNamespace(recordAt(each)), values));
    if (Object.keys(labels).length === 0) return object;
    const metadata = recordAt(object, "metadata");
    return { ...object, metadata: { ...metadata, labels: { ...recordAt(metadata, "labels"), ...labels } } };
  });
  const message = textAt(template, "message");
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

function valued(
  template: KubeObject,
  parameter: Readonly<Record<string, unknown>>,
  index: number,
): Readonly<Record<string, unknown>> {
  const field = `template.parameters[${index}]`;
  const invalid = (why: string) =>
    failures.invalid("Template", templateGroup, template.metadata.name, field, why);
  const { value, generate, from, required, name } = parameter;
  if (typeof value === "string" && value !== "") return parameter;
  if (typeof generate === "string" && generate !== "") {
    if (generate !== "expression") {
      throw invalid(`Invalid value: ${JSON.stringify(generate)}: Unable to find the "${generate}" generator`);
    }
    try {
      return { ...parameter, value: generateValue(String(from ?? "")) };
    } catch (error) {
      throw invalid(`Invalid value: ${JSON.stringify(from)}: ${messageOf(error)}`);
    }
  }
  if (required === true) {
    throw invalid(`Required value: ${field}: parameter ${String(name)} is required and must be specified`);
  }
  return parameter;
}

/** Parameters that the template does not have stay as they are written. */
function substitute(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return substituteText(value, values);
  if (Array.isArray(value)) return value.map((each: unknown) => substitute(each, values));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [withTexts(key, values), substitute(each, values)]),
  );
}

function substituteText(text: string, values: ReadonlyMap<string, string>): unknown {
  const whole = values.get(wholeValue.exec(text)?.[1] ?? "");
  if (whole === undefined) return withTexts(text, values);
  try {
    const value: unknown = JSON.parse(whole);
    return value;
  } catch {
    return whole;
  }
}

function withTexts(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(inText, (written, name: string) => values.get(name) ?? written);
}

/** Objects go where the template is instantiated, unless a parameter names their namespace. */
function withoutNamespace(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { namespace, ...metadata } = recordAt(object, "metadata");
  if (typeof namespace !== "string" || namespace.includes("${")) return object;
  return { ...object, metadata };
}
