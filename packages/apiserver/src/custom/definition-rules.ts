import { arrayAt, recordAt, textAt, textsAt, valueAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import type { ResourceDirectory } from "../registry/resource-directory.ts";
import { bucketOf } from "../registry/served-resource.ts";
import { fieldError } from "../status/field-error.ts";
import type { StatusCause } from "../status/status-error.ts";

/** Removes the instances before the definition goes. */
export const instanceCleanup = "customresourcecleanup.apiextensions.k8s.io";

/** The definition with the names filled in that may be left out. */
export function withDefinitionDefaults(definition: KubeObject): KubeObject {
  const spec = recordAt(definition, "spec");
  const names = recordAt(spec, "names");
  const kind = textAt(names, "kind");
  return {
    ...definition,
    spec: {
      ...spec,
      names: {
        ...names,
        singular: textAt(names, "singular") || kind.toLowerCase(),
        listKind: textAt(names, "listKind") || `${kind}List`,
      },
      conversion: valueAt(spec, "conversion") ?? { strategy: "None" },
    },
  };
}

/** The definition held by the finalizer that removes its instances. */
export function withCleanup(definition: KubeObject): KubeObject {
  const { metadata } = definition;
  const finalizers = [...new Set([...(metadata.finalizers ?? []), instanceCleanup])];
  return { ...definition, metadata: { ...metadata, finalizers } };
}

export function validateDefinition(definition: KubeObject): readonly StatusCause[] {
  const spec = recordAt(definition, "spec");
  const group = textAt(spec, "group");
  const plural = textAt(spec, "names", "plural");
  const scope = textAt(spec, "scope");
  const versions = arrayAt(spec, "versions");
  const causes: StatusCause[] = [];
  if (definition.metadata.name !== `${plural}.${group}`) {
    causes.push(
      fieldError.invalid(
        "metadata.name",
        definition.metadata.name,
        `must be spec.names.plural+"."+spec.group`,
      ),
    );
  }
  if (!group) causes.push(fieldError.required("spec.group"));
  if (!plural) causes.push(fieldError.required("spec.names.plural"));
  if (!textAt(spec, "names", "kind")) causes.push(fieldError.required("spec.names.kind"));
  if (scope !== "Namespaced" && scope !== "Cluster") {
    causes.push(
      scope
        ? fieldError.notSupported("spec.scope", scope, ["Cluster", "Namespaced"])
        : fieldError.required("spec.scope"),
    );
  }
  if (versions.filter((each) => valueAt(each, "storage") === true).length !== 1) {
    causes.push(
      fieldError.invalid(
        "spec.versions",
        versions.map((each) => textAt(each, "name")),
        "must have exactly one version marked as storage version",
      ),
    );
  }
  for (const [at, version] of versions.entries()) {
    if (!textAt(version, "name")) causes.push(fieldError.required(`spec.versions[${at}].name`));
    if (valueAt(version, "schema", "openAPIV3Schema") === undefined) {
      causes.push(fieldError.required(`spec.versions[${at}].schema.openAPIV3Schema`, "schemas are required"));
    }
  }
  return causes;
}

/** The definition with the status that says whether its names are its own, and so whether it is served. */
export function withDefinitionStatus(
  definition: KubeObject,
  directory: ResourceDirectory,
  now: string,
): KubeObject {
  const spec = recordAt(definition, "spec");
  const status = recordAt(definition, "status");
  const conflict = nameConflict(definition, directory);
  const old = arrayAt(status, "conditions");
  const others = old.filter((each) => !["NamesAccepted", "Established"].includes(textAt(each, "type")));
  const condition = (type: string, holds: boolean, reason: string, message: string) => {
    const before = old.find((each) => textAt(each, "type") === type);
    const value = holds ? "True" : "False";
    const since = textAt(before, "status") === value ? textAt(before, "lastTransitionTime") : now;
    return { lastTransitionTime: since, message, reason, status: value, type };
  };
  const wasEstablished = old.some(
    (each) => textAt(each, "type") === "Established" && textAt(each, "status") === "True",
  );
  const storage = arrayAt(spec, "versions").find((each) => valueAt(each, "storage") === true);
  const stored = new Set([...textsAt(status, "storedVersions"), textAt(storage, "name")]);
  return {
    ...definition,
    status: {
      ...status,
      conditions: [
        conflict
          ? condition("NamesAccepted", false, conflict.reason, conflict.message)
          : condition("NamesAccepted", true, "NoConflicts", "no conflicts found"),
        conflict && !wasEstablished
          ? condition("Established", false, "NotAccepted", "not all names are accepted")
          : condition("Established", true, "InitialNamesAccepted", "the initial names have been accepted"),
        ...others,
      ],
      acceptedNames: conflict ? (status.acceptedNames ?? { plural: "", kind: "" }) : recordAt(spec, "names"),
      storedVersions: [...stored],
    },
  };
}

function nameConflict(
  definition: KubeObject,
  directory: ResourceDirectory,
): { readonly reason: string; readonly message: string } | undefined {
  const group = textAt(definition, "spec", "group");
  const names = recordAt(definition, "spec", "names");
  const own = bucketOf(group, textAt(names, "plural"));
  const others = directory.all().filter(({ type, bucket }) => type.group === group && bucket !== own);
  const taken = new Set(others.flatMap(({ type }) => [type.plural, type.singular, ...type.shortNames]));
  const kinds = new Set(others.flatMap(({ type, listKind }) => [type.kind, listKind]));
  const name = [textAt(names, "plural"), textAt(names, "singular"), ...textsAt(names, "shortNames")].find(
    (each) => taken.has(each),
  );
  if (name) return { reason: "NameConflict", message: `"${name}" is already in use` };
  const kind = [textAt(names, "kind"), textAt(names, "listKind")].find((each) => kinds.has(each));
  return kind ? { reason: "KindConflict", message: `"${kind}" is already in use` } : undefined;
}
