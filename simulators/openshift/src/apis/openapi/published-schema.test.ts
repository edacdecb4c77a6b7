import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isPlainObject, listAt, objectAt, stringAt, valueAt } from "@keelson/base";
import { ApiWorld } from "../testing/api-world.ts";
import { publishedSchema } from "./published-schema.ts";

let world: ApiWorld;
before(async () => {
  world = await ApiWorld.start();
});
after(() => world?.[Symbol.asyncDispose]());

/** Groups of the aggregated API servers. `route.openshift.io` has a separate schema. */
const groups = [
  "apps",
  "authorization",
  "build",
  "image",
  "oauth",
  "project",
  "security",
  "template",
  "user",
];

/** Kinds of a group, without subresources and CustomResourceDefinitions. */
async function kindsOf(group: string): Promise<readonly string[]> {
  const crds = await world.client.list({
    group: "apiextensions.k8s.io",
    version: "v1",
    resource: "customresourcedefinitions",
  });
  const custom = crds.items.filter((each) => stringAt(each, "spec", "group") === group);
  const names = custom.map((each) => stringAt(each, "spec", "names", "kind"));
  const { body } = await world.call("GET", `/apis/${group}/v1`);
  return listAt(body, "resources")
    .filter((each) => !stringAt(each, "name")?.includes("/"))
    .map((each) => stringAt(each, "kind") ?? "")
    .filter((kind) => !names.includes(kind));
}

test("every aggregated kind and each of its fields have a description", async () => {
  let count = 0;
  for (const each of groups) {
    const group = `${each}.openshift.io`;
    for (const kind of await kindsOf(group)) {
      const schema = publishedSchema(group, kind);
      assert.ok(stringAt(schema, "description"), `${group} ${kind}`);
      const fields = Object.entries(objectAt(schema, "properties"));
      assert.ok(fields.length > 0, kind);
      for (const [field, value] of fields) assert.ok(stringAt(value, "description"), `${kind}.${field}`);
      count++;
    }
  }
  assert.ok(count > 30, `${count} kinds`);
});

test("nested references and objects have kind, version and metadata, which older kubectl validates", () => {
  const fieldsAt = (kind: string, ...path: readonly string[]) => {
    const schema = publishedSchema("image.openshift.io", kind);
    return Object.keys(objectAt(valueAt(schema, ...path), "properties"));
  };
  const from = fieldsAt(
    "ImageStream",
    "properties",
    "spec",
    "properties",
    "tags",
    "items",
    "properties",
    "from",
  );
  for (const field of ["apiVersion", "kind", "name", "namespace"]) assert.ok(from.includes(field), field);
  const image = fieldsAt("ImageStreamTag", "properties", "image");
  for (const field of ["apiVersion", "kind", "metadata", "dockerImageReference"])
    assert.ok(image.includes(field), field);
});

test("OpenAPI 3 describes aggregated kinds and their nested fields, as for oc explain", async () => {
  const schemaOf = async (group: string, kind: string) => {
    const { body } = await world.call("GET", `/openapi/v3/apis/${group}/v1`);
    const schemas = Object.values(objectAt(body, "components", "schemas"));
    return schemas.find((each) =>
      listAt(each, "x-kubernetes-group-version-kind").some((gvk) => stringAt(gvk, "kind") === kind),
    );
  };
  const stream = await schemaOf("image.openshift.io", "ImageStream");
  assert.equal(stringAt(stream, "properties", "spec", "description"), "Sources of the tags.");
  assert.deepEqual(Object.keys(objectAt(stream, "properties", "spec", "properties")).sort(), [
    "dockerImageRepository",
    "lookupPolicy",
    "tags",
  ]);
  const tag = objectAt(stream, "properties", "spec", "properties", "tags", "items", "properties");
  assert.equal(stringAt(tag, "importPolicy", "properties", "insecure", "type"), "boolean");
  assert.equal(stringAt(tag, "from", "properties", "name", "type"), "string");
  const template = await schemaOf("template.openshift.io", "Template");
  assert.match(stringAt(template, "properties", "objects", "description") ?? "", /^Objects to create/);
  const user = await schemaOf("user.openshift.io", "User");
  assert.equal(stringAt(user, "properties", "identities", "type"), "array");
});

test("OpenAPI 2 describes aggregated kinds", async () => {
  const { body } = await world.call("GET", "/openapi/v2");
  const definition = Object.values(objectAt(body, "definitions")).find((each) =>
    listAt(each, "x-kubernetes-group-version-kind").some((gvk) => stringAt(gvk, "kind") === "Project"),
  );
  assert.ok(isPlainObject(definition));
  assert.ok(valueAt(definition, "properties", "spec"));
});

test("objects with fields that the documents do not contain are still accepted", async () => {
  const image = { metadata: { name: "sha256:1" }, dockerImageReference: "r/i@sha256:1", unlisted: 1 };
  const { status, body } = await world.call("POST", "/apis/image.openshift.io/v1/images", { body: image });
  assert.equal(status, 201, stringAt(body, "message"));
});
