import { definitionName, type Schema } from "@keelson/openapi";

/** Returns the type declaration of a definition with its doc comment: an interface, a union of literals or an alias. */
export function typeDeclaration(name: string, schema: Schema): string {
  return words(schema.description, "") + declaration(name, schema);
}

/** Returns the type expression for values of a schema. */
export function typeExpression(schema: Schema): string {
  const plain = notNullable(schema);
  return schema["x-nullable"] === true ? `${plain} | null` : plain;
}

/** Formats a description as a doc comment. Empty without a description. */
export function words(description: string | undefined, indent: string): string {
  if (description === undefined) return "";
  const lines = description
    .trim()
    .replaceAll("*/", "*\\/")
    .split(/\s*\n\s*/);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`;
}

function notNullable({ $ref, type, enum: values, items, additionalProperties, properties }: Schema): string {
  if ($ref !== undefined) return definitionName($ref);
  if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
  if (type === "array") return `Array<${typeExpression(items ?? {})}>`;
  if (type === "integer" || type === "number") return "number";
  if (type === "string" || type === "boolean") return type;
  if (properties) return `{\n${members({ properties })}}`;
  if (typeof additionalProperties === "object")
    return `Record<string, ${typeExpression(additionalProperties)}>`;
  return "unknown";
}

function declaration(name: string, schema: Schema): string {
  const { allOf = [], properties, enum: values, "x-ms-enum": enumeration } = schema;
  if (values) {
    // An extensible enum accepts any string. Editors still suggest the known values.
    const open = enumeration?.modelAsString === true ? " | (string & {})" : "";
    return `export type ${name} = ${typeExpression(schema)}${open};\n`;
  }
  if (allOf.length === 0 && !properties) return `export type ${name} = ${typeExpression(schema)};\n`;
  const bases = allOf.map(typeExpression).join(", ");
  return `export interface ${name}${bases === "" ? "" : ` extends ${bases}`} {\n${members(schema)}}\n`;
}

function members({ properties = {}, required }: Schema): string {
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(properties)
    .map(([name, schema]) => {
      const readOnly = schema.readOnly === true ? "readonly " : "";
      const optional = isRequired(name) ? "" : "?";
      const member = `  ${readOnly}${name}${optional}: ${typeExpression(schema)};\n`;
      return words(schema.description, "  ") + member;
    })
    .join("");
}
