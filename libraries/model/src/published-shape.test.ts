import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  flatten,
  listApiDocuments,
  type OpenApiDocument,
  readApiDocument,
  type Schema,
} from "@keelson/openapi";
import { adminVersion } from "./api-versions/admin-version.ts";
import { apiVersions } from "./api-versions/api-versions.ts";
import type { Operation } from "./api-versions/version.ts";
import type { Field, FieldType } from "./fields/field.ts";
import type { SchemaNode } from "./fields/schema.ts";

/** Properties of a cluster field in one version. */
interface Facts {
  readonly type: FieldType;
  /** Values of an enumeration, in alphabetical order. */
  readonly values?: string;
  readonly readOnly: boolean;
  readonly secret: boolean;
}

/**
 * Intended differences between the service's fields and the published documents. Each difference has paths, a property, versions
 * and a reason.
 */
const exceptions: readonly {
  readonly paths: readonly string[];
  readonly fact: keyof Facts;
  readonly from?: string;
  readonly before?: string;
  readonly because: string;
}[] = [
  {
    paths: ["id", "name", "type"],
    fact: "readOnly",
    because: "clients may name the resource in the body; a rule holds it against the URL",
  },
  {
    paths: ["systemData"],
    fact: "readOnly",
    before: "2023-11-22",
    because: "versions before accept what a client read, as those of the original do",
  },
  {
    paths: ["systemData.createdByType", "systemData.lastModifiedByType"],
    fact: "values",
    because: "Azure Resource Manager sends it in a header, and the service stores it unchanged",
  },
  {
    paths: ["identity.type"],
    fact: "values",
    from: "2024-08-12-preview",
    because: "no version of the original judges the type: the identities decide",
  },
  {
    paths: ["properties.masterProfile.vmSize", "properties.workerProfiles[].vmSize"],
    fact: "values",
    before: "2022-04-01",
    because: "the published list is of its time; all versions accept the sizes of vm-sizes.ts",
  },
  {
    paths: ["properties.provisioningState"],
    fact: "values",
    from: adminVersion.name,
    because: "the document shares the customers' type, with Canceled, which no cluster ever is",
  },
  {
    paths: ["properties.clusterProfile.pullSecret", "properties.servicePrincipalProfile.clientSecret"],
    fact: "secret",
    because: "published documents mark only secrets in responses; these are never returned",
  },
];

const versions = [...apiVersions, adminVersion];

test("there is a document for exactly the served versions", () => {
  assert.deepEqual(
    listApiDocuments().map(({ version }) => version),
    versions.map(({ name }) => name),
  );
});

const used = new Set<(typeof exceptions)[number]>();

for (const { name, fields, operations } of versions) {
  describe(name, () => {
    const document = readApiDocument(name);
    const { OpenShiftCluster, Cluster } = document.definitions;
    const published = publishedFacts(document, OpenShiftCluster ?? Cluster ?? {});
    const served = servedFacts(fields);

    test("the document has the service's properties", () => {
      assert.deepEqual([...published.keys()].sort(), [...served.keys()].sort());
    });

    test("type, values, read-only and secret are the same but for the exceptions", () => {
      assert.ok(served.size > 30, "there is something to compare");
      const differences = [...served].flatMap(([path, facts]) =>
        differencesOf(facts, published.get(path))
          .filter((fact) => !isExcepted(name, path, fact))
          .map((fact) => `${path}: ${fact} is ${facts[fact]}, published as ${published.get(path)?.[fact]}`),
      );
      assert.deepEqual(differences, []);
    });

    test("the document has the actions that the service has", () => {
      const paths = Object.keys(document.paths).map((path) => path.split("/").at(-1));
      const actions: readonly Operation[] = ["listCredentials", "listAdminCredentials", "credentials"];
      assert.deepEqual(
        actions.filter((action) => paths.includes(action)),
        actions.filter((action) => operations.has(action)),
      );
    });
  });
}

test("every exception is needed", () => {
  assert.deepEqual(
    exceptions.filter((exception) => !used.has(exception)),
    [],
  );
});

function differencesOf(served: Facts, published: Facts | undefined): readonly (keyof Facts)[] {
  const facts: readonly (keyof Facts)[] = ["type", "values", "readOnly", "secret"];
  return published ? facts.filter((fact) => served[fact] !== published[fact]) : [];
}

function isExcepted(version: string, path: string, fact: keyof Facts): boolean {
  const found = exceptions.find(
    ({ paths, fact: excepted, from = "", before }) =>
      excepted === fact &&
      paths.includes(path) &&
      from <= version &&
      (before === undefined || version < before),
  );
  if (found) used.add(found);
  return found !== undefined;
}

function servedFacts(nodes: readonly SchemaNode[]): ReadonlyMap<string, Facts> {
  return new Map(
    nodes.flatMap(({ field, members }) => [[field.path, factsOf(field)] as const, ...servedFacts(members)]),
  );
}

function factsOf({ type, values, readOnly, secret = false }: Field): Facts {
  return { type, readOnly: readOnly !== undefined, secret, ...(values ? { values: listOf(values) } : {}) };
}

function publishedFacts(document: OpenApiDocument, schema: Schema, parent = ""): ReadonlyMap<string, Facts> {
  const { properties } = flatten(document, schema);
  const entries = Object.entries(properties).flatMap(([name, member]) => {
    const path = `${parent}${name}`;
    const { enum: values, ...flat } = flatten(document, member);
    const type = typeOf(document, flat);
    const readOnly = flat.readOnly === true;
    const secret = flat["x-ms-secret"] === true;
    const facts: Facts = { type, readOnly, secret, ...(values ? { values: listOf(values) } : {}) };
    const [mark, inner] = contentsOf(type, flat);
    return [[path, facts] as const, ...publishedFacts(document, inner, `${path}${mark}.`)];
  });
  return new Map(entries);
}

/** Returns the path suffix and the schema of the values below a field. */
function contentsOf(type: FieldType, schema: Schema): readonly [mark: string, inner: Schema] {
  if (type === "list") return ["[]", schema.items ?? {}];
  if (type === "map") return ["{}", valuesOf(schema)];
  return ["", schema];
}

function typeOf(document: OpenApiDocument, schema: Schema): FieldType {
  const isMap = typeof schema.additionalProperties === "object";
  switch (schema.type) {
    case "array":
      return "list";
    case "object":
      if (!isMap) return "object";
      return flatten(document, valuesOf(schema)).type === "string" ? "text map" : "map";
    case "integer":
      return "integer";
    case "boolean":
      return "boolean";
    case "string":
      return schema.format === "date-time" ? "time" : "text";
    default:
      throw new Error(`no field is of the type ${schema.type}`);
  }
}

function valuesOf({ additionalProperties }: Schema): Schema {
  return typeof additionalProperties === "object" ? additionalProperties : {};
}

function listOf(values: readonly string[]): string {
  return values.toSorted().join(", ");
}
