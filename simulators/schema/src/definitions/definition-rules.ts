import { isDeepStrictEqual } from "node:util";
import {
  conditionIsTrue,
  fieldError,
  type KubeObject,
  type StatusCause,
  scalarStringAt,
} from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt, valueAt } from "@keelson/base";
import { dns1035Label, dns1123Subdomain } from "../custom/dns-names.ts";
import { validateApproval } from "./api-approval.ts";
import { validateConversion } from "./conversion-rules.ts";
import { validateDefinitionSchema } from "./definition-schema.ts";
import { validateColumns, validateSelectableFields, validateSubresources } from "./version-rules.ts";

/** Sets the default names and the default conversion strategy of a definition. */
export function withDefinitionDefaults(definition: KubeObject): KubeObject {
  const spec = objectAt(definition, "spec");
  const names = objectAt(spec, "names");
  const kind = scalarStringAt(names, "kind");
  return {
    ...definition,
    spec: {
      ...spec,
      names: {
        ...names,
        singular: scalarStringAt(names, "singular") || kind.toLowerCase(),
        listKind: scalarStringAt(names, "listKind") || `${kind}List`,
      },
      conversion: valueAt(spec, "conversion") ?? { strategy: "None" },
    },
  };
}

/** Validates a definition with Kubernetes' messages. */
export function validateDefinition(
  definition: KubeObject,
  current: KubeObject | undefined,
): readonly StatusCause[] {
  const spec = objectAt(definition, "spec");
  // An unchanged spec is not validated, because the validation is expensive.
  if (current && isDeepStrictEqual(spec, current.spec)) {
    return [...validateStoredVersions(definition), ...validateApproval(definition, current)];
  }
  return [
    ...validateName(definition),
    ...validateGroupAndScope(spec),
    ...validateVersions(spec),
    ...validateNames(spec),
    ...validateConversion(spec.conversion, valueAt(current, "spec", "conversion")),
    ...validateSharedOrPerVersion(spec, current),
    ...(current ? validateUnchanged(spec, current) : []),
    ...validateStoredVersions(definition),
    ...validateApproval(definition, current),
    ...(spec.preserveUnknownFields === true ? [cannotPreserve] : []),
  ];
}

const cannotPreserve = fieldError.invalid(
  "spec.preserveUnknownFields",
  true,
  "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
);

function validateName({ metadata: { name }, spec }: KubeObject): readonly StatusCause[] {
  const expected = `${scalarStringAt(spec, "names", "plural")}.${scalarStringAt(spec, "group")}`;
  if (name === expected) return [];
  return [fieldError.invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group')];
}

function validateGroupAndScope(spec: Readonly<Record<string, unknown>>): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  const group = scalarStringAt(spec, "group");
  const wrong = dns1123Subdomain(group);
  if (!group) causes.push(fieldError.required("spec.group"));
  else if (wrong) causes.push(fieldError.invalid("spec.group", group, wrong));
  else if (!group.includes(".")) {
    causes.push(fieldError.invalid("spec.group", group, "should be a domain with at least one dot"));
  }
  const scope = scalarStringAt(spec, "scope");
  if (!scope) causes.push(fieldError.required("spec.scope"));
  else if (scope !== "Namespaced" && scope !== "Cluster") {
    causes.push(fieldError.notSupported("spec.scope", scope, ["Cluster", "Namespaced"]));
  }
  return causes;
}

function validateVersions(spec: Readonly<Record<string, unknown>>): readonly StatusCause[] {
  const versions = listAt(spec, "versions");
  const names = versions.map((each) => scalarStringAt(each, "name"));
  const causes = versions.flatMap((version, at) => {
    const path = `spec.versions[${at}]`;
    const wrong = dns1035Label(names[at] ?? "");
    return [
      ...(wrong ? [fieldError.invalid(`${path}.name`, names[at], wrong)] : []),
      ...(valueAt(version, "schema", "openAPIV3Schema") === undefined
        ? [fieldError.required(`${path}.schema.openAPIV3Schema`, "schemas are required")]
        : []),
      ...deprecationCauses(version, path),
    ];
  });
  if (new Set(names).size < names.length) {
    causes.push(fieldError.invalid("spec.versions", names, "must contain unique version names"));
  }
  if (versions.filter((each) => valueAt(each, "storage") === true).length !== 1) {
    const why = "must have exactly one version marked as storage version";
    causes.push(fieldError.invalid("spec.versions", names, why));
  }
  return causes;
}

function deprecationCauses(version: unknown, path: string): readonly StatusCause[] {
  const warning = valueAt(version, "deprecationWarning");
  if (typeof warning !== "string") return [];
  const field = `${path}.deprecationWarning`;
  const whys = [
    ...(valueAt(version, "deprecated") === true ? [] : ["can only be set for deprecated versions"]),
    ...(warning.length > 256 ? ["must be <= 256 characters long"] : []),
    ...(warning === "" ? ["must not be an empty string"] : []),
    ...(/\p{C}/u.test(warning) ? ["must only contain printable UTF-8 characters"] : []),
  ];
  return whys.map((why) => fieldError.invalid(field, warning, why));
}

/**
 * Validates schemas, subresources, columns and selectable fields. If a property is equal in all versions, errors have the path of
 * Kubernetes' shared field, for example `spec.validation`. If it differs, errors have the path of the version.
 */
function validateSharedOrPerVersion(
  spec: Readonly<Record<string, unknown>>,
  current: KubeObject | undefined,
): readonly StatusCause[] {
  const versions = listAt(spec, "versions");
  const shared = (member: string) => {
    const [first, ...others] = versions.map((version) => valueAt(version, member));
    return versions.length > 0 && others.every((each) => isDeepStrictEqual(each, first));
  };
  const places = (member: string, sharedPath: string) =>
    shared(member)
      ? [{ version: versions[0], path: sharedPath }]
      : versions.map((version, at) => ({ version, path: `spec.versions[${at}].${member}` }));
  const statusAnywhere = versions.some((each) => valueAt(each, "subresources", "status") !== undefined);
  return [
    ...places("schema", "spec.validation").flatMap(({ version, path }) =>
      validateDefinitionSchema(valueAt(version, "schema", "openAPIV3Schema"), `${path}.openAPIV3Schema`, {
        hasStatus: shared("schema")
          ? statusAnywhere
          : valueAt(version, "subresources", "status") !== undefined,
        before: schemaBefore(current, scalarStringAt(version, "name")),
      }),
    ),
    ...places("subresources", "spec.subresources").flatMap(({ version, path }) =>
      validateSubresources(valueAt(version, "subresources"), path),
    ),
    ...places("additionalPrinterColumns", "spec.additionalPrinterColumns").flatMap(({ version, path }) =>
      validateColumns(listAt(version, "additionalPrinterColumns"), path),
    ),
    ...places("selectableFields", "spec.selectableFields").flatMap(({ version, path }) =>
      validateSelectableFields(version, path),
    ),
  ];
}

function schemaBefore(current: KubeObject | undefined, version: string): unknown {
  const before = listAt(current, "spec", "versions").find((each) => scalarStringAt(each, "name") === version);
  return valueAt(before, "schema", "openAPIV3Schema");
}

function validateNames(spec: Readonly<Record<string, unknown>>): readonly StatusCause[] {
  const names = objectAt(spec, "names");
  const causes: StatusCause[] = [];
  for (const member of ["plural", "singular", "kind", "listKind"]) {
    const name = scalarStringAt(names, member);
    const field = `spec.names.${member}`;
    const mixed = member === "kind" || member === "listKind";
    const wrong = name && dns1035Label(mixed ? name.toLowerCase() : name);
    if (!name) causes.push(fieldError.required(field));
    else if (wrong) {
      const why = mixed ? `may have mixed case, but should otherwise match: ${wrong}` : wrong;
      causes.push(fieldError.invalid(field, name, why));
    }
  }
  for (const member of ["shortNames", "categories"]) {
    for (const [at, name] of stringsAt(names, member).entries()) {
      const wrong = dns1035Label(name);
      if (wrong) causes.push(fieldError.invalid(`spec.names.${member}[${at}]`, name, wrong));
    }
  }
  const kind = scalarStringAt(names, "kind");
  if (kind && kind === scalarStringAt(names, "listKind")) {
    causes.push(fieldError.invalid("spec.names.listKind", kind, "kind and listKind may not be the same"));
  }
  return causes;
}

/**
 * Validates immutable fields. Group and plural are always immutable. Scope and kind are immutable after the definition is
 * established.
 */
function validateUnchanged(
  spec: Readonly<Record<string, unknown>>,
  current: KubeObject,
): readonly StatusCause[] {
  const established = conditionIsTrue(current, "Established");
  const paths = [...(established ? [["scope"], ["names", "kind"]] : []), ["group"], ["names", "plural"]];
  return paths.flatMap((path) => {
    const value = valueAt(spec, ...path);
    if (isDeepStrictEqual(value, valueAt(current.spec, ...path))) return [];
    return [fieldError.invalid(`spec.${path.join(".")}`, value, "field is immutable")];
  });
}

function validateStoredVersions({ spec, status }: KubeObject): readonly StatusCause[] {
  const stored = stringsAt(status, "storedVersions");
  const versions = listAt(spec, "versions");
  const names = new Set(versions.map((each) => scalarStringAt(each, "name")));
  const missing = versions
    .filter((each) => stored.length > 0 && valueAt(each, "storage") === true)
    .map((each) => scalarStringAt(each, "name"))
    .filter((name) => !stored.includes(name))
    .map((name) =>
      fieldError.invalid("status.storedVersions", stored, `must have the storage version ${name}`),
    );
  const unknown = stored.flatMap((name, at) => {
    if (names.has(name)) return [];
    const why =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until ` +
      `a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return [fieldError.invalid(`status.storedVersions[${at}]`, name, why)];
  });
  return [...missing, ...unknown];
}
