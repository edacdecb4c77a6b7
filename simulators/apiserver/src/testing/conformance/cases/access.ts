import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import { all, type ConformanceCase, exchange, matches } from "../case.ts";
import {
  configMap,
  configMaps,
  deployment,
  deployments,
  get,
  mergePatch,
  pod,
  pods,
  post,
  remove,
} from "../requests.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}";
const viewer = { name: "viewer" };
const bindingTo = (role: string, subject: string) => ({
  metadata: { name: `${subject}-${role}` },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role },
  subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: subject }],
});
const forbidden = (message: string, details: object) => ({
  status: "Failure",
  message,
  reason: "Forbidden",
  details,
  code: 403,
});

/** Conformance cases for authorization and for components other than the API server. */
export const accessCases: readonly ConformanceCase[] = [
  {
    name: "the 403 response names the missing permission",
    async run(api) {
      const { status, body } = await api.callAs(viewer, get(pods));
      assert.equal(status, 403);
      matches(
        body,
        forbidden(
          `pods is forbidden: User "viewer" cannot list resource "pods" in API group "" in the namespace "${api.namespace}"`,
          { kind: "pods" },
        ),
      );
    },
  },
  {
    name: "the 403 response names the cluster scope of a missing permission",
    async run(api) {
      const { body } = await api.callAs(viewer, get("/apis/apps/v1/deployments"));
      matches(
        body,
        forbidden(
          'deployments.apps is forbidden: User "viewer" cannot list resource "deployments" in API group "apps" at the cluster scope',
          { group: "apps", kind: "deployments" },
        ),
      );
    },
  },
  {
    name: "the 403 response names a forbidden path",
    async run(api) {
      const { body } = await api.callAs(viewer, get("/metrics"));
      matches(body, {
        code: 403,
        reason: "Forbidden",
        message: 'forbidden: User "viewer" cannot get path "/metrics"',
      });
    },
  },
  {
    name: "the role view reads and does not write",
    needsControllers: true,
    async run(api) {
      await all(api, [post(`${rbac}/rolebindings`, bindingTo("view", "viewer"))]);
      assert.equal((await api.callAs(viewer, get(configMaps))).status, 200);
      const { status, body } = await api.callAs(viewer, post(configMaps, configMap("a")));
      assert.equal(status, 403);
      assert.equal(
        scalarStringAt(body, "message"),
        `configmaps is forbidden: User "viewer" cannot create resource "configmaps" in API group "" in the namespace "${api.namespace}"`,
      );
    },
  },
  {
    name: "a user cannot grant permissions that they do not have",
    async run(api) {
      const editor = { name: "editor" };
      await all(api, [
        post(`${rbac}/roles`, {
          metadata: { name: "role-editor" },
          rules: [{ apiGroups: ["rbac.authorization.k8s.io"], resources: ["roles"], verbs: ["create"] }],
        }),
        post(`${rbac}/rolebindings`, {
          ...bindingTo("role-editor", "editor"),
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "role-editor" },
        }),
      ]);
      const role = {
        metadata: { name: "more" },
        rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }],
      };
      const { status, body } = await api.callAs(editor, post(`${rbac}/roles`, role));
      assert.equal(status, 403);
      assert.match(
        scalarStringAt(body, "message"),
        /^roles\.rbac\.authorization\.k8s\.io "more" is forbidden: user "editor" \(groups=\["system:authenticated"\]\) is attempting to grant RBAC permissions not currently held:/,
      );
    },
  },
  {
    name: "the role of a binding is immutable",
    async run(api) {
      const path = `${rbac}/rolebindings`;
      await all(api, [post(path, bindingTo("view", "viewer"))]);
      const { status, body } = await api.call(
        mergePatch(`${path}/viewer-view`, { roleRef: { name: "edit" } }),
      );
      assert.equal(status, 422);
      assert.match(scalarStringAt(body, "message"), /roleRef: Invalid value: .*: cannot change roleRef/s);
    },
  },
  exchange({
    name: "a self subject access review returns 201",
    when: post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
      spec: { resourceAttributes: { verb: "get", resource: "pods", namespace: "{ns}" } },
    }),
    status: 201,
    body: { kind: "SelfSubjectAccessReview", status: { allowed: true } },
  }),
  {
    name: "a subject access review evaluates a different user",
    async run(api) {
      const review = {
        spec: {
          user: "nobody",
          resourceAttributes: { verb: "get", resource: "pods", namespace: api.namespace },
        },
      };
      const { status, body } = await api.call(
        post("/apis/authorization.k8s.io/v1/subjectaccessreviews", review),
      );
      assert.equal(status, 201);
      matches(body, { status: { allowed: false } });
    },
  },
  {
    name: "a self subject review returns the user name and groups",
    async run(api) {
      const who = { name: "jane", groups: ["dev"] };
      const { status, body } = await api.callAs(
        who,
        post("/apis/authentication.k8s.io/v1/selfsubjectreviews", {}),
      );
      assert.equal(status, 201, JSON.stringify(body));
      matches(body, { status: { userInfo: { username: "jane", groups: ["dev", "system:authenticated"] } } });
    },
  },
  {
    name: "a service account token is issued and reviewed",
    async run(api) {
      const accounts = "/api/v1/namespaces/{ns}/serviceaccounts";
      await all(api, [post(accounts, { metadata: { name: "robot" } })]);
      const issued = await all(api, [post(`${accounts}/robot/token`, { spec: {} })]);
      const token = scalarStringAt(issued, "status", "token");
      const review = await all(api, [
        post("/apis/authentication.k8s.io/v1/tokenreviews", { spec: { token } }),
      ]);
      matches(review, {
        status: { authenticated: true, user: { username: `system:serviceaccount:${api.namespace}:robot` } },
      });
    },
  },
  {
    name: "an administrator can impersonate a user",
    async run(api) {
      const { body } = await api.call(get(pods, { "impersonate-user": "mary" }));
      assert.match(
        scalarStringAt(body, "message"),
        /^pods is forbidden: User "mary" cannot list resource "pods"/,
      );
    },
  },
  exchange({
    name: "an evicted pod is deleted",
    given: [post(pods, pod("p"))],
    when: post(`${pods}/p/eviction`, {
      apiVersion: "policy/v1",
      kind: "Eviction",
      metadata: { name: "p", namespace: "{ns}" },
    }),
    status: 201,
    body: { kind: "Status", status: "Success" },
  }),
  exchange({
    name: "the scale subresource returns a Scale",
    given: [post(deployments, deployment("d", 2))],
    when: get(`${deployments}/d/scale`),
    status: 200,
    body: {
      kind: "Scale",
      apiVersion: "autoscaling/v1",
      metadata: { name: "d", namespace: "{ns}" },
      spec: { replicas: 2 },
      status: { selector: "app=d" },
    },
  }),
  exchange({
    name: "the scale subresource sets replicas",
    given: [
      post(deployments, deployment("d", 2)),
      mergePatch(`${deployments}/d/scale`, { spec: { replicas: 3 } }),
    ],
    when: get(`${deployments}/d`),
    status: 200,
    body: { spec: { replicas: 3 }, metadata: { generation: 2 } },
  }),
  {
    name: "a terminating namespace rejects new objects",
    async run(api) {
      await all(api, [post(configMaps, configMap("held", {}, { finalizers: ["example.com/hold"] }))]);
      const namespace = "/api/v1/namespaces/{ns}";
      await all(api, [remove(namespace)]);
      matches((await api.call(get(namespace))).body, {
        metadata: { deletionTimestamp: /Z$/ },
        spec: { finalizers: ["kubernetes"] },
        status: { phase: "Terminating" },
      });
      const { status, body } = await api.call(post(configMaps, configMap("new")));
      await all(api, [mergePatch(`${configMaps}/held`, { metadata: { finalizers: null } })]);
      assert.equal(status, 403);
      matches(body, {
        message: `configmaps "new" is forbidden: unable to create new content in namespace ${api.namespace} because it is being terminated`,
        details: {
          causes: [
            {
              reason: "NamespaceTerminating",
              message: `namespace ${api.namespace} is being terminated`,
              field: "metadata.namespace",
            },
          ],
        },
      });
    },
  },
  {
    name: "dependents are deleted after their owner",
    needsControllers: true,
    async run(api) {
      const owner = await all(api, [post(configMaps, configMap("owner"))]);
      const ownerReferences = [
        { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: scalarStringAt(owner, "metadata", "uid") },
      ];
      await all(api, [post(configMaps, configMap("dependent", {}, { ownerReferences }))]);
      await all(api, [remove(`${configMaps}/owner`)]);
      for (const end = performance.now() + 5_000; ; ) {
        if ((await api.call(get(`${configMaps}/dependent`))).status === 404) return;
        assert.ok(performance.now() < end, "the dependent is still there");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  },
  {
    name: "an orphan remains without its owner reference",
    needsControllers: true,
    async run(api) {
      const owner = await all(api, [post(configMaps, configMap("owner"))]);
      const ownerReferences = [
        { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: scalarStringAt(owner, "metadata", "uid") },
      ];
      await all(api, [post(configMaps, configMap("dependent", {}, { ownerReferences }))]);
      await all(api, [remove(`${configMaps}/owner`, { propagationPolicy: "Orphan" })]);
      for (const end = performance.now() + 5_000; ; ) {
        const { body } = await api.call(get(`${configMaps}/dependent`));
        if ((await api.call(get(`${configMaps}/owner`))).status === 404) {
          matches(body, { metadata: { name: "dependent" } });
          return;
        }
        assert.ok(performance.now() < end, "the owner is still there");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  },
];
