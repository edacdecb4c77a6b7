import assert from "node:assert/strict";
import { isPlainObject, objectAt } from "@keelson/base";
import { enumFields, enumOf } from "@keelson/kinds";
import { definitionName } from "@keelson/schema";
import type { Api } from "../api.ts";
import type { ConformanceCase } from "../case.ts";
import { get } from "../requests.ts";

/** API groups that only newer Kubernetes releases serve. OpenShift 4.19 contains Kubernetes 1.32. */
const newerTypes = /^(resource\.v1|admissionregistration\.v1\.Mutati)/;

/** Conformance cases for the published field constraints of all built-in kinds. */
export const openApiCases: readonly ConformanceCase[] = [
  {
    name: "exactly the enum fields publish their permitted strings",
    async run(api) {
      const published = new Map<string, readonly unknown[]>();
      const types = new Set<string>();
      for (const [name, schema] of await publishedSchemas(api)) {
        types.add(name);
        for (const [field, property] of Object.entries(objectAt(schema, "properties"))) {
          const texts = enumIn(property);
          if (texts) published.set(`${name}.${field}`, texts);
        }
      }
      const expected = [...enumFields()].flatMap((name) => {
        const dot = name.lastIndexOf(".");
        const [type, field] = [name.slice(0, dot), name.slice(dot + 1)];
        return types.has(definitionName(type))
          ? [[`${definitionName(type)}.${field}`, enumOf(type, field)] as const]
          : [];
      });
      assert.ok(expected.length > 80, `${expected.length} fields of published types have texts`);
      assert.deepEqual(
        Object.fromEntries([...published].toSorted()),
        Object.fromEntries(expected.toSorted()),
      );
    },
  },
];

/** Returns the schemas of all built-in groups by definition name. */
async function publishedSchemas(api: Api): Promise<ReadonlyMap<string, unknown>> {
  const schemas = new Map<string, unknown>();
  const index = await api.call(get("/openapi/v3"));
  for (const [path, document] of Object.entries(objectAt(index.body, "paths"))) {
    if (!/^apis?\//.test(path) || !isPlainObject(document)) continue;
    const response = await api.call(get(String(document.serverRelativeURL)));
    for (const [name, schema] of Object.entries(objectAt(response.body, "components", "schemas"))) {
      const type = name.replace(/^io\.k8s\.api\./, "");
      if (name.startsWith("io.k8s.") && !newerTypes.test(type)) schemas.set(name, schema);
    }
  }
  return schemas;
}

function enumIn(schema: unknown): readonly unknown[] | undefined {
  if (!isPlainObject(schema)) return undefined;
  if (Array.isArray(schema.enum)) return schema.enum.toSorted();
  return enumIn(schema.items) ?? enumIn(schema.additionalProperties);
}
