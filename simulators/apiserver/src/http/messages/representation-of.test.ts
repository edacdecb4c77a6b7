import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { builtinTypes } from "@keelson/kinds";
import { encodeObject } from "../../storage/stored-object.ts";
import type { Acceptance } from "./negotiation.ts";
import { representationOf } from "./representation-of.ts";

const type = builtinTypes.find(({ kind }) => kind === "ConfigMap");
assert.ok(type);
const resource = {
  type,
  bucket: "/configmaps",
  listKind: "ConfigMapList",
  storageApiVersion: "v1",
  custom: undefined,
};
const objects = Array.from({ length: 100 }, (_, at) =>
  encodeObject(`default/m${at}`, at + 1, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `m${at}`, namespace: "default" },
    data: { a: "x".repeat(10_000) },
  }),
);
const page = { objects, revision: 100, continueToken: undefined, remaining: undefined };

describe("a list of a megabyte is encoded in parts", () => {
  const forms: readonly Acceptance[] = [
    { media: "json", as: "object", metaVersion: "v1" },
    { media: "json", as: "Table", metaVersion: "v1" },
    { media: "json", as: "PartialObjectMetadataList", metaVersion: "v1" },
    { media: "protobuf", as: "object", metaVersion: "v1" },
  ];
  for (const form of forms) {
    test(`as ${form.media}, ${form.as}`, () => {
      const phases = representationOf(resource, form, "Metadata", () => new Date()).list(page);
      let parts = 1;
      let step = phases.next();
      for (; !step.done; parts++) step = phases.next();
      assert.ok(parts >= 7, `${parts} parts`);
      const bytes = step.value;
      if (form.media === "protobuf") {
        assert.ok(bytes.indexOf("\x02m0") < bytes.indexOf("\x03m99"));
        assert.ok(bytes.length > 1_000_000);
        return;
      }
      const { items, rows } = JSON.parse(bytes.toString());
      assert.deepEqual(
        (items ?? rows).map(
          (each: { readonly object?: typeof each; readonly metadata: { name: string } }) =>
            (each.object ?? each).metadata.name,
        ),
        objects.map(({ object }) => object.metadata.name),
      );
    });
  }
});
