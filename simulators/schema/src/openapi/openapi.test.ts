import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { atOnce, type KubeObject } from "@keelson/apimachinery";
import { isPlainObject } from "@keelson/base";
import { builtinTypes } from "@keelson/kinds";
import { parse as parseYaml } from "yaml";
import { openApiV2, openApiV2Json, openApiV3Document, openApiV3Index } from "./index.ts";
import { refsIn } from "./json-schema.ts";

const gadgets = definitionOf({
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", "x-kubernetes-validations": [{ rule: "self > 0" }] },
        free: {
          type: "object",
          "x-kubernetes-preserve-unknown-fields": true,
          properties: { a: { type: "string" } },
        },
        maybe: { type: "object", nullable: true, properties: {} },
        port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
        nullable: { type: "string" },
        embedded: { type: "object", "x-kubernetes-embedded-resource": true },
      },
    },
  },
});

test("every reference of a document has its definition", () => {
  const v2 = parse(atOnce(openApiV2Json(builtinTypes, [gadgets])).body);
  assertComplete(v2, at(v2, "definitions"));
  for (const path of Object.keys(
    Object(at(parse(atOnce(openApiV3Index(builtinTypes, [gadgets])).body), "paths")),
  )) {
    const v3 = v3Document(path);
    assertComplete(v3, at(v3, "components", "schemas"));
  }
});

test("a definition has its kind and the merge rules of its lists", () => {
  const v2 = parse(atOnce(openApiV2Json(builtinTypes, [])).body);
  const deployment = at(v2, "definitions", "io.k8s.api.apps.v1.Deployment");
  assert.deepEqual(at(deployment, "x-kubernetes-group-version-kind"), [
    { group: "apps", version: "v1", kind: "Deployment" },
  ]);
  assert.deepEqual(at(v2, "definitions", "io.k8s.api.core.v1.PodSpec", "properties", "volumes"), {
    type: "array",
    items: { $ref: "#/definitions/io.k8s.api.core.v1.Volume" },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    "x-kubernetes-patch-merge-key": "name",
    "x-kubernetes-patch-strategy": "merge,retainKeys",
  });
  const selector = "selector";
  const budget = "io.k8s.api.policy.v1.PodDisruptionBudgetSpec";
  assert.deepEqual(at(v2, "definitions", budget, "properties", selector), {
    $ref: "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector",
    "x-kubernetes-patch-strategy": "replace",
  });
  assert.deepEqual(
    at(v3Document("apis/policy/v1"), "components", "schemas", budget, "properties", selector),
    {
      allOf: [{ $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector" }],
      "x-kubernetes-patch-strategy": "replace",
    },
  );
});

test("patch operations list the parameters that kubectl checks", () => {
  const patch = at(
    v3Document("api/v1"),
    "paths",
    "/api/v1/namespaces/{namespace}/configmaps/{name}",
    "patch",
  );
  assert.deepEqual(at(patch, "x-kubernetes-group-version-kind"), {
    group: "",
    version: "v1",
    kind: "ConfigMap",
  });
  const parameters = at(patch, "parameters");
  assert.ok(Array.isArray(parameters));
  const names = parameters.map((parameter: unknown) => at(parameter, "name"));
  for (const name of ["dryRun", "fieldManager", "fieldValidation", "force"])
    assert.ok(names.includes(name), name);
});

test("unsupported verbs of a resource have no operation", () => {
  const paths = at(v3Document("apis/authorization.k8s.io/v1"), "paths");
  const collection = at(paths, "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews");
  assert.deepEqual(Object.keys(Object(collection)).sort(), ["parameters", "post"]);
});

test("version 2 publishes nullable and open values without restrictions", () => {
  const spec = at(
    parse(atOnce(openApiV2Json([], [gadgets])).body),
    "definitions",
    "com.example.v1.Gadget",
    "properties",
    "spec",
  );
  assert.deepEqual(at(spec, "required"), ["size"]);
  assert.deepEqual(at(spec, "properties", "size"), { type: "integer" });
  assert.deepEqual(at(spec, "properties", "free"), { "x-kubernetes-preserve-unknown-fields": true });
  assert.deepEqual(at(spec, "properties", "maybe"), {});
  assert.deepEqual(at(spec, "properties", "port"), { "x-kubernetes-int-or-string": true });
  assert.deepEqual(at(spec, "properties", "nullable"), { type: "string" });
});

test("version 3 publishes a custom schema as written, with the fields of an object", () => {
  const gadget = at(v3Document("apis/example.com/v1"), "components", "schemas", "com.example.v1.Gadget");
  assert.deepEqual(at(gadget, "x-kubernetes-group-version-kind"), [
    { group: "example.com", version: "v1", kind: "Gadget" },
  ]);
  assert.deepEqual(Object.keys(Object(at(gadget, "properties"))).sort(), [
    "apiVersion",
    "kind",
    "metadata",
    "spec",
  ]);
  assert.equal(at(gadget, "properties", "spec", "properties", "maybe", "nullable"), true);
  assert.equal(at(gadget, "properties", "spec", "properties", "free", "type"), "object");
  assert.equal(
    at(gadget, "properties", "spec", "properties", "embedded", "properties", "kind", "type"),
    "string",
  );
});

test("versions that are not served are not published", () => {
  const paths = Object.keys(Object(at(parse(atOnce(openApiV3Index([], [gadgets])).body), "paths")));
  assert.deepEqual(paths, ["apis/example.com/v1"]);
  assert.equal(atOnce(openApiV3Document("apis/example.com/v2", [], [gadgets])), undefined);
});

test("the index contains the hash of each document", () => {
  const index = parse(atOnce(openApiV3Index(builtinTypes, [gadgets])).body);
  for (const path of ["api/v1", "apis/apps/v1", "apis/example.com/v1"]) {
    const hash = atOnce(openApiV3Document(path, builtinTypes, [gadgets]))?.hash;
    assert.deepEqual(at(index, "paths", path), { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` });
  }
});

test("equal definitions share a document regardless of their status", () => {
  const first = atOnce(openApiV2(builtinTypes, [gadgets]));
  const copy = { ...structuredClone(gadgets), status: { acceptedNames: {} } };
  assert.equal(atOnce(openApiV2(builtinTypes, [copy])), first);
  const other = definitionOf({ type: "object" });
  assert.notEqual(atOnce(openApiV2(builtinTypes, [other])).hash, first.hash);
});

test("protocol buffers and JSON documents have equal content", () => {
  const json = parse(atOnce(openApiV2Json(builtinTypes, [gadgets])).body);
  const root = fields(atOnce(openApiV2(builtinTypes, [gadgets])).body);
  assert.deepEqual(texts(root, 1), ["2.0"]);
  const definitions = new Map(
    messages(root, 9)
      .flatMap((all) => messages(all, 1))
      .map(nameAndValue),
  );
  assert.deepEqual([...definitions.keys()], Object.keys(Object(at(json, "definitions"))));
  for (const [name, schema] of definitions) {
    assert.deepEqual(decodeSchema(schema), withoutExtensions(at(json, "definitions", name)), name);
  }
  const paths = new Map(
    messages(root, 8)
      .flatMap((all) => messages(all, 2))
      .map(nameAndValue),
  );
  assert.deepEqual([...paths.keys()], Object.keys(Object(at(json, "paths"))));
  const configMap = paths.get("/api/v1/namespaces/{namespace}/configmaps/{name}");
  const patch = messages(configMap ?? [], 8)[0] ?? [];
  const query = messages(patch, 8).flatMap((item) => inside(item, 1, 2, 3));
  assert.deepEqual(
    query.flatMap((parameter) => texts(parameter, 4)),
    ["dryRun", "fieldManager", "fieldValidation", "force"],
  );
  assert.deepEqual(texts(inside(patch, 13)[0] ?? [], 1), ["x-kubernetes-action"]);
});

test("documents about many small definitions are built in parts", () => {
  const crds = Array.from({ length: 100 }, (_, at) => {
    const { spec, ...definition } = definitionOf({ type: "object", description: `in parts ${at}` });
    return { ...definition, spec: { ...Object(spec), group: `g${at}.example.com` } };
  });
  for (const [document, least] of [
    [openApiV2Json, 10],
    [openApiV2, 100],
    [openApiV3Index, 100],
  ] as const) {
    const parts = document(builtinTypes, crds);
    let count = 0;
    while (!parts.next().done) count++;
    assert.ok(count >= least, `${document.name} has ${count} parts`);
  }
});

function definitionOf(schema: unknown): KubeObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } },
        { name: "v2", served: false, storage: false, schema: { openAPIV3Schema: schema } },
      ],
    },
  };
}

function v3Document(path: string): unknown {
  const document = atOnce(openApiV3Document(path, builtinTypes, [gadgets]));
  assert.ok(document, path);
  return parse(document.body);
}

function parse(body: Buffer): unknown {
  return JSON.parse(body.toString());
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isPlainObject(inner) ? inner[name] : undefined), value);
}

function assertComplete(document: unknown, definitions: unknown): void {
  assert.ok(isPlainObject(definitions));
  for (const name of atOnce(refsIn(document))) assert.ok(definitions[name], name);
}

/** Decoded message as pairs of field number and value. The value is bytes, or a number for a varint. */
type Message = readonly (readonly [number: number, value: Buffer | number])[];

function fields(bytes: Buffer): Message {
  const found: [number, Buffer | number][] = [];
  let position = 0;
  const varint = () => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = bytes.readUInt8(position++);
      value += (byte & 0x7f) * 2 ** shift;
      shift += 7;
    } while (byte & 0x80);
    return value;
  };
  while (position < bytes.length) {
    const tag = varint();
    const value = varint();
    if ((tag & 7) === 0) found.push([tag >>> 3, value]);
    else {
      found.push([tag >>> 3, bytes.subarray(position, position + value)]);
      position += value;
    }
  }
  return found;
}

function buffers(message: Message, number: number): readonly Buffer[] {
  return message.flatMap(([each, value]) => (each === number && Buffer.isBuffer(value) ? [value] : []));
}

function messages(message: Message, number: number): readonly Message[] {
  return buffers(message, number).map(fields);
}

function texts(message: Message, number: number): readonly string[] {
  return buffers(message, number).map(String);
}

function inside(message: Message, ...path: readonly number[]): readonly Message[] {
  return path.reduce<readonly Message[]>(
    (all, number) => all.flatMap((each) => messages(each, number)),
    [message],
  );
}

function nameAndValue(named: Message): [string, Message] {
  return [texts(named, 1)[0] ?? "", messages(named, 2)[0] ?? []];
}

function decodeSchema(message: Message): Record<string, unknown> {
  const properties = messages(message, 25)[0];
  const values = messages(message, 20).map((value) => parseYaml(texts(value, 2)[0] ?? ""));
  const text = (name: string, number: number) => texts(message, number).map((value) => [name, value]);
  return Object.fromEntries([
    ...text("$ref", 1),
    ...text("format", 2),
    ...text("description", 4),
    ...(texts(message, 19).length > 0 ? [["required", texts(message, 19)]] : []),
    ...(values.length > 0 ? [["enum", values]] : []),
    ...inside(message, 21, 1).map((schema) => ["additionalProperties", decodeSchema(schema)]),
    ...inside(message, 22).map((type) => ["type", texts(type, 1)[0]]),
    ...inside(message, 23, 1).map((schema) => ["items", decodeSchema(schema)]),
    ...(properties
      ? [
          [
            "properties",
            Object.fromEntries(
              messages(properties, 1)
                .map(nameAndValue)
                .map(([name, schema]) => [name, decodeSchema(schema)]),
            ),
          ],
        ]
      : []),
  ]);
}

/**
 * Removes extensions from a schema, because the comparison above does not decode them. Keeps fields that have the name of an
 * extension.
 */
function withoutExtensions(schema: unknown, areFields = false): unknown {
  if (!isPlainObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => areFields || !name.startsWith("x-"))
      .map(([name, value]) => [name, withoutExtensions(value, !areFields && name === "properties")]),
  );
}

describe("documents about a definition of a megabyte", () => {
  const pattern = "^[a-z]([-a-z0-9]*[a-z0-9])?$";
  const property = { type: "string", description: "x".repeat(120), pattern };
  const properties = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`p${at}`, property]));
  /** Returns a new definition that no cache contains. */
  const large = (kind: string): KubeObject => {
    const schema = { openAPIV3Schema: { type: "object", properties } };
    const names = { kind, plural: `${kind.toLowerCase()}s` };
    const versions = [{ name: "v1", served: true, storage: true, schema }];
    return {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `${names.plural}.large.example` },
      spec: { group: "large.example", scope: "Namespaced", names, versions },
    };
  };
  const forms = {
    "version 2": (crd: KubeObject) => openApiV2Json([], [crd]),
    "version 2 as protocol buffers": (crd: KubeObject) => openApiV2([], [crd]),
    "version 3": (crd: KubeObject) => openApiV3Document("apis/large.example/v1", [], [crd]),
  };
  for (const [form, make] of Object.entries(forms)) {
    test(`are built in parts: ${form}`, () => {
      const phases = make(large(`Parts${form.length}`));
      let parts = 1;
      for (; !phases.next().done; ) parts++;
      assert.ok(parts >= 5, `${parts} parts`);
    });

    test(`are built once for concurrent requests: ${form}`, () => {
      const crd = large(`Once${form.length}`);
      const [first, second] = [make(crd), make(crd)];
      first.next();
      for (;;) {
        const { done, value } = second.next();
        assert.ok(!done || value);
        const step = first.next();
        if (!step.done) continue;
        assert.equal(atOnce(second), step.value);
        return;
      }
    });
  }
});
