import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt } from "@keelson/base";
import { absent, all, type ConformanceCase, exchange, matches } from "../case.ts";
import {
  apply,
  configMap,
  configMaps,
  deployment,
  deployments,
  get,
  jsonPatch,
  mergePatch,
  post,
  strategicPatch,
} from "../requests.ts";

const a = `${configMaps}/a`;
const by = (manager: string, force = false) => `${a}?fieldManager=${manager}${force ? "&force=true" : ""}`;

/** Conformance cases for the four patch types. */
export const patchCases: readonly ConformanceCase[] = [
  exchange({
    name: "a merge patch sets fields, and null removes them",
    given: [post(configMaps, configMap("a", { keep: "1", go: "1" }))],
    when: mergePatch(a, { data: { go: null, come: "2" } }),
    status: 200,
    body: { data: { keep: "1", come: "2", go: absent } },
  }),
  exchange({
    name: "operations of a JSON patch treat a missing field as null",
    given: [post(configMaps, configMap("a", { k: "1" }))],
    when: jsonPatch(a, [
      { op: "test", path: "/data/none", value: null },
      { op: "replace", path: "/data/l", value: "2" },
      { op: "copy", from: "/data/none", path: "/data/m" },
    ]),
    status: 200,
    body: { data: { k: "1", l: "2", m: "" } },
  }),
  exchange({
    name: "a JSON patch applies its operations in order",
    given: [post(configMaps, configMap("a", { k: "1" }))],
    when: jsonPatch(a, [
      { op: "test", path: "/data/k", value: "1" },
      { op: "move", from: "/data/k", path: "/data/l" },
      { op: "add", path: "/data/m", value: "2" },
    ]),
    status: 200,
    body: { data: { k: absent, l: "1", m: "2" } },
  }),
  exchange({
    name: "a JSON patch with a failed test is 422",
    given: [post(configMaps, configMap("a", { k: "1" }))],
    when: jsonPatch(a, [{ op: "test", path: "/data/k", value: "2" }]),
    status: 422,
    body: { reason: "Invalid" },
  }),
  exchange({
    name: "a strategic merge patch merges lists by their keys",
    given: [post(deployments, deployment("d"))],
    when: strategicPatch(`${deployments}/d`, {
      spec: { template: { spec: { containers: [{ name: "side", image: "example.com/side:1" }] } } },
    }),
    status: 200,
    body: { spec: { template: { spec: { containers: [{ name: "side" }, { name: "main" }] } } } },
  }),
  exchange({
    name: "a strategic merge patch deletes items by directive",
    given: [post(deployments, deployment("d"))],
    when: strategicPatch(`${deployments}/d`, {
      spec: {
        template: {
          spec: {
            containers: [
              { name: "side", image: "example.com/side:1" },
              { name: "main", $patch: "delete" },
            ],
          },
        },
      },
    }),
    status: 200,
    body: { spec: { template: { spec: { containers: [{ name: "side" }] } } } },
  }),
  exchange({
    name: "a patch of a missing object is 404",
    when: mergePatch(`${configMaps}/none`, {}),
    status: 404,
    body: { reason: "NotFound" },
  }),
  exchange({
    name: "a patch may contain a resourceVersion as precondition",
    given: [post(configMaps, configMap("a"))],
    when: mergePatch(a, { metadata: { resourceVersion: "1" }, data: { k: "v" } }),
    status: 409,
    body: { reason: "Conflict" },
  }),
  {
    name: "concurrent patches are all applied",
    async run(api) {
      await all(api, [post(configMaps, configMap("a"))]);
      const names = Array.from({ length: 40 }, (_, at) => `k${at}`);
      const responses = await Promise.all(
        names.map((name) => api.call(mergePatch(a, { data: { [name]: "v" } }))),
      );
      assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
      matches((await api.call(get(a))).body, { data: Object.fromEntries(names.map((name) => [name, "v"])) });
    },
  },
  exchange({
    name: "an apply creates a missing object",
    when: apply(by("one"), configMap("a", { k: "v" })),
    status: 201,
    body: {
      data: { k: "v" },
      metadata: {
        managedFields: [{ manager: "one", operation: "Apply", fieldsV1: { "f:data": { "f:k": {} } } }],
      },
    },
  }),
  exchange({
    name: "an apply of a field with a different manager returns the exact conflict message",
    given: [apply(by("one"), configMap("a", { k: "v" }))],
    when: apply(by("two"), configMap("a", { k: "w" })),
    status: 409,
    body: {
      status: "Failure",
      message: 'Apply failed with 1 conflict: conflict with "one": .data.k',
      reason: "Conflict",
      details: {
        causes: [{ reason: "FieldManagerConflict", message: 'conflict with "one"', field: ".data.k" }],
      },
      code: 409,
    },
  }),
  exchange({
    name: "a forced apply takes ownership of a field",
    given: [apply(by("one"), configMap("a", { k: "v", l: "v" }))],
    when: apply(by("two", true), configMap("a", { k: "w" })),
    status: 200,
    body: {
      data: { k: "w", l: "v" },
      metadata: {
        managedFields: [
          { manager: "one", fieldsV1: { "f:data": { "f:k": absent, "f:l": {} } } },
          { manager: "two", fieldsV1: { "f:data": { "f:k": {} } } },
        ],
      },
    },
  }),
  exchange({
    name: "fields that a manager no longer applies are removed, unless they have a second manager",
    given: [
      apply(by("one"), configMap("a", { mine: "1", ours: "2" })),
      apply(by("two"), configMap("a", { ours: "2" })),
    ],
    when: apply(by("one"), configMap("a", {})),
    status: 200,
    body: { data: { mine: absent, ours: "2" } },
  }),
  {
    name: "a repeated apply changes neither revision nor time",
    async run(api) {
      const first = await all(api, [apply(by("one"), configMap("a", { k: "v" }))]);
      const again = await all(api, [apply(by("one"), configMap("a", { k: "v" }))]);
      matches(again, {
        metadata: {
          resourceVersion: scalarStringAt(first, "metadata", "resourceVersion"),
          managedFields: listAt(first, "metadata", "managedFields"),
        },
      });
    },
  },
  exchange({
    name: "an apply without a manager is 422",
    when: apply(a, configMap("a")),
    status: 422,
    body: { message: /fieldManager: Required value: is required for apply patch/ },
  }),
  exchange({
    name: "an applied object with managed fields is 400",
    when: apply(by("one"), configMap("a", {}, { managedFields: [{ manager: "x" }] })),
    status: 400,
    body: { message: /metadata\.managedFields must be nil/ },
  }),
  {
    name: "an apply accepts YAML",
    async run(api) {
      const response = await api.call(
        apply(by("one"), "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n"),
      );
      assert.equal(response.status, 201, response.text);
      matches((await api.call(get(a))).body, { data: { k: "v" } });
    },
  },
];
