import { type StatusCause, StatusError } from "@keelson/apiserver";

/** Resource name in error messages: `imagestreams.image.openshift.io`. */
export interface Named {
  readonly group: string;
  readonly resource: string;
}

function details({ group, resource }: Named, name: string) {
  return { name, group, kind: resource };
}

/** Errors of the aggregated API resources with the messages of OpenShift's API servers. */
export const failures = {
  badRequest: (message: string, causes?: readonly StatusCause[]) =>
    new StatusError(400, "BadRequest", message, causes ? { causes } : undefined),
  notFound: (subject: Named, name: string) =>
    new StatusError(
      404,
      "NotFound",
      `${subject.resource}.${subject.group} "${name}" not found`,
      details(subject, name),
    ),
  alreadyExists: (subject: Named, name: string) =>
    new StatusError(
      409,
      "AlreadyExists",
      `${subject.resource}.${subject.group} "${name}" already exists`,
      details(subject, name),
    ),
  conflict: (subject: Named, name: string, why: string) =>
    new StatusError(
      409,
      "Conflict",
      `Operation cannot be fulfilled on ${subject.resource}.${subject.group} "${name}": ${why}`,
      details(subject, name),
    ),
  forbidden: (subject: Named, name: string, why: string) =>
    new StatusError(
      403,
      "Forbidden",
      `${subject.resource}${subject.group && `.${subject.group}`} "${name}" is forbidden: ${why}`,
      details(subject, name),
    ),
  /** Returns a validation error for one field. */
  invalid: (kind: string, group: string, name: string, field: string, message: string) =>
    new StatusError(422, "Invalid", `${kind}.${group} "${name}" is invalid: ${field}: ${message}`, {
      name,
      group,
      kind,
      causes: [{ reason: "FieldValueInvalid", message, field }],
    }),
} as const;
