import { definitionName, flatten, type OpenApiDocument, type Schema } from "@keelson/openapi";
import { className, constantCase, docstring, snakeCase } from "./python-names.ts";

/** Returns the Python model or enumeration for a definition. Empty for other definitions, such as scalars. */
export function modelDeclaration(document: OpenApiDocument, name: string): string {
  const schema = document.definitions[name] ?? {};
  if (schema.enum) return enumeration(name, schema);
  return isModel(document, name) ? model(document, name, schema) : "";
}

/** Returns the Python type of a value and the arguments of its field. */
function pythonType(document: OpenApiDocument, schema: Schema): PythonType {
  const { $ref, type, items, additionalProperties, enum: values } = schema;
  if ($ref !== undefined) return referred(document, definitionName($ref));
  if (type === "array") return many(pythonType(document, items ?? {}), "list", (of) => `list[${of}]`);
  if (typeof additionalProperties === "object") {
    return many(pythonType(document, additionalProperties), "dict", (of) => `dict[str, ${of}]`);
  }
  if (type === "integer") return { annotation: "int" };
  if (type === "number") return { annotation: "float" };
  if (type === "boolean") return { annotation: "bool" };
  if (schema.format === "date-time") return { annotation: "datetime", field: ["time=True"] };
  if (type === "string" || values) return { annotation: "str" };
  return { annotation: "Any" };
}

export interface PythonType {
  readonly annotation: string;
  /** Arguments of `rest_field`. */
  readonly field?: readonly string[];
}

/** True if the definition becomes a Python class. */
function isModel(document: OpenApiDocument, name: string): boolean {
  const schema = document.definitions[name];
  return (
    schema !== undefined && !schema.enum && (schema.allOf ?? schema.properties ?? undefined) !== undefined
  );
}

function referred(document: OpenApiDocument, name: string): PythonType {
  const schema = document.definitions[name] ?? {};
  if (schema.enum) return { annotation: `Union[str, ${className(name)}]` };
  if (isModel(document, name))
    return { annotation: className(name), field: [`of=lambda: ${className(name)}`] };
  return pythonType(document, schema);
}

function many(element: PythonType, kind: string, wrap: (of: string) => string): PythonType {
  const field = element.field ? [...element.field, `many="${kind}"`] : [];
  return { annotation: wrap(element.annotation), field };
}

function enumeration(name: string, { description, enum: values = [] }: Schema): string {
  const members = values.map((value) => `    ${constantCase(value)} = ${JSON.stringify(value)}\n`).join("");
  return `class ${className(name)}(str, Enum, metaclass=CaseInsensitiveEnumMeta):
${separated(docstring(description, "    "), members)}`;
}

function model(document: OpenApiDocument, name: string, schema: Schema): string {
  const bases = (schema.allOf ?? []).map(({ $ref = "" }) => definitionName($ref));
  const own = Object.entries(schema.properties ?? {});
  const fields = own.map(([member, of]) => field(document, member, of)).join("");
  const flattened = own
    .filter(([, of]) => of["x-ms-client-flatten"] === true)
    .map(([member, of]) => flattenedFields(document, member, of))
    .join("");
  return `class ${className(name)}(${bases.map(className).join(", ") || "Model"}):
${separated(docstring(schema.description, "    "), `${fields}${flattened}${constructors(document, schema)}`)}`;
}

/** Joins a class's docstring and its attributes with an empty line. */
function separated(description: string, members: string): string {
  if (description === "" && members === "") return "    pass\n";
  return [description, members].filter((each) => each !== "").join("\n");
}

function field(document: OpenApiDocument, member: string, schema: Schema): string {
  const { annotation, field: of = [] } = pythonType(document, schema);
  const readOnly = schema.readOnly === true ? ["read_only=True"] : [];
  const call = `rest_field(${[JSON.stringify(member), ...readOnly, ...of].join(", ")})`;
  return `    ${snakeCase(member)}: Optional[${annotation}] = ${call}\n${docstring(schema.description, "    ")}`;
}

/** Returns attributes for the fields of the flattened property `properties`. */
function flattenedFields(document: OpenApiDocument, outer: string, schema: Schema): string {
  const inner = className(definitionName(schema.$ref ?? ""));
  return Object.entries(flatten(document, schema).properties)
    .map(([member, of]) => {
      const { annotation } = pythonType(document, of);
      const call = `flattened_field("${snakeCase(outer)}", lambda: ${inner})`;
      return `    ${snakeCase(member)}: Optional[${annotation}] = ${call}\n`;
    })
    .join("");
}

/** Returns the constructors. Keyword arguments are the writable properties and the writable flattened properties. */
function constructors(document: OpenApiDocument, schema: Schema): string {
  const { properties, required } = flatten(document, schema);
  const known = Object.entries(properties).filter(([, each]) => flatten(document, each).readOnly !== true);
  const keywords = new Map<string, string>();
  const must = Array.isArray(required) ? required : [];
  for (const [member, of] of known.toSorted(
    ([a], [b]) => Number(must.includes(b)) - Number(must.includes(a)),
  )) {
    const { annotation } = pythonType(document, of);
    keywords.set(snakeCase(member), must.includes(member) ? annotation : `Optional[${annotation}] = None`);
  }
  for (const [, of] of known) {
    if (of["x-ms-client-flatten"] !== true) continue;
    for (const [member, inner] of Object.entries(flatten(document, of).properties)) {
      keywords.set(snakeCase(member), `Optional[${pythonType(document, inner).annotation}] = None`);
    }
  }
  if (keywords.size === 0) return "";
  return `
    @overload
    def __init__(
        self,
        *,
${[...keywords].map(([name, type]) => `        ${name}: ${type},\n`).join("")}    ) -> None: ...

    @overload
    def __init__(self, mapping: Mapping[str, Any], /) -> None: ...

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
`;
}
