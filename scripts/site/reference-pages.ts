import {
  type DocumentedExample,
  definitionName,
  flatten,
  listApiDocuments,
  type OpenApiDocument,
  type Operation,
  operationsOf,
  type Parameter,
  readDocument,
  readExamples,
  resolveParameter,
  type Schema,
} from "@keelson/openapi";
import { anchorOf } from "./headings.ts";
import type { Page } from "./pages.ts";

/** Generates a reference page for each ARM API version from its OpenAPI document, and an index page. */
export function referencePages(): readonly Page[] {
  const documents = listApiDocuments().map(({ version, file }) => ({
    version,
    file,
    document: readDocument(file),
  }));
  const newest = documents.findLast(({ version }) => /^\d{4}-\d\d-\d\d$/.test(version))?.version;
  const lines = documents.map(({ version, document }) => {
    const count = operationsOf(document).length;
    return `- [${version}](${version}.md): ${count} operations${version === newest ? "; the newest stable one" : ""}`;
  });
  const index = [
    "# API reference",
    "",
    "The ARM API by version, as its OpenAPI documents have it (`keelson swagger print VERSION`). The search knows the newest stable version",
    "and the admin API.",
    "",
    ...lines.toReversed(),
  ];
  return [
    { path: "reference/index.md", title: "API reference", text: `${index.join("\n")}\n` },
    ...documents.map(({ version, file, document }) => ({
      path: `reference/${version}.md`,
      title: version,
      // Only the newest version and the version `admin` are searchable. Similar pages of all versions would hide other results.
      text: versionPage(version, document, readExamples(file), version === newest || version === "admin"),
    })),
  ];
}

function versionPage(
  version: string,
  document: OpenApiDocument,
  examples: readonly DocumentedExample[],
  isFound: boolean,
): string {
  const operations = operationsOf(document);
  const definitions = Object.entries(document.definitions).sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = [
    `---\nsearch: ${isFound}\noutline: [2, 3]\n---`,
    `# API version ${version}`,
    document.info.description ?? "",
    "## Operations",
    ...operations.flatMap(({ path, method, operation }) =>
      operationParts(
        document,
        method,
        path,
        operation,
        examples.filter(({ operationId }) => operationId === operation.operationId),
      ),
    ),
    "## Schemas",
    ...definitions.flatMap(([name, schema]) => schemaParts(document, name, schema)),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function operationParts(
  document: OpenApiDocument,
  method: string,
  path: string,
  operation: Operation,
  examples: readonly DocumentedExample[],
): readonly string[] {
  const { operationId, description = "", parameters = [], responses } = operation;
  const resolved = parameters.map((each) => resolveParameter(document, each));
  return [
    `### ${operationId}`,
    `\`\`\`http\n${method.toUpperCase()} ${path}\n\`\`\``,
    description,
    operation["x-ms-long-running-operation"]
      ? "Long-running operation. The response header `Azure-AsyncOperation` contains the URL of its status."
      : "",
    operation["x-ms-pageable"] ? "Responses are paged. `nextLink` contains the URL of the next page." : "",
    table(
      ["Parameter", "In", "Type", "", "Description"],
      resolved.map((each) => [
        code(each.name ?? ""),
        each.in ?? "",
        typeText(each.schema ?? each),
        each.required === true ? "required" : "",
        [each.description ?? "", limits(each)].filter((text) => text !== "").join(" "),
      ]),
    ),
    table(
      ["Status", "Body", "Description"],
      Object.entries(responses).map(([status, { description: text = "", schema }]) => [
        status,
        schema ? typeText(schema) : "",
        text,
      ]),
    ),
    ...examples.map(exampleText),
  ];
}

function exampleText({ method, url, body, responses: answers }: DocumentedExample): string {
  const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
  const sent = body === undefined ? "" : `\n\n${json(body)}`;
  const answered = [...answers].map(([status, response]) =>
    response === undefined ? `Answer ${status}, without a body.` : `Answer ${status}:\n\n${json(response)}`,
  );
  return `::: details Example\n\n\`\`\`http\n${method} ${url}\n\`\`\`${sent}\n\n${answered.join("\n\n")}\n\n:::`;
}

function schemaParts(document: OpenApiDocument, name: string, schema: Schema): readonly string[] {
  const { properties, required, enum: values, description = "" } = flatten(document, schema);
  const members = Object.entries(properties);
  return [
    `### ${name}`,
    description,
    values ? `One of ${values.map(code).join(", ")}.` : "",
    limits(schema),
    members.length === 0
      ? ""
      : table(
          ["Member", "Type", "", "Description"],
          members.map(([member, each]) => [
            code(member),
            typeText(each),
            notes(each, required.includes(member)),
            [each.description ?? "", limits(each)].filter((text) => text !== "").join(" "),
          ]),
        ),
  ];
}

function notes(schema: Schema, isRequired: boolean): string {
  return [
    isRequired ? "required" : "",
    schema.readOnly ? "read-only" : "",
    schema["x-ms-secret"] ? "secret" : "",
    schema["x-nullable"] ? "may be null" : "",
  ]
    .filter((note) => note !== "")
    .join(", ");
}

function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = definitionName(schema.$ref);
    return `[${name}](#${anchorOf(name)})`;
  }
  const [only] = schema.allOf ?? [];
  if (only && schema.allOf?.length === 1) return typeText(only);
  if (schema.type === "array" && schema.items) return `list of ${typeText(schema.items)}`;
  if (typeof schema.additionalProperties === "object")
    return `map of ${typeText(schema.additionalProperties)}`;
  if (schema.enum) return schema.enum.map(code).join(", ");
  return [schema.type ?? "any", schema.format ? `(${schema.format})` : ""].join(" ").trim();
}

function limits({ pattern, minLength, maxLength }: Schema | Parameter): string {
  const length =
    minLength === undefined && maxLength === undefined
      ? ""
      : `${minLength ?? 0} to ${maxLength ?? "any number of"} characters.`;
  return [length, pattern === undefined ? "" : `Pattern ${code(pattern)}.`]
    .filter((text) => text !== "")
    .join(" ");
}

/** Formats a string as code for a table cell. `table` escapes vertical bars, because they end a cell even within code. */
function code(text: string): string {
  return `\`${text}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const row = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replace(/\s*\n\s*/g, " ")).join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}
