import assert from "node:assert/strict";
import { test } from "node:test";
import { requestAttributes } from "./request-attributes.ts";

const core = { kind: "resource", group: "" } as const;
const cases: readonly (readonly [request: string, expected: ReturnType<typeof requestAttributes>])[] = [
  ["GET /api/v1/nodes", { ...core, verb: "list", resource: "nodes" }],
  ["GET /api/v1/nodes?watch=true", { ...core, verb: "watch", resource: "nodes" }],
  ["GET /api/v1/nodes?watch=1&limit=5", { ...core, verb: "watch", resource: "nodes" }],
  ["GET /api/v1/nodes?watch=false", { ...core, verb: "list", resource: "nodes" }],
  ["GET /api/v1/nodes/n1", { ...core, verb: "get", resource: "nodes", name: "n1" }],
  ["GET /api/v1/namespaces", { ...core, verb: "list", resource: "namespaces" }],
  ["GET /api/v1/namespaces/a", { ...core, verb: "get", namespace: "a", resource: "namespaces", name: "a" }],
  [
    "PUT /api/v1/namespaces/a/finalize",
    { ...core, verb: "update", namespace: "a", resource: "namespaces", name: "a", subresource: "finalize" },
  ],
  [
    "GET /api/v1/namespaces/a/pods/p/log?follow=true",
    { ...core, verb: "get", namespace: "a", resource: "pods", name: "p", subresource: "log" },
  ],
  [
    "POST /api/v1/namespaces/a/pods/p/exec?command=sh",
    { ...core, verb: "create", namespace: "a", resource: "pods", name: "p", subresource: "exec" },
  ],
  [
    "DELETE /api/v1/namespaces/a/pods",
    { ...core, verb: "deletecollection", namespace: "a", resource: "pods" },
  ],
  ["GET /api/v1/watch/namespaces/a/secrets", { ...core, verb: "watch", namespace: "a", resource: "secrets" }],
  ["GET /api/v1/namespaces/a/%73ecrets", { ...core, verb: "list", namespace: "a", resource: "secrets" }],
  [
    "PATCH /apis/apps/v1/namespaces/a/deployments/d/scale",
    {
      kind: "resource",
      verb: "patch",
      group: "apps",
      namespace: "a",
      resource: "deployments",
      name: "d",
      subresource: "scale",
    },
  ],
  ["GET /apis", { kind: "path", verb: "get", path: "/apis" }],
  ["GET /apis/apps", { kind: "path", verb: "get", path: "/apis/apps" }],
  ["GET /apis/apps/v1", { kind: "path", verb: "get", path: "/apis/apps/v1" }],
  ["GET /healthz?verbose", { kind: "path", verb: "get", path: "/healthz" }],
  ["POST /x", { kind: "path", verb: "post", path: "/x" }],
];
for (const [request, expected] of cases) {
  const [method = "", target = ""] = request.split(" ");
  test(request, () => assert.deepEqual(requestAttributes(method, target), expected));
}
