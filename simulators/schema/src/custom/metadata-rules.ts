import { fieldError, maxCauses, type StatusCause } from "@keelson/apimachinery";
import { isPlainObject, objectAt } from "@keelson/base";
import { dnsSubdomain, labelValue, qualifiedName } from "@keelson/kinds";

type Fields = Readonly<Record<string, unknown>>;

const maxAnnotationBytes = 262_144;

/**
 * Returns the errors of invalid metadata. Stops after one error more than a response can contain, so that the response can
 * mention further errors. `nameFault` validates the name. If `qualified` is true, a finalizer must be a standard finalizer or a
 * qualified name.
 */
export function validateMetadata(
  metadata: Fields,
  nameFault: (name: string) => string | undefined = dnsSubdomain,
  qualified = false,
): readonly StatusCause[] {
  return causesIn(metadata, nameFault, qualified)
    .take(maxCauses + 1)
    .toArray();
}

function* causesIn(
  metadata: Fields,
  nameFault: (name: string) => string | undefined,
  qualified: boolean,
): Generator<StatusCause> {
  const name = String(metadata.name ?? "");
  const why = nameFault(name);
  if (why) yield fieldError.invalid("metadata.name", name, why);
  yield* validateLabels(metadata.labels);
  yield* validateAnnotations(metadata.annotations);
  yield* validateOwners(metadata.ownerReferences);
  yield* validateFinalizers(metadata.finalizers, qualified);
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
  const field = "metadata.ownerReferences";
  let controller: string | undefined;
  for (let at = 0; at < owners.length; at++) {
    const owner = objectAt(owners[at]);
    for (const name of ["apiVersion", "kind", "name", "uid"]) {
      if (owner[name]) continue;
      const subject = name === "apiVersion" ? "version " : "";
      yield fieldError.invalid(`${field}.${name}`, "", `${subject}must not be empty`);
    }
    if (owner.apiVersion === "v1" && owner.kind === "Event")
      yield fieldError.invalid(field, owner, "/v1, Kind=Event is disallowed from being an owner");
    if (owner.controller !== true) continue;
    const name = `${String(owner.kind)}/${String(owner.name)}`;
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
    if (controller) yield fieldError.invalid(field, owners, why);
    else controller = name;
  }
}

const standardFinalizers: ReadonlySet<string> = new Set(["foregroundDeletion", "kubernetes", "orphan"]);

function* validateFinalizers(finalizers: unknown, qualified: boolean): Generator<StatusCause> {
  if (!Array.isArray(finalizers)) return;
  for (let at = 0; at < finalizers.length; at++) {
    const [field, name] = [`metadata.finalizers[${at}]`, String(finalizers[at])];
    yield* validateKey(field, name);
    if (!qualified || name.includes("/") || standardFinalizers.has(name)) continue;
    const why = "name is neither a standard finalizer name nor is it fully qualified";
    yield fieldError.invalid(field, name, why);
  }
}
