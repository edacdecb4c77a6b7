import assert from "node:assert/strict";
import { test } from "node:test";
import { apiVersionOf, type KubeObject } from "@keelson/kube";
import { imageStreams } from "../resources/resources.ts";
import { failingTags } from "./failing-tags.ts";

function stream(members: object): KubeObject {
  return {
    apiVersion: apiVersionOf(imageStreams),
    kind: imageStreams.kind,
    metadata: { name: "ruby" },
    ...members,
  };
}
const failure = (generation: number | undefined, message = `failed at ${generation}`) => ({
  type: "ImportSuccess",
  status: "False",
  message,
  ...(generation === undefined ? {} : { generation }),
});
const success = (generation: number) => ({ type: "ImportSuccess", status: "True", generation });
const sample = stream({ spec: { tags: [{ name: "3.3" }, { name: "latest" }] } });

/** Tags in the status of a stream, and the expected message of each failed tag. */
const rows: Readonly<Record<string, readonly [unknown, Readonly<Record<string, string>>]>> = {
  "no status": [undefined, {}],
  "no tags": [[], {}],
  "no conditions": [[{ tag: "3.3", items: [] }], {}],
  "the newest failed": [[{ tag: "3.3", conditions: [failure(2)] }], { "3.3": "failed at 2" }],
  "an older one failed": [[{ tag: "3.3", conditions: [failure(1), success(2)] }], {}],
  "it failed at the generation of the newest": [
    [{ tag: "3.3", conditions: [success(2), failure(2)] }],
    { "3.3": "failed at 2" },
  ],
  "it failed twice": [[{ tag: "3.3", conditions: [failure(3), failure(2)] }], { "3.3": "failed at 3" }],
  "it failed without a generation": [[{ tag: "3.3", conditions: [failure(undefined)] }], {}],
  "it failed without a message": [
    [{ tag: "3.3", conditions: [{ status: "False", generation: 1 }] }],
    { "3.3": "" },
  ],
  "a retired tag failed": [[{ tag: "2.7", conditions: [failure(1)] }], {}],
  "one of two failed": [
    [
      { tag: "3.3", conditions: [success(1)] },
      { tag: "latest", conditions: [failure(1)] },
    ],
    { latest: "failed at 1" },
  ],
  "what the status has is no list": ["nothing", {}],
  "an entry is no object": [[null, 7, { conditions: "x" }], {}],
};

for (const [what, [tags, expected]] of Object.entries(rows))
  test(`${what}: ${Object.keys(expected).join(", ") || "none"} fails`, () =>
    assert.deepEqual(Object.fromEntries(failingTags(stream({ status: { tags } }), sample)), expected));
