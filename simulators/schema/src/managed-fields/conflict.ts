import {
  type FieldSet,
  type ManagedFieldsEntry,
  maxCauses,
  pathsOf,
  type StatusCause,
  StatusError,
} from "@keelson/apimachinery";
import { formatPath } from "./elements.ts";

const maxLines = 2 * maxCauses;

/** Fields that an apply would change, although a different manager owns them. */
export interface Conflict {
  readonly entry: ManagedFieldsEntry;
  readonly fields: FieldSet;
}

/** Returns the conflict error (409) with one cause for each field. kubectl parses the message. */
export function conflictError(conflicts: readonly Conflict[]): StatusError {
  const fields = conflicts
    .map(({ entry, fields: set }) => ({ manager: describe(entry), paths: [...pathsOf(set)].map(formatPath) }))
    .sort((a, b) => (a.manager < b.manager ? -1 : 1));
  const causes = fields.flatMap(({ manager, paths }) =>
    paths.map(
      (field): StatusCause => ({
        reason: "FieldManagerConflict",
        message: `conflict with ${manager}`,
        field,
      }),
    ),
  );
  return new StatusError(409, "Conflict", messageOf(fields), { causes: causes.slice(0, maxCauses) });
}

function messageOf(
  fields: readonly { readonly manager: string; readonly paths: readonly string[] }[],
): string {
  const count = fields.reduce((sum, { paths }) => sum + paths.length, 0);
  const [first] = fields;
  if (count === 1 && first) {
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.paths.join()}`;
  }
  const lines = fields.flatMap(({ manager, paths }) => [
    `conflicts with ${manager}:`,
    ...paths.map((path) => `- ${path}`),
  ]);
  const shown = lines.slice(0, maxLines);
  if (shown.length < lines.length) shown.push(`and ${lines.length - shown.length} lines more`);
  return `Apply failed with ${count} conflicts: ${shown.join("\n")}`;
}

function describe({ manager, subresource, operation, apiVersion }: ManagedFieldsEntry): string {
  const named =
    JSON.stringify(manager) + (subresource ? ` with subresource ${JSON.stringify(subresource)}` : "");
  return operation === "Update" ? `${named} using ${apiVersion}` : named;
}
