import { arrayAt, recordAt, textAt, textsAt, valueAt } from "../json/access.ts";
import type { KubeObject } from "../kube-object.ts";
import { apiVersionOf, bucketOf, type ServedResource } from "../registry/served-resource.ts";
import type { PrinterColumn } from "../resource-type.ts";
import type { Phases } from "../threads/phases.ts";
import { conditionHolds } from "./conditions.ts";
import type { ConversionWebhook } from "./convert.ts";
import { prepareSchema, sharedSchema } from "./shared-schema.ts";
import type { StructuralSchema } from "./structural-schema.ts";

/** The replica fields of a resource with the `scale` subresource, as paths of member names. */
export interface ScalePaths {
  readonly specReplicas: readonly string[];
  readonly statusReplicas: readonly string[];
  readonly labelSelector: readonly string[] | undefined;
}

/** What one version of a CustomResourceDefinition says about its objects. */
export interface CustomVersion {
  readonly schema: StructuralSchema;
  /** Objects stored before this revision may predate the schema: they are pruned and defaulted when read. */
  readonly schemaRevision: number;
  readonly scale: ScalePaths | undefined;
  /** What clients of this version are told, if it is deprecated. */
  readonly deprecationWarning: string | undefined;
  /** Absent where versions differ by their name alone. */
  readonly conversion: ConversionWebhook | undefined;
  /** The definition is being deleted: there are no new objects. */
  readonly terminating: boolean;
  /** Fields that field selectors may name. */
  readonly selectableFields: readonly string[];
}

const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"] as const;

/** The resources that an established definition serves, one per served version. */
export function resourcesOf(definition: KubeObject, revision: number): readonly ServedResource[] {
  if (!conditionHolds(definition, "Established")) return [];
  const spec = recordAt(definition, "spec");
  const names = recordAt(definition, "status", "acceptedNames");
  const group = textAt(spec, "group");
  const plural = textAt(names, "plural");
  const kind = textAt(names, "kind");
  const versions = arrayAt(spec, "versions");
  const conversion = conversionOf(spec);
  const storage = versions.find((each) => valueAt(each, "storage") === true);
  return versions
    .filter((each) => valueAt(each, "served") === true)
    .map((each): ServedResource => {
      const version = textAt(each, "name");
      const subresources = ["status", "scale"].filter(
        (name) => valueAt(each, "subresources", name) !== undefined,
      );
      return {
        type: {
          group,
          version,
          kind,
          plural,
          singular: textAt(names, "singular") || kind.toLowerCase(),
          shortNames: textsAt(names, "shortNames"),
          categories: textsAt(names, "categories"),
          namespaced: textAt(spec, "scope") === "Namespaced",
          verbs,
          subresources,
          columns: arrayAt(each, "additionalPrinterColumns").map(columnOf),
          origin: "custom",
        },
        listKind: textAt(names, "listKind") || `${kind}List`,
        bucket: bucketOf(group, plural),
        storageApiVersion: apiVersionOf({ group, version: textAt(storage, "name") }),
        custom: {
          schema: sharedSchema(valueAt(each, "schema", "openAPIV3Schema")),
          schemaRevision: revision,
          conversion,
          terminating: definition.metadata.deletionTimestamp !== undefined,
          scale: subresources.includes("scale")
            ? scalePathsOf(valueAt(each, "subresources", "scale"))
            : undefined,
          deprecationWarning: deprecationOf(each, apiVersionOf({ group, version }), kind),
          selectableFields: arrayAt(each, "selectableFields").map((field) =>
            textAt(field, "jsonPath").slice(1),
          ),
        },
      };
    });
}

/** Reads the schemas of a definition before it is there. */
export function* prepareDefinition(definition: KubeObject): Phases<void> {
  for (const each of arrayAt(definition, "spec", "versions")) {
    const schema = valueAt(each, "schema", "openAPIV3Schema");
    if (valueAt(each, "served") === true && schema !== undefined) yield* prepareSchema(schema);
  }
}

function conversionOf(spec: unknown): ConversionWebhook | undefined {
  if (textAt(spec, "conversion", "strategy") !== "Webhook") return undefined;
  const webhook = recordAt(spec, "conversion", "webhook");
  return {
    clientConfig: webhook.clientConfig,
    reviewVersions: textsAt(webhook, "conversionReviewVersions"),
  };
}

function columnOf(column: unknown): PrinterColumn {
  const format = textAt(column, "format");
  const description = textAt(column, "description");
  return {
    name: textAt(column, "name"),
    type: columnType(textAt(column, "type")),
    ...(format ? { format } : {}),
    ...(description ? { description } : {}),
    priority: Number(textAt(column, "priority") || 0),
    jsonPath: textAt(column, "jsonPath"),
  };
}

function columnType(text: string): PrinterColumn["type"] {
  return text === "integer" || text === "number" || text === "boolean" || text === "date" ? text : "string";
}

function scalePathsOf(scale: unknown): ScalePaths {
  const selector = textAt(scale, "labelSelectorPath");
  return {
    specReplicas: path(textAt(scale, "specReplicasPath")),
    statusReplicas: path(textAt(scale, "statusReplicasPath")),
    labelSelector: selector ? path(selector) : undefined,
  };
}

/** `.spec.replicas` to its member names. */
function path(text: string): readonly string[] {
  return text.split(".").filter((member) => member !== "");
}

function deprecationOf(version: unknown, apiVersion: string, kind: string): string | undefined {
  if (valueAt(version, "deprecated") !== true) return undefined;
  return textAt(version, "deprecationWarning") || `${apiVersion} ${kind} is deprecated`;
}
