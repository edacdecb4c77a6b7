import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { absent, all, type ConformanceCase, exchange, matches } from "../case.ts";
import {
  apply,
  configMap,
  configMaps,
  deployment,
  deployments,
  get,
  mergePatch,
  post,
  put,
  remove,
} from "../requests.ts";

/** Conformance cases for verbs and metadata that are common to all objects. */
export const objectCases: readonly ConformanceCase[] = [
  exchange({
    name: "a created object has uid, creation time and revision",
    when: post(configMaps, configMap("a", { k: "v" })),
    status: 201,
    body: {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: {
        name: "a",
        namespace: "{ns}",
        uid: /^[0-9a-f-]{36}$/,
        creationTimestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
        resourceVersion: /^[1-9]\d*$/,
        managedFields: [{ operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", manager: /./ }],
      },
      data: { k: "v" },
    },
  }),
  exchange({
    name: "a generated name is the prefix and five characters",
    when: post(configMaps, { metadata: { generateName: "x-" } }),
    status: 201,
    body: { metadata: { name: /^x-[bcdfghjklmnpqrstvwxz2456789]{5}$/, generateName: "x-" } },
  }),
  exchange({
    name: "an object with a spec has generation 1 initially",
    when: post(deployments, deployment("d")),
    status: 201,
    body: { metadata: { generation: 1 }, spec: { replicas: 1 } },
  }),
  exchange({
    name: "a spec change increments the generation",
    given: [post(deployments, deployment("d"))],
    when: mergePatch(`${deployments}/d`, { spec: { replicas: 2 } }),
    status: 200,
    body: { metadata: { generation: 2 } },
  }),
  exchange({
    name: "a label change does not increment the generation",
    given: [post(deployments, deployment("d"))],
    when: mergePatch(`${deployments}/d`, { metadata: { labels: { a: "b" } } }),
    status: 200,
    body: { metadata: { generation: 1, labels: { a: "b" } } },
  }),
  exchange({
    name: "the status changes through its subresource, without the generation",
    given: [post(deployments, deployment("d"))],
    when: mergePatch(`${deployments}/d/status`, { spec: { replicas: 9 }, status: { replicas: 1 } }),
    status: 200,
    body: { metadata: { generation: 1 }, spec: { replicas: 1 }, status: { replicas: 1 } },
  }),
  {
    name: "a write of the main resource does not change the status",
    async run(api) {
      await all(api, [post(deployments, deployment("d"))]);
      const patched = await all(api, [mergePatch(`${deployments}/d`, { status: { replicas: 7 } })]);
      assert.equal(valueAt(patched, "status", "replicas"), undefined);
    },
  },
  {
    name: "an update without changes keeps the revision",
    async run(api) {
      const made = await all(api, [post(configMaps, configMap("a", { k: "v" }))]);
      const same = await all(api, [put(`${configMaps}/a`, made)]);
      assert.equal(
        scalarStringAt(same, "metadata", "resourceVersion"),
        scalarStringAt(made, "metadata", "resourceVersion"),
      );
    },
  },
  {
    name: "an update of an old revision fails with the exact conflict message",
    async run(api) {
      const made = await all(api, [post(configMaps, configMap("a"))]);
      await all(api, [mergePatch(`${configMaps}/a`, { data: { k: "1" } })]);
      const response = await api.call(put(`${configMaps}/a`, { ...Object(made), data: { k: "2" } }));
      assert.deepEqual(response.body, {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message:
          'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
        reason: "Conflict",
        details: { name: "a", kind: "configmaps" },
        code: 409,
      });
    },
  },
  exchange({
    name: "a deletion returns a Status with the deleted object's name",
    given: [post(configMaps, configMap("a"))],
    when: remove(`${configMaps}/a`),
    status: 200,
    body: {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details: { name: "a", kind: "configmaps", uid: /^[0-9a-f-]{36}$/ },
    },
  }),
  {
    name: "a finalizer delays a deletion, and none may be added afterwards",
    async run(api) {
      const path = `${configMaps}/a`;
      await all(api, [post(configMaps, configMap("a", {}, { finalizers: ["example.com/hold"] }))]);
      const marked = await api.call(remove(path));
      assert.equal(marked.status, 200);
      matches(marked.body, {
        kind: "ConfigMap",
        metadata: {
          deletionTimestamp: /Z$/,
          deletionGracePeriodSeconds: 0,
          finalizers: ["example.com/hold"],
        },
      });
      const more = { metadata: { finalizers: ["example.com/hold", "example.com/more"] } };
      const refused = await api.call(mergePatch(path, more));
      assert.equal(refused.status, 422);
      matches(refused.body, {
        reason: "Invalid",
        message:
          'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/more"}',
      });
      await all(api, [mergePatch(path, { metadata: { finalizers: null } })]);
      assert.equal((await api.call(get(path))).status, 404);
    },
  },
  {
    name: "a deletion with a failed precondition returns the exact conflict message",
    async run(api) {
      const made = await all(api, [post(configMaps, configMap("a"))]);
      const uid = scalarStringAt(made, "metadata", "uid");
      const revision = scalarStringAt(made, "metadata", "resourceVersion");
      for (const [preconditions, why] of [
        [
          { uid: "other", resourceVersion: "1" },
          `the UID in the precondition (other) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
        ],
        [
          { uid, resourceVersion: "1" },
          `the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${revision}). The object might have been modified`,
        ],
      ] as const) {
        const response = await api.call(remove(`${configMaps}/a`, { preconditions }));
        assert.equal(response.status, 409);
        matches(response.body, {
          message: `Operation cannot be fulfilled on ConfigMap "a": ${why}`,
          details: { name: "a", kind: "ConfigMap" },
        });
      }
    },
  },
  {
    name: "a dry run returns the result without storing it",
    async run(api) {
      const response = await api.call(post(`${configMaps}?dryRun=All`, configMap("a")));
      assert.equal(response.status, 201);
      matches(response.body, { metadata: { name: "a", uid: /./, resourceVersion: absent } });
      assert.equal((await api.call(get(`${configMaps}/a`))).status, 404);
    },
  },
  exchange({
    name: "a dry run accepts the creation of an object with a resourceVersion",
    when: post(`${configMaps}?dryRun=All`, configMap("a", {}, { resourceVersion: "5" })),
    status: 201,
    body: { metadata: { name: "a", resourceVersion: "5" } },
  }),
  exchange({
    name: "a dry run applies a new object without a revision",
    when: {
      method: "PATCH",
      path: `${configMaps}/a?dryRun=All&fieldManager=m`,
      headers: { "content-type": "application/apply-patch+yaml" },
      body: configMap("a", { k: "v" }),
    },
    status: 201,
    body: { metadata: { name: "a", resourceVersion: absent }, data: { k: "v" } },
  }),
  exchange({
    name: "a dry run of an update keeps the revision",
    given: [post(configMaps, configMap("a"))],
    when: put(`${configMaps}/a?dryRun=All`, configMap("a", { k: "v" })),
    status: 200,
    body: { metadata: { resourceVersion: /^\d+$/ }, data: { k: "v" } },
  }),
  exchange({
    name: "an object may be created from revision 0",
    when: post(configMaps, configMap("a", {}, { resourceVersion: "0" })),
    status: 201,
  }),
  {
    name: "a collection is deleted by selector and returned as a list",
    async run(api) {
      await all(api, [
        post(configMaps, configMap("a", {}, { labels: { go: "yes" } })),
        post(configMaps, configMap("b")),
      ]);
      const response = await api.call(remove(`${configMaps}?labelSelector=go%3Dyes`));
      assert.equal(response.status, 200);
      matches(response.body, { kind: "ConfigMapList", items: [{ metadata: { name: "a" } }] });
      assert.equal((await api.call(get(`${configMaps}/a`))).status, 404);
      assert.equal((await api.call(get(`${configMaps}/b`))).status, 200);
    },
  },
  exchange({
    name: "an unknown field is dropped with a warning",
    when: post(configMaps, { ...configMap("a"), unknown: 1 }),
    status: 201,
    body: { unknown: absent },
    headers: { warning: '299 - "unknown field \\"unknown\\""' },
  }),
  exchange({
    name: "strict validation rejects an unknown field",
    when: post(`${configMaps}?fieldValidation=Strict`, { ...configMap("a"), unknown: 1 }),
    status: 400,
    body: {
      reason: "BadRequest",
      message:
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "unknown"',
    },
  }),
  {
    name: "strict validation rejects a duplicate field",
    async run(api) {
      const body = '{"metadata":{"name":"a"},"data":{"k":"1","k":"2"}}';
      const response = await api.call({ ...post(`${configMaps}?fieldValidation=Strict`, body) });
      assert.equal(response.status, 400);
      assert.match(
        scalarStringAt(response.body, "message"),
        /strict decoding error: duplicate field "data\.k"/,
      );
    },
  },
  {
    name: "immutable data cannot change",
    async run(api) {
      await all(api, [post(configMaps, { ...configMap("a", { k: "v" }), immutable: true })]);
      const response = await api.call(mergePatch(`${configMaps}/a`, { data: { k: "w" } }));
      assert.equal(response.status, 422);
      matches(response.body, {
        message: 'ConfigMap "a" is invalid: data: Forbidden: field is immutable when `immutable` is set',
      });
      assert.equal(valueAt(response.body, "details", "causes") !== undefined, true);
    },
  },
  {
    name: "a namespace in the body of a cluster-scoped object is ignored",
    async run(api) {
      const path = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
      const role = (name: string, labels: object = {}) => ({
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        metadata: { name, namespace: "elsewhere", labels },
      });
      for (const request of [
        post(path, role("{ns}-a")),
        put(`${path}/{ns}-a`, role("{ns}-a", { a: "put" })),
        mergePatch(`${path}/{ns}-a`, { metadata: { namespace: "elsewhere", labels: { a: "patch" } } }),
        apply(`${path}/{ns}-a?fieldManager=m`, role("{ns}-a", { b: "applied" })),
        apply(`${path}/{ns}-b?fieldManager=m`, role("{ns}-b")),
      ]) {
        matches(await all(api, [request]), { metadata: { namespace: absent } });
      }
    },
  },
];
