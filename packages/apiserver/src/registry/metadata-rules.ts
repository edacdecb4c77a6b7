import { isPlainObject } from "@keelson/base";
import {
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  labelValue,
  pathSegmentName,
  qualifiedName,
} from "../catalogue/names.ts";
import { recordAt } from "../json/access.ts";
import { fieldError } from "../status/field-error.ts";
import type { StatusCause } from "../status/status-error.ts";

const maxAnnotationBytes = 262_144;

/** Resources with names of another form than a DNS subdomain; those of `rbac` are segments of a path. */
const nameForms: Readonly<Record<string, (name: string) => string | undefined>> = {
  "/namespaces": dnsLabel,
  "/services": dns1035Label,
};

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
  const why = (pathNames ? pathSegmentName : (nameForms[bucket] ?? dnsSubdomain))(name);
  return why ? [fieldError.invalid(field, name, why)] : [];
}

function validateLabels(labels: unknown): readonly StatusCause[] {
  return entriesOf(labels).flatMap(([key, value]) => {
    const wrong = labelValue(String(value));
    return [
      ...validateKey("metadata.labels", key),
      ...(wrong ? [fieldError.invalid("metadata.labels", value, wrong)] : []),
    ];
  });
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
  const why = qualifiedName(key);
  return why ? [fieldError.invalid(field, key, why)] : [];
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
