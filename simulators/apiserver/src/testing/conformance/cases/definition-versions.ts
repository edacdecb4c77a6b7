import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import type { Api } from "../api.ts";
import { all, type ConformanceCase, matches } from "../case.ts";
import { get, mergePatch, post, put, remove } from "../requests.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const path = `${definitions}/things.{ns}.example.com`;
const withinMs = 300_000;
const pollMs = 20;

const version = (name: string, properties: object, extra: object = {}) => ({
  name,
  served: true,
  storage: false,
  schema: {
    openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties } } },
  },
  ...extra,
});
const stored = { storage: true };
const text = (value?: string) => ({ type: "string", ...(value === undefined ? {} : { default: value }) });

const things = (name: string) => `/apis/{ns}.example.com/${name}/namespaces/{ns}/things`;
const thing = (at: string, name: string, spec: object = {}) => ({
  apiVersion: `{ns}.example.com/${at}`,
  kind: "Thing",
  metadata: { name },
  spec,
});

/** Creates the case's definition with these versions. Waits until all served versions are available. */
async function install(api: Api, versions: readonly { readonly name: string; readonly served: boolean }[]) {
  const group = "{ns}.example.com";
  const names = { plural: "things", kind: "Thing" };
  await all(api, [
    post(definitions, {
      metadata: { name: `things.${group}` },
      spec: { group, scope: "Namespaced", names, versions },
    }),
  ]);
  for (const { name, served } of versions) if (served) await answered(api, things(name), 200);
}

async function answered(api: Api, url: string, status: number): Promise<void> {
  await eventually(
    async () => (await api.call(get(url))).status === status,
    `${url} did not return ${status}`,
  );
}

async function eventually(holds: () => Promise<boolean>, message: string): Promise<void> {
  for (const end = performance.now() + withinMs; !(await holds()); ) {
    assert.ok(performance.now() < end, message);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Returns the frames of a watch. The server ends the watch after `change`. */
async function untilEnd(api: Api, url: string, change: () => Promise<unknown>): Promise<readonly unknown[]> {
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), withinMs).unref());
  const frames = await Promise.race([api.watch(url, Number.POSITIVE_INFINITY, change), late]);
  assert.ok(frames, "the watch did not end");
  return frames;
}

async function specs(api: Api, at: string): Promise<readonly unknown[]> {
  const { body } = await api.call(get(things(at)));
  return listAt(body, "items").map((each) => valueAt(each, "spec"));
}

async function warningsOf(api: Api, at: string): Promise<readonly unknown[]> {
  const name = `w-${at}`;
  const made = await api.call(post(things(at), thing(at, name)));
  const changed = { ...thing(at, name), metadata: { name, labels: { a: "b" } } };
  const responses = [
    made,
    await api.call(get(things(at))),
    await api.call(get(`${things(at)}/${name}`)),
    await api.call(get(`${things(at)}/none`)),
    await api.call(put(`${things(at)}/none`, changed)),
    await api.call(mergePatch(`${things(at)}/${name}`, { metadata: { labels: { a: "b" } } })),
    await api.call(remove(`${things(at)}/${name}`)),
    await api.call(remove(things(at))),
  ];
  return [...new Set(responses.map(({ headers }) => headers.warning))];
}

/** Conformance cases for versions of a definition: conversion between versions and schema changes. */
export const definitionVersionCases: readonly ConformanceCase[] = [
  {
    name: "a watch ends when the schema changes, and continues when only labels do",
    async run(api) {
      await install(api, [version("v1", { a: text() }, stored)]);
      await all(api, [post(things("v1"), thing("v1", "one"))]);
      const url = `${things("v1")}?watch=1&resourceVersion=0`;
      const frames = await untilEnd(api, url, async () => {
        await all(api, [
          mergePatch(path, { metadata: { labels: { a: "b" } } }),
          post(things("v1"), thing("v1", "two")),
          mergePatch(path, { spec: { versions: [version("v1", { a: text(), b: text() }, stored)] } }),
        ]);
      });
      assert.deepEqual(
        frames.map((each) => [
          scalarStringAt(each, "type"),
          scalarStringAt(each, "object", "metadata", "name"),
        ]),
        [
          ["ADDED", "one"],
          ["ADDED", "two"],
        ],
      );
    },
  },
  {
    name: "watches end when their version is no longer served or the definition is deleted",
    async run(api) {
      const [v1, v2] = [version("v1", {}, stored), version("v2", {})];
      await install(api, [v1, v2]);
      await untilEnd(api, `${things("v2")}?watch=1`, () =>
        all(api, [mergePatch(path, { spec: { versions: [v1, { ...v2, served: false }] } })]),
      );
      await answered(api, `${things("v2")}?watch=1`, 404);
      await untilEnd(api, `${things("v1")}?watch=1`, () => all(api, [remove(path)]));
      await answered(api, things("v1"), 404);
    },
  },
  {
    name: "an object has the defaults of the request version and of the storage version",
    async run(api) {
      const nullable = { ...text("null"), nullable: true };
      await install(api, [
        version("v1", { a: text("a1"), one: text("one"), no: text("no"), may: nullable }, stored),
        version("v2", { a: text("a2"), two: text("two"), no: text(), may: { ...text(), nullable: true } }),
      ]);
      const nulls = { no: null, may: null };
      await all(api, [post(things("v1"), thing("v1", "by-v1", nulls))]);
      const made = await all(api, [post(things("v2"), thing("v2", "by-v2", nulls))]);
      // Fields that version 1 does not have are not stored. Fields that version 2 does not have are not returned.
      assert.deepEqual(valueAt(made, "spec"), { a: "a2", no: "no", may: null });
      assert.deepEqual(await specs(api, "v1"), [
        { a: "a1", one: "one", no: "no", may: null },
        { a: "a2", one: "one", no: "no", may: null },
      ]);
      assert.deepEqual(await specs(api, "v2"), [
        { a: "a1", no: "no", may: null },
        { a: "a2", no: "no", may: null },
      ]);
      const frames = await api.watch(`${things("v2")}?watch=1&resourceVersion=0`, 2);
      assert.deepEqual(
        frames.map((each) => valueAt(each, "object", "spec")),
        await specs(api, "v2"),
      );
    },
  },
  {
    name: "a version without nullable omits a null, unless the field has a default",
    async run(api) {
      const nullable = { ...text(), nullable: true };
      const deep = (each: object) => ({ type: "array", items: { type: "object", properties: { it: each } } });
      await install(api, [
        version("v1", { no: nullable, may: nullable, has: nullable, deep: deep(nullable) }, stored),
        version("v2", { no: text(), may: nullable, has: text("two"), deep: deep(text()) }),
      ]);
      const nulls = { no: null, may: null, has: null, deep: [{ it: null }] };
      await all(api, [post(things("v1"), thing("v1", "nulls", nulls))]);
      assert.deepEqual(await specs(api, "v1"), [nulls]);
      assert.deepEqual(await specs(api, "v2"), [{ may: null, has: null, deep: [{}] }]);
    },
  },
  {
    name: "an object in a former storage version has the defaults of that version",
    async run(api) {
      await install(api, [version("v1", { a: text() }, stored), version("v2", { a: text() })]);
      await all(api, [
        post(things("v1"), {
          ...thing("v1", "kept"),
          metadata: { name: "kept", finalizers: ["example.com/f"] },
        }),
        mergePatch(path, {
          spec: {
            versions: [
              version("v1", { a: text(), late: text("v1"), both: text("of v1") }),
              version("v2", { a: text(), both: text("of v2"), three: text("v2") }, stored),
            ],
          },
        }),
      ]);
      const isRead = async () =>
        (await specs(api, "v1")).some((spec) => scalarStringAt(spec, "late") === "v1");
      await eventually(isRead, "the new schema is not read by");
      assert.deepEqual(await specs(api, "v1"), [{ late: "v1", both: "of v1" }]);
      assert.deepEqual(await specs(api, "v2"), [{ both: "of v1" }]);
      // The object has a finalizer, so its deletion only sets the deletion timestamp. This write stores the object in the new
      // version.
      const marked = await all(api, [remove(`${things("v2")}/kept`)]);
      assert.equal(scalarStringAt(marked, "apiVersion"), `${api.namespace}.example.com/v2`);
      assert.deepEqual(await specs(api, "v2"), [{ both: "of v1", three: "v2" }]);
      await all(api, [mergePatch(`${things("v2")}/kept`, { metadata: { finalizers: null } })]);
    },
  },
  {
    name: "every response of a deprecated version has a warning with the best newer version",
    async run(api) {
      const deprecated = { deprecated: true };
      const inItsWords = { ...deprecated, deprecationWarning: 'gone "soon"' };
      await install(api, [
        version("v1alpha1", {}, deprecated),
        version("v1beta1", {}, inItsWords),
        version("v1beta2", {}),
        version("v1beta3", {}),
        version("v1", {}, { ...stored, ...deprecated }),
        version("v2", {}, { served: false }),
        version("v3alpha1", {}),
      ]);
      const group = `${api.namespace}.example.com`;
      assert.deepEqual(await warningsOf(api, "v1alpha1"), [
        `299 - "${group}/v1alpha1 Thing is deprecated; use ${group}/v1beta3 Thing"`,
      ]);
      assert.deepEqual(await warningsOf(api, "v1beta1"), ['299 - "gone \\"soon\\""']);
      assert.deepEqual(await warningsOf(api, "v1"), [`299 - "${group}/v1 Thing is deprecated"`]);
      assert.deepEqual(await warningsOf(api, "v3alpha1"), [undefined]);
    },
  },
  {
    name: "OpenAPI documents list the selectable fields",
    async run(api) {
      const fields = { selectableFields: [{ jsonPath: ".spec.colour" }, { jsonPath: ".spec.size" }] };
      await install(api, [
        version("v1", { colour: text(), size: { type: "integer" } }, { ...stored, ...fields }),
        version("v2", {}),
      ]);
      const named = [{ fieldPath: "spec.colour" }, { fieldPath: "spec.size" }];
      const prefix = `com.example.${api.namespace}`;
      const schemas = async (at: string) => {
        const { body } = await api.call(get(`/openapi/v3/apis/{ns}.example.com/${at}`));
        return valueAt(body, "components", "schemas");
      };
      await eventually(
        async () => valueAt(await schemas("v1"), `${prefix}.v1.Thing`) !== undefined,
        "version 3 lacks the kind",
      );
      const published = async () => valueAt((await api.call(get("/openapi/v2"))).body, "definitions");
      await eventually(
        async () => valueAt(await published(), `${prefix}.v1.Thing`) !== undefined,
        "version 2 lacks the kind",
      );
      const extension = "x-kubernetes-selectable-fields";
      for (const documents of [await schemas("v1"), await published()]) {
        for (const kind of ["Thing", "ThingList"]) {
          assert.deepEqual(valueAt(documents, `${prefix}.v1.${kind}`, extension), named, kind);
        }
      }
      assert.equal(valueAt(await schemas("v2"), `${prefix}.v2.Thing`, extension), undefined);
    },
  },
  ...Object.entries({
    ".spec.list[0]": "is an invalid path: array notation is not allowed",
    ".spec['colour']": "is an invalid path: array notation is not allowed",
    ".spec.none[0]": "is an invalid path: does not refer to a valid field",
    ".spec.": "is an invalid path: unexpected end of JSON path",
    "spec.colour": "is an invalid path: expected [ or . but got: spec",
    ".metadata.name": "is an invalid path: does not refer to a valid field",
    ".spec.number":
      "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.",
  }).map(
    ([jsonPath, why]): ConformanceCase => ({
      name: `${jsonPath} cannot be a selectable field`,
      async run(api) {
        const properties = {
          colour: text(),
          number: { type: "number" },
          list: { type: "array", items: text() },
        };
        const group = "{ns}.example.com";
        const own = version("v1", properties, { ...stored, selectableFields: [{ jsonPath }] });
        const { body } = await api.call(
          post(definitions, {
            metadata: { name: `things.${group}` },
            spec: { group, scope: "Namespaced", names: { plural: "things", kind: "Thing" }, versions: [own] },
          }),
        );
        matches(body, {
          code: 422,
          details: {
            causes: [
              {
                field: "spec.selectableFields[0].jsonPath",
                message: `Invalid value: ${JSON.stringify(jsonPath)}: ${why}`,
              },
            ],
          },
        });
      },
    }),
  ),
];
