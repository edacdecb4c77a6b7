import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { stringsAt } from "@keelson/base";
import type { Api } from "../api.ts";
import { absent, all, type ConformanceCase, exchange, matches } from "../case.ts";
import {
  configMap,
  configMaps,
  get,
  mergePatch,
  pod,
  pods,
  post,
  put,
  remove,
  serviceAccounts,
} from "../requests.ts";

const namespaces = "/api/v1/namespaces";
const own = `${namespaces}/{ns}`;
const held = post(configMaps, configMap("held", {}, { finalizers: ["example.com/held"] }));
/** Requests that create a terminating namespace. A pod in the namespace delays the removal. */
const terminating = [held, post(pods, pod("p", { finalizers: ["example.com/held"] })), remove(own)];
const refused = (what: string) => ({
  reason: "Forbidden",
  message: `${what} is forbidden: unable to create new content in namespace {ns} because it is being terminated`,
  details: {
    causes: [
      {
        reason: "NamespaceTerminating",
        message: "namespace {ns} is being terminated",
        field: "metadata.namespace",
      },
    ],
  },
});
const named = (spec: object, metadata: object = {}) => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "{ns}", ...metadata },
  spec,
});

/** Conformance cases for the lifecycle of namespaces and their content. */
export const namespaceCases: readonly ConformanceCase[] = [
  ...["default", "kube-system", "kube-public"].map((name) =>
    exchange({
      name: `the namespace ${name} may not be deleted`,
      when: remove(`${namespaces}/${name}`),
      status: 403,
      body: { message: `namespaces "${name}" is forbidden: this namespace may not be deleted` },
    }),
  ),
  exchange({
    name: "a missing namespace is 404, even for an invalid object",
    when: post(`${namespaces}/{ns}-no/pods`, { metadata: { name: "a" } }),
    status: 404,
    body: { reason: "NotFound", message: 'namespaces "{ns}-no" not found' },
  }),
  exchange({
    name: "a namespace with remaining content is terminating, without a grace period",
    given: [held],
    when: remove(own),
    status: 200,
    body: {
      kind: "Namespace",
      metadata: { deletionTimestamp: /Z$/, deletionGracePeriodSeconds: absent },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Terminating" },
    },
  }),
  exchange({
    name: "a terminating namespace rejects new objects of all kinds",
    given: terminating,
    when: post(configMaps, configMap("a")),
    status: 403,
    body: refused('configmaps "a"'),
  }),
  exchange({
    name: "the error for a generated name contains its prefix",
    given: terminating,
    when: post(configMaps, { metadata: { generateName: "a-" } }),
    status: 403,
    body: refused('configmaps "a-"'),
  }),
  exchange({
    name: "a terminating namespace rejects tokens",
    given: terminating,
    when: post(`${serviceAccounts}/default/token`, { spec: {} }),
    status: 403,
    body: refused('serviceaccounts "default"'),
  }),
  exchange({
    name: "a terminating namespace rejects evictions",
    given: terminating,
    when: post(`${pods}/p/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } }),
    status: 403,
    body: refused('pods "p"'),
  }),
  exchange({
    name: "a terminating namespace rejects bindings",
    given: terminating,
    when: post(`${pods}/p/binding`, { metadata: { name: "p" }, target: { kind: "Node", name: "n" } }),
    status: 403,
    body: refused('pods "p"'),
  }),
  exchange({
    name: "objects in a terminating namespace may change",
    given: terminating,
    when: mergePatch(`${configMaps}/held`, { data: { a: "b" } }),
    status: 200,
    body: { data: { a: "b" } },
  }),
  exchange({
    name: "the phase of a terminating namespace is unchanged",
    given: terminating,
    when: mergePatch(`${own}/status`, { status: { phase: "Active" } }),
    status: 422,
    body: {
      details: {
        causes: [
          {
            field: "status.Phase",
            message:
              "Invalid value: \"Active\": may only be 'Terminating' if `deletionTimestamp` is not empty",
          },
        ],
      },
    },
  }),
  exchange({
    name: "a namespace may be created with additional finalizers",
    when: post(`${namespaces}?dryRun=All`, {
      metadata: { name: "{ns}-other" },
      spec: { finalizers: ["example.com/mine"] },
    }),
    status: 201,
    body: { spec: { finalizers: ["example.com/mine", "kubernetes"] }, status: { phase: "Active" } },
  }),
  exchange({
    name: "finalize changes the finalizers and labels of a namespace",
    when: put(
      `${own}/finalize`,
      named({ finalizers: ["kubernetes", "example.com/mine"] }, { labels: { a: "b" } }),
    ),
    status: 200,
    body: { metadata: { labels: { a: "b" } }, spec: { finalizers: ["kubernetes", "example.com/mine"] } },
  }),
  exchange({
    name: "an update does not change the finalizers of a namespace",
    when: mergePatch(own, { spec: { finalizers: [] } }),
    status: 200,
    body: { spec: { finalizers: ["kubernetes"] } },
  }),
  exchange({
    name: "finalizers of a namespace must be standard or qualified",
    when: put(`${own}/finalize`, named({ finalizers: ["mine"] })),
    status: 422,
    body: {
      details: {
        causes: [
          {
            field: "spec.finalizers[0]",
            message:
              'Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
          },
        ],
      },
    },
  }),
  {
    name: "a terminating namespace is removed with its last finalizer",
    async run(api) {
      await all(api, [put(`${own}/finalize`, named({ finalizers: ["example.com/mine"] })), remove(own)]);
      const last = await api.call(put(`${own}/finalize`, named({})));
      matches(last, {
        status: 200,
        body: { spec: { finalizers: absent }, status: { phase: "Terminating" } },
      });
      matches(await api.call(get(own)), { status: 404 });
    },
  },
  {
    name: "an empty namespace with finalizers reports that its content is deleted",
    needsControllers: true,
    async run(api) {
      await all(api, [
        put(`${own}/finalize`, named({ finalizers: ["kubernetes", "example.com/mine"] })),
        remove(own),
      ]);
      const found = await untilEmptied(api);
      matches(found, {
        spec: { finalizers: ["example.com/mine"] },
        status: {
          conditions: [
            { type: "NamespaceDeletionDiscoveryFailure", status: "False" },
            { type: "NamespaceDeletionGroupVersionParsingFailure", status: "False" },
            { type: "NamespaceDeletionContentFailure", status: "False" },
            { type: "NamespaceContentRemaining", status: "False", reason: "ContentRemoved" },
            { type: "NamespaceFinalizersRemaining", status: "False", reason: "ContentHasNoFinalizers" },
          ],
        },
      });
    },
  },
];

/** Waits until only finalizers of other components delay the namespace's removal. Returns the namespace. */
async function untilEmptied(api: Api): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    const { body } = await api.call(get(own));
    if (!stringsAt(body, "spec", "finalizers").includes("kubernetes")) return body;
    assert.ok(attempt < 1_000, `the namespace is not emptied: ${JSON.stringify(body)}`);
    await delay(10);
  }
}
