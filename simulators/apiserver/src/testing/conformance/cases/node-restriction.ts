import assert from "node:assert/strict";
import { scalarStringAt } from "@keelson/apimachinery";
import type { Api, Request } from "../api.ts";
import { all, type ConformanceCase, matches } from "../case.ts";
import { get, mergePatch, pod, pods, post, remove, serviceAccounts } from "../requests.ts";

const nodes = "/api/v1/nodes";
const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
const own = "node-{ns}";
const mirror = { annotations: { "kubernetes.io/config.mirror": "x" } };

/** Sends a request as a kubelet. The kubelet has all permissions, so only admission can reject the request. */
const asKubelet = (api: Api, request: Request) =>
  api.callAs(
    { name: `system:node:node-${api.namespace}`, groups: ["system:nodes", "system:masters"] },
    request,
  );

interface Attempt {
  readonly name: string;
  readonly given?: readonly Request[];
  readonly when: Request;
  /** Part of the expected error message after `is forbidden: `. Undefined if the request must be accepted. */
  readonly why?: string;
}

const node = (name: string, labels: object = {}, more: object = {}) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, labels, ...more },
});
const bound = (name: string, nodeName: string) => post(pods, pod(name, {}, { nodeName }));
const status = (name: string, body: object) => mergePatch(`${pods}/${name}/status`, body);
const eviction = (name: string) =>
  post(`${pods}/${name}/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name } });
const mirrored = (spec: object, ownerReferences: readonly object[] = []) =>
  post(pods, pod("m", { ...mirror, ownerReferences }, spec));
const owner = (more: object = {}) => ({ apiVersion: "v1", kind: "Node", name: own, uid: "u", ...more });
const onlySelf = `node "${own}" can only`;

const attempts: readonly Attempt[] = [
  {
    name: "creates its own node",
    when: post(nodes, node(own, { "kubernetes.io/hostname": "h", mine: "1" })),
  },
  {
    name: "creates a different node",
    when: post(nodes, node("other-{ns}")),
    why: `node "${own}" is not allowed to modify node "other-{ns}"`,
  },
  {
    name: "creates its node with restricted labels",
    when: post(
      nodes,
      node(own, { "node-restriction.kubernetes.io/a": "1", "x.k8s.io/b": "1", "node.kubernetes.io/c": "1" }),
    ),
    why: `node "${own}" is not allowed to set the following labels: node-restriction.kubernetes.io/a, x.k8s.io/b`,
  },
  {
    name: "sets permitted labels of its node",
    given: [post(nodes, node(own))],
    when: mergePatch(`${nodes}/${own}`, { metadata: { labels: { "kubelet.kubernetes.io/a": "1" } } }),
  },
  {
    name: "sets a control plane label of its node",
    given: [post(nodes, node(own))],
    when: mergePatch(`${nodes}/${own}`, {
      metadata: { labels: { "node-role.kubernetes.io/control-plane": "" } },
    }),
    why: "is not allowed to modify labels: node-role.kubernetes.io/control-plane",
  },
  {
    name: "removes the taints of its node",
    given: [post(nodes, node(own))],
    when: mergePatch(`${nodes}/${own}`, { spec: { taints: null } }),
    why: `node "${own}" is not allowed to modify taints`,
  },
  {
    name: "sets an owner of its node",
    given: [post(nodes, node(own))],
    when: mergePatch(`${nodes}/${own}`, {
      metadata: { ownerReferences: [{ apiVersion: "v1", kind: "ConfigMap", name: "c", uid: "u" }] },
    }),
    why: `node "${own}" is not allowed to modify ownerReferences`,
  },
  {
    name: "deletes a different node",
    given: [post(nodes, node("other-{ns}"))],
    when: remove(`${nodes}/other-{ns}`),
    why: `node "${own}" is not allowed to modify node "other-{ns}"`,
  },
  { name: "deletes its own node", given: [post(nodes, node(own))], when: remove(`${nodes}/${own}`) },
  {
    name: "creates a pod that is not a mirror pod",
    when: post(pods, pod("m", {}, { nodeName: own })),
    why: `pod does not have "kubernetes.io/config.mirror" annotation, node "${own}" can only create mirror pods`,
  },
  {
    name: "creates a mirror pod of a different node",
    when: mirrored({ nodeName: "other" }),
    why: `${onlySelf} create pods with spec.nodeName set to itself`,
  },
  {
    name: "creates a mirror pod without an owner",
    when: mirrored({ nodeName: own }),
    why: `${onlySelf} create pods with an owner reference set to itself`,
  },
  {
    name: "creates a mirror pod with two owners",
    when: mirrored({ nodeName: own }, [owner(), owner({ name: "other", uid: "v" })]),
    why: `${onlySelf} create pods with a single owner reference set to itself`,
  },
  {
    name: "creates a mirror pod with an owner that is not its controller",
    when: mirrored({ nodeName: own }, [owner()]),
    why: `${onlySelf} create pods with a controller owner reference set to itself`,
  },
  {
    name: "creates a mirror pod that blocks the deletion of its node",
    when: mirrored({ nodeName: own }, [owner({ controller: true, blockOwnerDeletion: true })]),
    why: `node "${own}" must not set blockOwnerDeletion on an owner reference`,
  },
  {
    name: "deletes a pod on its node",
    given: [bound("p", own)],
    when: remove(`${pods}/p`, { gracePeriodSeconds: 0 }),
  },
  {
    name: "deletes a pod on a different node",
    given: [bound("p", "other")],
    when: remove(`${pods}/p`, { gracePeriodSeconds: 0 }),
    why: `${onlySelf} delete pods with spec.nodeName set to itself`,
  },
  {
    name: "changes a pod on its node",
    given: [bound("p", own)],
    when: mergePatch(`${pods}/p`, { metadata: { labels: { a: "b" } } }),
    why: `unexpected operation "UPDATE", node "${own}" can only create and delete mirror pods`,
  },
  {
    name: "updates the status of a pod on its node",
    given: [bound("p", own)],
    when: status("p", { status: { phase: "Running" } }),
  },
  {
    name: "updates the status of a pod on a different node",
    given: [bound("p", "other")],
    when: status("p", { status: { phase: "Running" } }),
    why: `${onlySelf} update pod status for pods with spec.nodeName set to itself`,
  },
  { name: "evicts a pod on its node", given: [bound("p", own)], when: eviction("p") },
  {
    name: "evicts a pod on a different node",
    given: [bound("p", "other")],
    when: eviction("p"),
    why: `node ${own} can only evict pods with spec.nodeName set to itself`,
  },
  {
    name: "binds a pod",
    given: [post(pods, pod("p"))],
    when: post(`${pods}/p/binding`, { metadata: { name: "p" }, target: { kind: "Node", name: own } }),
    why: "unexpected pod subresource \"binding\", only 'status' and 'eviction' are allowed",
  },
  {
    name: "creates its own lease",
    when: post(leases, { metadata: { name: own }, spec: { holderIdentity: own } }),
  },
  {
    name: "creates the lease of a different node",
    when: post(leases, { metadata: { name: "other-{ns}" } }),
    why: "can only access node lease with the same name as the requesting node",
  },
  {
    name: "creates a lease in a different namespace",
    when: post("/apis/coordination.k8s.io/v1/namespaces/{ns}/leases", { metadata: { name: own } }),
    why: 'can only access leases in the "kube-node-lease" system namespace',
  },
  {
    name: "creates its own CSINode",
    when: post("/apis/storage.k8s.io/v1/csinodes", { metadata: { name: own }, spec: { drivers: [] } }),
  },
  {
    name: "creates the CSINode of a different node",
    when: post("/apis/storage.k8s.io/v1/csinodes", {
      metadata: { name: "other-{ns}" },
      spec: { drivers: [] },
    }),
    why: "can only access CSINode with the same name as the requesting node",
  },
  {
    name: "requests an unbound token",
    when: post(`${serviceAccounts}/default/token`, { spec: {} }),
    why: "node requested token not bound to a pod",
  },
  {
    name: "creates a claim",
    when: post("/api/v1/namespaces/{ns}/persistentvolumeclaims", {
      metadata: { name: "c" },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    }),
    why: "may only update PVC status",
  },
];

/** Conformance cases for NodeRestriction. It restricts a kubelet to its node and the node's pods. */
export const nodeRestrictionCases: readonly ConformanceCase[] = [
  ...attempts.map(({ name, given = [], when, why }): ConformanceCase => {
    return {
      name: `a kubelet that ${name} is ${why === undefined ? "permitted" : "rejected"}`,
      async run(api) {
        await all(api, given);
        const response = await asKubelet(api, when);
        if (why === undefined) {
          assert.ok(response.status < 300, response.text);
          return;
        }
        assert.equal(response.status, 403, response.text);
        const here = why.replaceAll("{ns}", api.namespace);
        assert.equal(scalarStringAt(response.body, "message").replace(/^.*? is forbidden: /, ""), here);
      },
    };
  }),
  {
    name: "a kubelet can only create mirror pods without references to API objects",
    async run(api) {
      await all(api, [post(nodes, node(own))]);
      const uid = scalarStringAt((await api.call(get(`${nodes}/${own}`))).body, "metadata", "uid");
      const controller = owner({ uid, controller: true });
      matches(await asKubelet(api, mirrored({ nodeName: own }, [controller])), { status: 201 });
      const volumes = [{ name: "v", configMap: { name: "c" } }];
      const needy = await asKubelet(api, mirrored({ nodeName: own, volumes }, [controller]));
      const why = `node "node-${api.namespace}" can not create pods that reference configmaps`;
      matches(needy, { status: 403, body: { message: `pods "m" is forbidden: ${why}` } });
      const other = await asKubelet(api, mirrored({ nodeName: own }, [{ ...controller, uid: "u" }]));
      const mismatch = `node node-${api.namespace} UID mismatch: expected u got ${uid}`;
      matches(other, { status: 403, body: { message: `pods "m" is forbidden: ${mismatch}` } });
    },
  },
  {
    name: "a kubelet gets tokens of its own pods for their audiences only",
    async run(api) {
      const tokens = `${serviceAccounts}/default/token`;
      const ask = (name: string, uid: string, audiences: readonly string[] = []) =>
        asKubelet(
          api,
          post(tokens, { spec: { audiences, boundObjectRef: { apiVersion: "v1", kind: "Pod", name, uid } } }),
        );
      const uids: string[] = [];
      for (const [name, nodeName] of [
        ["mine", own],
        ["theirs", "other"],
      ] as const) {
        await all(api, [bound(name, nodeName)]);
        uids.push(scalarStringAt((await api.call(get(`${pods}/${name}`))).body, "metadata", "uid"));
      }
      const [mine = "", theirs = ""] = uids;
      matches(await ask("mine", mine), { status: 201 });
      const refusals: readonly (readonly [response: ReturnType<typeof ask>, why: string])[] = [
        [ask("theirs", theirs), "node requested token bound to a pod scheduled on a different node"],
        [ask("mine", ""), "node requested token with a pod binding without a uid"],
        [
          ask("mine", theirs),
          `the UID in the bound object reference (${theirs}) does not match the UID in record. The object might have been deleted and then recreated`,
        ],
        [ask("mine", mine, ["a", "b"]), "node may only request 0 or 1 audiences"],
      ];
      for (const [response, why] of refusals) {
        const message = `serviceaccounts "default" is forbidden: ${why}`;
        matches(await response, { status: 403, body: { message } });
      }
    },
  },
];
