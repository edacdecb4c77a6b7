import { fieldError, maxCauses, recordAt, type StatusCause } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { dnsSubdomain, labelValue, qualifiedName } from "@keelson/kinds";

type Fields = Readonly<Record<string, unknown>>;

const maxAnnotationBytes = 262_144;

/** What is wrong with an object's metadata, as far as it is shown. `nameFault` judges its name. */
export function validateMetadata(
  metadata: Fields,
  nameFault: (name: string) => string | undefined = dnsSubdomain,
): readonly StatusCause[] {
  return causesIn(metadata, nameFault)
    .take(maxCauses + 1)
    .toArray();
}

function* causesIn(
  metadata: Fields,
  nameFault: (name: string) => string | undefined,
): Generator<StatusCause> {
  const name = String(metadata.name ?? "");
  const why = nameFault(name);
  if (why) yield fieldError.invalid("metadata.name", name, why);
  yield* validateLabels(metadata.labels);
  yield* validateAnnotations(metadata.annotations);
  yield* validateOwners(metadata.ownerReferences);
  yield* validateFinalizers(metadata.finalizers);
}

function* validateLabels(labels: unknown): Generator<StatusCause> {
  if (!isPlainObject(labels)) return;
  for (const key in labels) {
    yield* validateKey("metadata.labels", key);
    const value = labels[key];
    const wrong = labelValue(String(value));
    if (wrong) yield fieldError.invalid("metadata.labels", value, wrong);
  }
}

function* validateAnnotations(annotations: unknown): Generator<StatusCause> {
  if (!isPlainObject(annotations)) return;
  let bytes = 0;
  for (const key in annotations) {
    yield* validateKey("metadata.annotations", key.toLowerCase());
    bytes += key.length + Buffer.byteLength(String(annotations[key]));
  }
  if (bytes > maxAnnotationBytes) yield fieldError.tooLong("metadata.annotations", maxAnnotationBytes);
}

function* validateKey(field: string, key: string): Generator<StatusCause> {
  const why = qualifiedName(key);
  if (why) yield fieldError.invalid(field, key, why);
}

function* validateOwners(owners: unknown): Generator<StatusCause> {
  if (!Array.isArray(owners)) return;
  let controllers = 0;
  for (let at = 0; at < owners.length; at++) {
    const owner = recordAt(owners[at]);
    if (owner.controller === true) controllers++;
    for (const name of ["apiVersion", "kind", "name", "uid"]) {
      if (owner[name]) continue;
      yield fieldError.invalid(`metadata.ownerReferences[${at}].${name}`, "", `${name} must not be empty`);
    }
  }
  if (controllers > 1) {
    yield fieldError.invalid(
      "metadata.ownerReferences",
      owners,
      "Only one reference can have Controller set to true",
    );
  }
}

function* validateFinalizers(finalizers: unknown): Generator<StatusCause> {
  if (!Array.isArray(finalizers)) return;
  for (let at = 0; at < finalizers.length; at++) {
    yield* validateKey(`metadata.finalizers[${at}]`, String(finalizers[at]));
  }
}
