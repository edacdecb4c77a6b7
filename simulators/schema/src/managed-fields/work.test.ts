import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type FieldSet,
  type KubeObject,
  leaf,
  type ManagedFieldsEntry,
  unionOf,
} from "@keelson/apimachinery";
import { Readings } from "@keelson/apimachinery/testing";
import { applyInPhases, applyObject } from "./apply.ts";
import { conflictError } from "./conflict.ts";
import { type FieldSchema, leafSchema } from "./field-schema.ts";
import { newFields } from "./fields-of.ts";

const writer = { manager: "m", subresource: "", apiVersion: "v1", now: "2026-01-01T00:00:00Z" };
const entry = (manager: string, fieldsV1: FieldSet): ManagedFieldsEntry => ({
  manager,
  operation: "Apply",
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1,
});

test("the cost of a repeated list apply is linear", () => {
  const size = 2_000;
  const readings = new Readings();
  const items: FieldSchema = {
    kind: "struct",
    fields: new Map([
      ["name", leafSchema],
      ["value", leafSchema],
    ]),
    others: undefined,
    implicitFields: new Set(),
  };
  const schema: FieldSchema = {
    kind: "struct",
    fields: new Map<string, FieldSchema>([["list", { kind: "list", keys: ["name"], defaults: {}, items }]]),
    others: undefined,
    implicitFields: new Set(),
  };
  const object = (): KubeObject => ({
    apiVersion: "v1",
    kind: "Thing",
    metadata: { name: "a" },
    list: Array.from({ length: size }, (_, at) => readings.of({ name: `n${at}`, value: at })),
  });
  const common = { writer, force: false, schema, viewIn: () => undefined };
  const first = applyObject({ ...common, live: undefined, applied: object(), managers: [] });
  readings.count = 0;
  applyObject({ ...common, live: first.object, applied: object(), managers: first.managers });
  assert.ok(readings.count < 60 * size, `${readings.count} readings`);
});

test("a long list is applied in parts of some thousand items", () => {
  const size = 20_000;
  const keyed: FieldSchema = {
    kind: "list",
    keys: ["name"],
    defaults: {},
    items: { kind: "map", values: leafSchema },
  };
  const schema: FieldSchema = {
    kind: "struct",
    fields: new Map([["list", keyed]]),
    others: undefined,
    implicitFields: new Set(),
  };
  const readings = new Readings();
  const object = (from: number): KubeObject => ({
    apiVersion: "v1",
    kind: "Thing",
    metadata: { name: "a" },
    list: Array.from({ length: size }, (_, at) => readings.of({ name: `n${from + at}`, value: from })),
  });
  const common = {
    writer,
    force: false,
    schema,
    viewIn: () => ({ schema, show: (each: KubeObject) => each }),
  };
  const first = applyObject({ ...common, live: undefined, applied: object(0), managers: [] });
  const other = { ...writer, manager: "other" };
  const changed = { ...common, writer: other, force: true, live: first.object, managers: first.managers };
  for (const request of [
    { ...changed, applied: object(10_000) },
    { ...changed, writer, applied: object(10_000) },
  ]) {
    const phases = applyInPhases(request);
    let most = 0;
    for (let done = false; !done; ) {
      readings.count = 0;
      done = phases.next().done ?? false;
      most = Math.max(most, readings.count);
    }
    assert.ok(most < 6 * 2_000, `${most} readings at once`);
  }
});

test("the fields of a wide object are collected in parts", () => {
  const schema: FieldSchema = { kind: "map", values: leafSchema };
  const object = Object.fromEntries(Array.from({ length: 39_000 }, (_, at) => [`k${at}`, at]));
  const phases = newFields(schema, object);
  let parts = 1;
  let step = phases.next();
  for (; !step.done; parts++) step = phases.next();
  assert.ok(parts >= 15, `${parts} parts`);
  assert.equal(Object.keys(step.value).length, 39_000);
});

test("the fields of many managers are merged without repeated copies", () => {
  let copies = 0;
  const counted = (name: string): FieldSet =>
    new Proxy<FieldSet>(
      { [name]: leaf },
      {
        get: (target, element) => {
          copies++;
          return Reflect.get(target, element);
        },
      },
    );
  const sets = Array.from({ length: 2_000 }, (_, at) => counted(`f:${at}`));
  assert.equal(Object.keys(unionOf(sets)).length, 2_000);
  assert.ok(copies < 20 * sets.length, `${copies} copies`);
});

test("a conflict over tens of thousands of fields lists a limited number of them", () => {
  const fields = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`f:${at}`, leaf]));
  const error = conflictError([{ entry: entry("other", fields), fields }]);
  assert.equal(error.details?.causes?.length, 100);
  assert.match(error.message, /^Apply failed with 40000 conflicts: /);
  assert.ok(error.message.length < 20_000, String(error.message.length));
});
