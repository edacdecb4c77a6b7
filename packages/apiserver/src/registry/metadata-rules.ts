import { isPlainObject } from "@keelson/base";
import { recordAt } from "../json/access.ts";
import { fieldError } from "../status/field-error.ts";
import type { StatusCause } from "../status/status-error.ts";

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const qualifiedName = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$/;
const maxAnnotationBytes = 262_144;

const subdomainText =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start " +
  "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end " +
  "with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is " +
  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

/** Resources named by DNS labels; those of `rbac` by path segments; all others by DNS subdomains. */
const labelNamed: ReadonlySet<string> = new Set(["/namespaces", "/services"]);

/** What is wrong with an object's metadata. `bucket` is `group/plural`; `pathNames`: any segment of a path is a name. */
export function validateMetadata(
  bucket: string,
  metadata: Readonly<Record<string, unknown>>,
  pathNames = bucket.startsWith("rbac.authorization.k8s.io/"),
): readonly StatusCause[] {
  return [
    ...validateName(bucket, String(metadata.name ?? ""), pathNames),
    ...validateLabels(metadata.labels),
    ...validateAnnotations(metadata.annotations),
    ...validateOwners(metadata.ownerReferences),
    ...validateFinalizers(metadata.finalizers),
  ];
}

function validateName(bucket: string, name: string, pathNames: boolean): readonly StatusCause[] {
  const field = "metadata.name";
  if (pathNames) {
    const bad =
      name === "." || name === ".."
        ? `may not be '${name}'`
        : /[/%]/.exec(name)
          ? "may not contain '/' or '%'"
          : "";
    return bad ? [fieldError.invalid(field, name, bad)] : [];
  }
  if (labelNamed.has(bucket)) {
    if (name.length > 63) return [fieldError.invalid(field, name, "must be no more than 63 characters")];
    return label.test(name) ? [] : [fieldError.invalid(field, name, labelText)];
  }
  if (name.length > 253) return [fieldError.invalid(field, name, "must be no more than 253 characters")];
  return subdomain.test(name) ? [] : [fieldError.invalid(field, name, subdomainText)];
}

function validateLabels(labels: unknown): readonly StatusCause[] {
  return entriesOf(labels).flatMap(([key, value]) => [
    ...validateKey("metadata.labels", key),
    ...(typeof value === "string" && value.length <= 63 && labelValue.test(value)
      ? []
      : [
          fieldError.invalid(
            "metadata.labels",
            value,
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must " +
              "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used " +
              "for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
          ),
        ]),
  ]);
}

function validateAnnotations(annotations: unknown): readonly StatusCause[] {
  const entries = entriesOf(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(String(value)), 0);
  return [
    ...entries.flatMap(([key]) => validateKey("metadata.annotations", key.toLowerCase())),
    ...(bytes > maxAnnotationBytes ? [fieldError.tooLong("metadata.annotations", maxAnnotationBytes)] : []),
  ];
}

function validateKey(field: string, key: string): readonly StatusCause[] {
  const slash = key.indexOf("/");
  const prefix = key.slice(0, Math.max(slash, 0));
  const name = key.slice(slash + 1);
  if (slash >= 0 && (prefix.length > 253 || !subdomain.test(prefix))) {
    return [fieldError.invalid(field, key, `prefix part ${subdomainText}`)];
  }
  if (name.length <= 63 && qualifiedName.test(name)) return [];
  return [
    fieldError.invalid(
      field,
      key,
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
        "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " +
        "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ),
  ];
}

function validateOwners(owners: unknown): readonly StatusCause[] {
  if (!Array.isArray(owners)) return [];
  const controllers = owners.filter((each) => recordAt(each).controller === true);
  const missing = owners.flatMap((each, at) =>
    ["apiVersion", "kind", "name", "uid"]
      .filter((name) => !recordAt(each)[name])
      .map((name) =>
        fieldError.invalid(`metadata.ownerReferences[${at}].${name}`, "", `${name} must not be empty`),
      ),
  );
  if (controllers.length <= 1) return missing;
  return [
    ...missing,
    fieldError.invalid(
      "metadata.ownerReferences",
      owners,
      "Only one reference can have Controller set to true",
    ),
  ];
}

function validateFinalizers(finalizers: unknown): readonly StatusCause[] {
  if (!Array.isArray(finalizers)) return [];
  return finalizers.flatMap((each, at) => validateKey(`metadata.finalizers[${at}]`, String(each)));
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isPlainObject(value) ? Object.entries(value) : [];
}
