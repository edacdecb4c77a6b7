import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, valueAt } from "@keelson/base";
import { builtinTypes, type ObjectSchema, type TypeSchema, typeOf } from "@keelson/kinds";
import fc from "fast-check";
import { decodeProtobuf } from "./decode-body.ts";
import { fieldNumbers } from "./decode-message.ts";
import {
  encodeProtobuf,
  encodeProtobufEvent,
  encodeProtobufItem,
  encodeProtobufList,
  protobufTypeOf,
} from "./encode-body.ts";

const maxDepth = 4;

/**
 * Generates values of a type that remain unchanged in a protocol buffer message. Empty and zero values are avoided, because the
 * message may omit them.
 */
function arbitraryOf(schema: TypeSchema, depth: number): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case "string":
    case "quantity":
      return fc.string({ minLength: 1 });
    case "int32":
      return fc.integer().filter((each) => each !== 0);
    case "int64":
      return fc.maxSafeInteger().filter((each) => each !== 0);
    case "number":
      return fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => each !== 0);
    case "boolean":
      return fc.constant(true);
    case "time":
      return fc.date(dates).map((date) => `${date.toISOString().slice(0, 19)}Z`);
    case "microTime":
      return fc.date(dates).map((date) => date.toISOString().replace("Z", "000Z"));
    case "intOrString":
      return fc.oneof(fc.integer(), fc.string());
    case "bytes":
      return fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString("base64"));
    // Arbitrary JSON, or a schema if the message requires one.
    case "any":
      return fc.string({ minLength: 1 }).map((description) => ({ description }));
    case "list":
      return fc.array(arbitraryOf(schema.items, depth), { minLength: 1, maxLength: 2 });
    case "map":
      return fc.dictionary(fc.string(), arbitraryOf(schema.values, depth), { minKeys: 1, maxKeys: 2 });
    case "object":
      return objectOf(schema, depth - 1);
  }
}

const dates = { min: new Date("1900-01-01"), max: new Date("2200-01-01"), noInvalidDate: true };

function objectOf(type: ObjectSchema, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const numbered = depth <= 0 ? new Set<string>() : membersOf(type.name);
  const members = [...type.fields].filter(([name]) => numbered.has(name));
  return fc.record(
    Object.fromEntries(
      members.map(([name, { schema }]) => {
        const isFlag = type.name === "apiextensions.v1.CustomResourceSubresources" && name === "status";
        return [
          name,
          isFlag ? fc.constant({}) : fc.option(arbitraryOf(schema, depth), { nil: undefined, freq: 1 }),
        ];
      }),
    ),
    { requiredKeys: [] },
  );
}

/** Returns the properties of a message. They include the properties of inlined messages. */
function membersOf(messageName: string): ReadonlySet<string> {
  const targets = [...(fieldNumbers().get(messageName)?.values() ?? [])];
  return new Set(
    targets.flatMap((target) => ("inlined" in target ? [...membersOf(target.inlined)] : [target.member])),
  );
}

/** Removes undefined properties. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

for (const { group, version, kind } of builtinTypes) {
  const type = typeOf({ group, version, kind });
  const apiVersion = group ? `${group}/${version}` : version;
  const known = protobufTypeOf({ group, version, kind });

  test(`random objects of ${kind} in ${apiVersion} are unchanged by encoding and decoding`, () => {
    assert.ok(type && known === type, "every built-in kind has field numbers");
    fc.assert(
      fc.property(objectOf(type, maxDepth), (object) => {
        const encoded = encodeProtobuf({ apiVersion, kind }, type, object);
        assert.deepEqual(plain(decodeProtobuf(encoded)), plain({ ...object, apiVersion, kind }));
      }),
      { numRuns: 20 },
    );
  });
}

test("a message is written like Go's, except empty values", () => {
  const type = protobufTypeOf({ group: "", version: "v1", kind: "ConfigMap" });
  assert.ok(type);
  const object = { metadata: { name: "a", labels: { b: "c", d: "" } }, data: { k: "v" }, immutable: false };
  assert.equal(
    encodeProtobuf({ apiVersion: "v1", kind: "ConfigMap" }, type, object).toString("base64"),
    Buffer.concat([
      Buffer.from("k8s\0"),
      Buffer.from([0x0a, 15, 0x0a, 2]),
      Buffer.from("v1"),
      Buffer.from([0x12, 9]),
      Buffer.from("ConfigMap"),
      Buffer.from([0x12, 30, 0x0a, 18, 0x0a, 1, 0x61, 0x5a, 6, 0x0a, 1, 0x62, 0x12, 1, 0x63]),
      Buffer.from([0x5a, 5, 0x0a, 1, 0x64, 0x12, 0, 0x12, 6, 0x0a, 1, 0x6b, 0x12, 1, 0x76, 0x20, 0]),
      Buffer.from([0x1a, 0, 0x22, 0]),
    ]).toString("base64"),
  );
});

test("a list has its metadata before its items, and a frame starts with its length", () => {
  const type = protobufTypeOf({ group: "", version: "v1", kind: "Secret" });
  assert.ok(type);
  const items = [{ metadata: { name: "a" } }, { metadata: { name: "b" } }];
  const named = { apiVersion: "v1", kind: "SecretList" };
  const list = encodeProtobufList(
    named,
    { resourceVersion: "7" },
    items.map((each) => encodeProtobufItem(type, each)),
  );
  const item = (name: string) => Buffer.from([0x12, 5, 0x0a, 3, 0x0a, 1, name.charCodeAt(0)]);
  const message = Buffer.concat([Buffer.from([0x0a, 3, 0x12, 1, 0x37]), item("a"), item("b")]);
  assert.ok(list.includes(Buffer.concat([Buffer.from([0x12, message.length]), message])));
  const frame = encodeProtobufEvent("ADDED", Buffer.from("object"));
  const event = Buffer.concat([
    Buffer.from([0x0a, 5]),
    Buffer.from("ADDED"),
    Buffer.from([0x12, 8, 0x0a, 6]),
    Buffer.from("object"),
  ]);
  assert.deepEqual(frame, Buffer.concat([Buffer.from([0, 0, 0, event.length]), event]));
});

test("defaults that are false, zero or empty, and schemas that are closed, survive a message", () => {
  const type = protobufTypeOf({
    group: "apiextensions.k8s.io",
    version: "v1",
    kind: "CustomResourceDefinition",
  });
  assert.ok(type);
  const defaults = [false, 0, "", [], {}].map((value, at) => [`p${at}`, { default: value }]);
  const openAPIV3Schema = {
    type: "object",
    properties: { ...Object.fromEntries(defaults), closed: { type: "object", additionalProperties: false } },
  };
  const named = { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" };
  const definition = {
    ...named,
    metadata: { name: "things.example.com" },
    spec: { versions: [{ name: "v1", schema: { openAPIV3Schema } }] },
  };
  const read = decodeProtobuf(encodeProtobuf(named, type, definition));
  assert.deepEqual(
    valueAt(listAt(read, "spec", "versions")[0], "schema", "openAPIV3Schema"),
    openAPIV3Schema,
  );
});
