import { isPlainObject, stringAt } from "@keelson/base";
import { error, type Finding, warning } from "./finding.ts";
import type { TemplateFile } from "./object-schemas.ts";

const nameOfTemplate = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const nameOfParameter = /^[a-zA-Z0-9_]+$/;
const placeholder = /\$\{\{?([a-zA-Z0-9_]+)\}/g;
const generator = /\[([a-zA-Z0-9\-\\]+)\]\{([0-9]+)\}/g;
const maxGenerated = 255;

/**
 * Returns the problems of a Template. A problem prevents the creation or processing of the Template, or leaves placeholders
 * unreplaced.
 */
export function templateFindings(template: TemplateFile): readonly Finding[] {
  const { metadata, parameters = [], objects } = template;
  const findings: Finding[] = [];
  if (!nameOfTemplate.test(metadata.name) || metadata.name.includes(".."))
    findings.push(error("metadata.name: not a DNS subdomain"));
  const names = new Set<string>();
  for (const [index, { name, generate, from = "" }] of parameters.entries()) {
    const field = `parameters[${index}]`;
    if (!nameOfParameter.test(name)) findings.push(error(`${field}.name: not of letters, digits and _`));
    else if (names.has(name)) findings.push(error(`${field}.name: "${name}" is there twice`));
    names.add(name);
    if (generate !== undefined && generate !== "" && generate !== "expression")
      findings.push(error(`${field}.generate: only "expression" is known`));
    else if (generate === "expression" && !canGenerate(from))
      findings.push(error(`${field}.from: a length is not within 1 to ${maxGenerated}`));
  }
  for (const [index, object] of objects.entries()) {
    for (const member of ["apiVersion", "kind"])
      if (!stringAt(object, member)) findings.push(error(`objects[${index}].${member}: required`));
    const name = stringAt(object, "metadata", "name") ?? stringAt(object, "metadata", "generateName");
    if (!name) findings.push(error(`objects[${index}].metadata.name: required`));
  }
  const unknown = new Set<string>();
  const rest: unknown = [objects, template.labels, template.message];
  for (const text of textsIn(rest))
    for (const [, name = ""] of text.matchAll(placeholder)) if (!names.has(name)) unknown.add(name);
  for (const name of [...unknown].sort())
    findings.push(warning(`the placeholder of ${name} is not replaced: there is no parameter of that name`));
  return findings;
}

function canGenerate(from: string): boolean {
  return [...from.matchAll(generator)].every(
    ([, , length]) => Number(length) >= 1 && Number(length) <= maxGenerated,
  );
}

/**
 * Yields all strings in a value, including field names. The recursion is safe, because the parser has limited the nesting depth.
 */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const each of value) yield* textsIn(each);
  else if (isPlainObject(value))
    for (const [name, each] of Object.entries(value)) {
      yield name;
      yield* textsIn(each);
    }
}
