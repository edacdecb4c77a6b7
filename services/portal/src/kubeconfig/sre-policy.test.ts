import assert from "node:assert/strict";
import { test } from "node:test";
import { requestAttributes } from "./request-attributes.ts";
import { forbidden, maySreAsk, sreUser } from "./sre-policy.ts";

const cases: readonly (readonly [request: string, may: boolean])[] = [
  ["GET /api/v1/nodes", true],
  ["GET /api/v1/pods?watch=true", true],
  ["GET /api/v1/namespaces/a/pods/p/log", true],
  ["GET /apis/apps/v1/namespaces/a/deployments/d", true],
  ["GET /healthz", true],
  ["HEAD /healthz", true],
  ["GET /api/v1/secrets", false],
  ["GET /api/v1/namespaces/a/secrets/s", false],
  ["GET /api/v1/watch/secrets", false],
  ["GET /apis/oauth.openshift.io/v1/oauthaccesstokens", false],
  ["GET /api/v1/namespaces/a/pods/p/exec?command=sh", false],
  ["POST /api/v1/namespaces/a/pods/p/exec", false],
  ["POST /api/v1/namespaces/a/pods/p/portforward", false],
  ["GET /api/v1/namespaces/a/services/s/proxy/admin", false],
  ["GET /api/v1/proxy/namespaces/a/services/s", false],
  ["GET /api/v1/nodes/n/proxy/logs", false],
  ["DELETE /api/v1/namespaces/a/pods/p", false],
  ["PATCH /api/v1/nodes/n", false],
  ["POST /api/v1/namespaces/a/pods", false],
  ["POST /api/v1/namespaces/a/serviceaccounts/s/token", false],
  ["POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews", true],
  ["POST /apis/authorization.k8s.io/v1/subjectaccessreviews", false],
  ["POST /metrics", false],
  ["PURGE /api/v1/nodes/n", false],
];
for (const [request, may] of cases) {
  const [method = "", target = ""] = request.split(" ");
  test(`${request} is ${may ? "allowed" : "forbidden"}`, () =>
    assert.equal(maySreAsk(requestAttributes(method, target)), may));
}

const messages: readonly (readonly [request: string, message: string])[] = [
  [
    "POST /api/v1/namespaces/a/pods/p/exec",
    'pods "p" is forbidden: User "system:aro-sre" cannot create resource "pods/exec" in API group "" in the namespace "a"',
  ],
  [
    "GET /api/v1/secrets",
    'secrets is forbidden: User "system:aro-sre" cannot list resource "secrets" in API group "" at the cluster scope',
  ],
  [
    "DELETE /apis/apps/v1/namespaces/a/deployments/d",
    'deployments.apps "d" is forbidden: User "system:aro-sre" cannot delete resource "deployments" in API group "apps" in the namespace "a"',
  ],
  ["POST /metrics", 'forbidden: User "system:aro-sre" cannot post path "/metrics"'],
];
for (const [request, message] of messages) {
  const [method = "", target = ""] = request.split(" ");
  test(`${request} is refused in an API server's words`, () => {
    const status = JSON.parse(forbidden(requestAttributes(method, target), sreUser));
    assert.deepEqual([status.message, status.reason, status.code], [message, "Forbidden", 403]);
  });
}
