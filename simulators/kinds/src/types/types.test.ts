import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { subresourceOf } from "@keelson/apimachinery";
import { builtinTypes } from "../builtin/builtin-types.ts";
import { generate } from "./generate.ts";
import { allTypes, type TypeSchema, typeOf } from "./index.ts";
import { mergeRules } from "./merge-rules.ts";

test("the generated models are current", async () => {
  assert.equal(await readFile(new URL("./models.generated.txt", import.meta.url), "utf8"), await generate());
});

test("every built-in resource has a schema with the fields of an object", () => {
  for (const type of builtinTypes) {
    const fields = typeOf(type)?.fields;
    for (const field of ["apiVersion", "kind", "metadata"])
      assert.ok(fields?.has(field), `${type.kind}.${field}`);
  }
});

test("plurals and kinds are unique in their group-version, short names among all groups", () => {
  const key = (name: keyof (typeof builtinTypes)[number]) =>
    builtinTypes.map((t) => `${t.group}/${t.version}/${t[name]}`);
  for (const name of ["plural", "kind"] as const) assert.equal(new Set(key(name)).size, builtinTypes.length);
  const owners = new Map<string, string>();
  for (const { shortNames, plural } of builtinTypes) {
    for (const short of shortNames) {
      assert.equal(owners.get(short) ?? plural, plural, short);
      owners.set(short, plural);
    }
  }
});

test("fields have their wire types", () => {
  const rows: readonly [kind: string, path: string, type: string][] = [
    ["Pod", "spec.containers[].resources.limits{}", "quantity"],
    ["Pod", "spec.containers[].livenessProbe.httpGet.port", "intOrString"],
    ["Pod", "spec.terminationGracePeriodSeconds", "int64"],
    ["Pod", "metadata.creationTimestamp", "time"],
    ["Pod", "metadata.managedFields[].fieldsV1", "any"],
    ["Pod", "spec.nodeSelector{}", "string"],
    ["Secret", "data{}", "bytes"],
    ["Lease", "spec.renewTime", "microTime"],
    [
      "CustomResourceDefinition",
      "spec.versions[].schema.openAPIV3Schema.properties{}.properties{}.maximum",
      "number",
    ],
    ["Service", "spec.ports[].targetPort", "intOrString"],
  ];
  for (const [kind, path, type] of rows) {
    const resource = builtinTypes.find((each) => each.kind === kind);
    assert.ok(resource, kind);
    assert.equal(follow(typeOf(resource), path)?.type, type, `${kind} ${path}`);
  }
});

test("required fields are known", () => {
  const container = allTypes().get("core.v1.Container");
  assert.equal(container?.fields.get("name")?.required, true);
  assert.equal(container?.fields.get("image")?.required, false);
});

test("every merge rule references an existing field", () => {
  for (const [rule, { mergeKey }] of mergeRules) {
    const dot = rule.lastIndexOf(".");
    const field = allTypes()
      .get(rule.slice(0, dot))
      ?.fields.get(rule.slice(dot + 1));
    assert.ok(field?.mergeRule, rule);
    if (mergeKey === undefined) continue;
    const items = field.schema.type === "list" ? field.schema.items : undefined;
    assert.ok(items?.type === "object" && items.fields.has(mergeKey), `${rule} by ${mergeKey}`);
  }
});

test("subresources have kind and verbs", () => {
  const find = (plural: string) => {
    const found = builtinTypes.find((type) => type.plural === plural);
    assert.ok(found, plural);
    return found;
  };
  assert.deepEqual(subresourceOf(find("deployments"), "status"), {
    kind: "Deployment",
    verbs: ["get", "patch", "update"],
  });
  assert.equal(subresourceOf(find("deployments"), "scale").group, "autoscaling");
  assert.deepEqual(subresourceOf(find("pods"), "eviction"), {
    kind: "Eviction",
    group: "policy",
    version: "v1",
    verbs: ["create"],
  });
  const machines = { ...find("pods"), kind: "Machine", origin: "custom" as const };
  assert.equal(subresourceOf(machines, "log").kind, "Machine");
});

test("kinds of other groups are not in the catalogue", () => {
  assert.equal(typeOf({ group: "config.openshift.io", version: "v1", kind: "ClusterVersion" }), undefined);
  assert.equal(typeOf({ group: "apps", version: "v1beta1", kind: "Deployment" }), undefined);
  assert.equal(typeOf({ group: "core", version: "v1", kind: "Pod" }), undefined);
  assert.equal(typeOf({ group: "apps.example.com", version: "v1", kind: "Deployment" }), undefined);
  assert.equal(typeOf({ group: "meta", version: "v1", kind: "ObjectMeta" }), undefined);
});

/** Returns the schema at a path. `.field` selects a field, `[]` list items, `{}` map values. */
function follow(schema: TypeSchema | undefined, path: string): TypeSchema | undefined {
  return (path.match(/\[\]|\{\}|[^.[\]{}]+/g) ?? []).reduce<TypeSchema | undefined>((inner, step) => {
    if (step === "[]") return inner?.type === "list" ? inner.items : undefined;
    if (step === "{}") return inner?.type === "map" ? inner.values : undefined;
    return inner?.type === "object" ? inner.fields.get(step)?.schema : undefined;
  }, schema);
}
