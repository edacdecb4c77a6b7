import { type FieldRow, fieldRows } from "./field-rows.ts";

/** Configuration file that the document describes. */
export interface DescribedConfig {
  readonly title: string;
  readonly introduction: string;
  readonly schema: object;
}

const introduction = (schemaVersion: number) => `# Configuration

<!-- Generated from the schemas in libraries/env/src/config by \`make generate\`: do not edit. -->

\`keelson config check FILE\` lists every error of a configuration file. \`keelson config schema\` prints its JSON Schema, for editors:

\`\`\`sh
./keelson config check service.json
./keelson config schema >service.schema.json
\`\`\`

- **Secret**: the value is a secret. Keep the file readable for the user of the service only.
- **Read again**: a running process uses a changed value, changed content of the file, or new versions of the secret, without a
  restart ([Rotate secrets](rotation.md)). It reads its configuration file every 10 s.
- Every other change takes effect with the next start. This includes the server and the database in \`database.url\`.
- Lines that begin with \`//\` are comments. [deploy/examples](../deploy/examples) contains an example with comments for each role.
- The schema version of this release is ${schemaVersion}. If a file declares a newer \`schemaVersion\`, unknown fields are ignored with a warning
  ([rollback](howto/operate-postgresql.md#rolling-upgrade-and-rollback)).
- **Read by**: commands that use the field. All commands that read the file use a field without this note.
- A field without a default is required, unless it is marked *optional*.
`;

/** Returns the content of `docs/configuration.md`. `schemaVersion` is the schema version of this release. */
export function configurationDocument(configs: readonly DescribedConfig[], schemaVersion: number): string {
  return [introduction(schemaVersion), ...configs.map(chapter)].join("\n");
}

function chapter({ title, introduction: text, schema }: DescribedConfig): string {
  const rows = fieldRows(schema);
  const groups = Map.groupBy(rows, ({ path }) => path.split(/[.[]/)[0] ?? "");
  const single = [...groups.values()].filter((group) => group.length === 1).flat();
  const sections = [...groups].filter(([, group]) => group.length > 1);
  return [
    `## ${title}\n`,
    `${text}\n`,
    table(single),
    ...sections.map(([name, group]) => section(name, group)),
  ].join("\n");
}

function section(name: string, [parent, ...fields]: readonly FieldRow[]): string {
  const description = parent?.description ? `${sentence(withoutLinks(parent.description))}\n` : "";
  const presence = parent ? presenceOf(parent) : "";
  const note = parent ? readByNote(parent.roles) : "";
  const readBy = note === "" ? "" : `${sentence(note)}\n`;
  return [
    `### ${name}\n`,
    ...[presence, readBy, description].filter((each) => each !== ""),
    table(fields),
  ].join("\n");
}

/** Returns the sentence about an optional section. Empty for a required section. */
function presenceOf({ isRequired, default: value }: FieldRow): string {
  if (value !== undefined) return `Optional. Default: \`${value}\`.\n`;
  return isRequired ? "" : "Optional.\n";
}

function table(rows: readonly FieldRow[]): string {
  const lines = rows.map((row) => {
    const cells = [code(row.path), code(row.type), defaultOf(row), marks(row), meaning(row)];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| Field | Type | Default | Notes | Meaning |",
    "| --- | --- | --- | --- | --- |",
    ...lines,
    "",
  ].join("\n");
}

function meaning({ variant, description }: FieldRow): string {
  return cell(`${variant ? `*${variant}.* ` : ""}${withoutLinks(description)}`);
}

/** Formats example URLs so that Markdown does not turn them into links. */
function withoutLinks(text: string): string {
  return text.replace(/(?<!`)https?:\/\/[^\s,;)]+/g, (url) => `\`${url}\``);
}

function defaultOf({ isRequired, default: value }: FieldRow): string {
  if (value !== undefined) return code(value);
  return isRequired ? "" : "*optional*";
}

function marks({ isSecret, isReread, roles, path }: FieldRow): string {
  // Roles are shown only for top-level fields, because fields of a section have the roles of the section.
  const readBy = path.includes(".") ? "" : readByNote(roles);
  return [...(isSecret ? ["secret"] : []), ...(isReread ? ["read again"] : []), readBy]
    .filter((each) => each !== "")
    .join(", ");
}

/** Returns the note about the commands that use a field, for example ``read by `rp` and `portal` ``. Empty: all commands. */
function readByNote(roles: readonly string[]): string {
  const names = roles.map((role) => `\`${role}\``);
  const [last = "", ...others] = names.toReversed();
  if (last === "") return "";
  return `read by ${others.length === 0 ? last : `${others.toReversed().join(", ")} and ${last}`}`;
}

function code(text: string): string {
  return `\`${cell(text)}\``;
}

/** Escapes pipes, because a pipe ends a table cell even within code. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}
