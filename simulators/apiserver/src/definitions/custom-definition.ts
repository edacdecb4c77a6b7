import {
  comparePriority,
  conditionIsTrue,
  type KubeObject,
  type Phases,
  type PrinterColumn,
  scalarStringAt,
} from "@keelson/apimachinery";
import { listAt, objectAt, stringsAt, valueAt } from "@keelson/base";
import { type ConversionWebhook, prepareSchema, type ScalePaths, sharedSchema } from "@keelson/schema";
import { apiVersionOf, bucketOf, type ServedResource } from "../resources/served-resource.ts";

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"] as const;

/** Revision of a definition's last change. The signal aborts at the next change. */
export interface Declaration {
  readonly revision: number;
  readonly retired: AbortSignal;
}

/** Returns the resources of an established definition, one for each served version. */
export function resourcesOf(
  definition: KubeObject,
  { revision, retired }: Declaration,
): readonly ServedResource[] {
  if (!conditionIsTrue(definition, "Established")) return [];
  const spec = objectAt(definition, "spec");
  const names = objectAt(definition, "status", "acceptedNames");
  const group = scalarStringAt(spec, "group");
  const plural = scalarStringAt(names, "plural");
  const kind = scalarStringAt(names, "kind");
  const versions = listAt(spec, "versions");
  const conversion = conversionOf(spec);
  const storage = versions.find((each) => valueAt(each, "storage") === true);
  const apiVersionNamed = (each: unknown) => apiVersionOf({ group, version: scalarStringAt(each, "name") });
  const schemas = new Map(
    versions.map((each) => [apiVersionNamed(each), sharedSchema(valueAt(each, "schema", "openAPIV3Schema"))]),
  );
  const storageApiVersion = apiVersionNamed(storage);
  const completesOthers = versions.length > 1 && schemas.get(storageApiVersion)?.has.defaults === true;
  return versions
    .filter((each) => valueAt(each, "served") === true)
    .map((each): ServedResource => {
      const version = scalarStringAt(each, "name");
      const subresources = ["status", "scale"].filter(
        (name) => valueAt(each, "subresources", name) !== undefined,
      );
      return {
        type: {
          group,
          version,
          kind,
          plural,
          singular: scalarStringAt(names, "singular") || kind.toLowerCase(),
          shortNames: stringsAt(names, "shortNames"),
          categories: stringsAt(names, "categories"),
          namespaced: scalarStringAt(spec, "scope") === "Namespaced",
          verbs,
          subresources,
          columns: listAt(each, "additionalPrinterColumns").map(columnOf),
          origin: "custom",
        },
        listKind: scalarStringAt(names, "listKind") || `${kind}List`,
        bucket: bucketOf(group, plural),
        storageApiVersion,
        custom: {
          schema: sharedSchema(valueAt(each, "schema", "openAPIV3Schema")),
          schemas,
          completesOthers,
          schemaRevision: revision,
          retired,
          conversion,
          terminating: definition.metadata.deletionTimestamp !== undefined,
          scale: subresources.includes("scale")
            ? scalePathsOf(valueAt(each, "subresources", "scale"))
            : undefined,
          deprecationWarning: deprecationOf(each, group, kind, versions),
          selectableFields: listAt(each, "selectableFields").map((field) =>
            scalarStringAt(field, "jsonPath").slice(1),
          ),
        },
      };
    });
}

/** Parses the schemas of a definition before the definition is stored. */
export function* prepareDefinition(definition: KubeObject): Phases<void> {
  for (const each of listAt(definition, "spec", "versions")) {
    const schema = valueAt(each, "schema", "openAPIV3Schema");
    if (schema !== undefined) yield* prepareSchema(schema);
  }
}

function conversionOf(spec: unknown): ConversionWebhook | undefined {
  if (scalarStringAt(spec, "conversion", "strategy") !== "Webhook") return undefined;
  const webhook = objectAt(spec, "conversion", "webhook");
  return {
    clientConfig: webhook.clientConfig,
    reviewVersions: stringsAt(webhook, "conversionReviewVersions"),
  };
}

function columnOf(column: unknown): PrinterColumn {
  const format = scalarStringAt(column, "format");
  const jsonPath = scalarStringAt(column, "jsonPath");
  const described = scalarStringAt(column, "description");
  const description = described || `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  return {
    name: scalarStringAt(column, "name"),
    type: columnType(scalarStringAt(column, "type")),
    ...(format ? { format } : {}),
    description,
    priority: Number(scalarStringAt(column, "priority") || 0),
    jsonPath,
  };
}

function columnType(text: string): PrinterColumn["type"] {
  return text === "integer" || text === "number" || text === "boolean" || text === "date" ? text : "string";
}

function scalePathsOf(scale: unknown): ScalePaths {
  const selector = scalarStringAt(scale, "labelSelectorPath");
  return {
    specReplicas: path(scalarStringAt(scale, "specReplicasPath")),
    statusReplicas: path(scalarStringAt(scale, "statusReplicasPath")),
    labelSelector: selector ? path(selector) : undefined,
  };
}

/** Splits a path such as `.spec.replicas` into field names. */
function path(text: string): readonly string[] {
  return text.split(".").filter((member) => member !== "");
}

/** Returns the warning for clients of a deprecated version. Default: a warning that names the best newer version. */
function deprecationOf(
  version: unknown,
  group: string,
  kind: string,
  versions: readonly unknown[],
): string | undefined {
  if (valueAt(version, "deprecated") !== true) return undefined;
  const own = valueAt(version, "deprecationWarning");
  if (typeof own === "string") return own;
  const name = scalarStringAt(version, "name");
  const [best] = versions
    .filter((each) => valueAt(each, "served") === true && valueAt(each, "deprecated") !== true)
    .map((each) => scalarStringAt(each, "name"))
    .filter((each) => comparePriority(each, name) < 0)
    .sort(comparePriority);
  const instead = best === undefined ? "" : `; use ${group}/${best} ${kind}`;
  return `${group}/${name} ${kind} is deprecated${instead}`;
}
