import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { Fields } from "./fields.ts";
import { JsonFault, type Projection, ProjectionExceeded, projectJson } from "./json-projection.ts";

const unlimited = { keptBytes: 2 ** 30, keptTokens: 2 ** 30 };
const bytesOf = (json: string) => new Uint8Array(Buffer.from(json));

function project(json: string, fields: Fields, items?: readonly string[], limits = unlimited): Projection {
  return projectJson(bytesOf(json), { fields, limits, items });
}

/** Parses the value of a projection and the items in its batches. */
function built({ head, bytes, batches }: Projection) {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const items = batches.flatMap(([start, end]) => JSON.parse(`[${text.toString("utf8", start, end)}]`));
  return { value: JSON.parse(head), items };
}

/** Applies the field selection to a parsed value. The result must equal the projection. */
function selected(value: unknown, fields: Fields): unknown {
  if (typeof fields === "boolean" || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => selected(each, fields));
  const kept = Object.entries(value).flatMap(([name, field]) => {
    const chosen = Object.hasOwn(fields, name) ? (fields[name] ?? false) : false;
    return chosen === false ? [] : [[name, selected(field, chosen)]];
  });
  return Object.fromEntries(kept);
}

const names = fc.constantFrom("a", "b", "spec", 'quo"te', "back\\slash", "ü", "f:x", "");
const fieldsOf = fc.letrec<{ fields: Fields }>((tie) => ({
  fields: fc.oneof(
    { maxDepth: 3 },
    fc.boolean(),
    fc.dictionary(names, tie("fields"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).fields;
const { json: value } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: "binary" }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(null, true, false, '}{"][,:', "\\"),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(names, tie("json"), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

describe("a projection of JSON", () => {
  test("keeps exactly the selected fields of any value", () => {
    fc.assert(
      fc.property(value, fieldsOf, fc.constantFrom(undefined, 2, "\t"), (json, chosen, indent) => {
        const fields = chosen === false ? {} : chosen;
        const wanted = selected(json, fields);
        const text = JSON.stringify(json, null, indent);
        const { value: kept } = built(project(text, fields));
        assert.deepEqual(kept, JSON.parse(JSON.stringify(wanted)));
      }),
    );
  });

  test("returns the items of a path apart, whatever surrounds them", () => {
    fc.assert(
      fc.property(fc.array(value), value, value, (items, before, after) => {
        const list = JSON.stringify({ before, data: { items, more: after }, after });
        const fields = { after: true, data: { items: true, more: true } };
        const { value: head, items: found } = built(project(list, fields, ["data", "items"]));
        assert.deepEqual(found, JSON.parse(JSON.stringify(items)));
        assert.deepEqual(head, JSON.parse(JSON.stringify({ data: { items: [], more: after }, after })));
      }),
    );
  });

  test("splits many items into batches and accepts a list at the top", () => {
    const items = Array.from({ length: 5_000 }, (_, index) => ({
      name: `item-${index}`,
      rest: "x".repeat(50),
    }));
    const projection = project(JSON.stringify(items), { name: true, rest: true }, []);
    assert.ok(projection.batches.length > 5, `${projection.batches.length} batches`);
    assert.deepEqual(built(projection), { value: [], items });
  });

  test("finds fields with escaped names and keeps the last of two", () => {
    const json = '{"st\\u0061tus":{"a":1},"status":{"b":2},"__proto__":{"x":1},"rest":0}';
    assert.deepEqual(built(project(json, { status: true })).value, { status: { b: 2 } });
    assert.deepEqual(built(project('{"\\u0061":1}', { a: true })).value, { a: 1 });
    assert.equal(Object.hasOwn(built(project(json, { __proto__: true })).value, "rest"), false);
  });

  for (const [name, json] of [
    ["an unfinished object", '{"a":{"b":1}'],
    ["an unfinished string", '{"a":"b'],
    ["a wrong bracket", '{"x":[1}}'],
    ["a missing colon", '{"a" 1}'],
    ["a missing comma", '{"a":1 "b":2}'],
    ["a name without quotation marks", "{a:1}"],
    ["two values", "{} {}"],
    ["HTML", "<!doctype html><p>{}</p>"],
    ["nothing", ""],
    ["a missing value", '{"a":}'],
    ["items twice", '{"items":[1],"items":[2]}'],
  ] as const) {
    test(`refuses ${name}`, () => {
      assert.throws(() => {
        const projection = project(json, { a: true, items: true }, ["items"]);
        JSON.parse(projection.head);
      }, JsonFault);
    });
  }

  test("never throws anything but a fault for damaged JSON", () => {
    fc.assert(
      fc.property(value, fieldsOf, fc.nat(), fc.nat(255), (json, fields, at, byte) => {
        const bytes = bytesOf(JSON.stringify({ items: [json, json] }));
        bytes[at % bytes.length] = byte;
        try {
          projectJson(bytes, { fields: { items: fields }, items: ["items"], limits: unlimited });
        } catch (error) {
          assert.ok(error instanceof JsonFault, String(error));
        }
      }),
    );
  });

  test("stops at its limits on bytes, and on the tokens of one item", () => {
    const items = (count: number, tokens: number) =>
      JSON.stringify({ items: Array.from({ length: count }, () => Array.from({ length: tokens }, () => 0)) });
    const exceeds = (limit: string) => (error: unknown) =>
      error instanceof ProjectionExceeded && error.limit === limit;
    const limits = { keptBytes: 10_000, keptTokens: 100 };
    const run = (json: string) => project(json, { items: true }, ["items"], limits);
    run(items(40, 90));
    assert.throws(() => run(items(1, 200)), exceeds("keptTokens"));
    assert.throws(() => run(items(100, 90)), exceeds("keptBytes"));
  });
});
