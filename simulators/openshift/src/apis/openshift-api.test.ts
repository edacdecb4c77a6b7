import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "./testing/api-world.ts";

test("discovery lists the aggregated kinds with their verbs and subresources", async () => {
  await using world = await ApiWorld.start();
  const { body } = await world.call("GET", "/apis/image.openshift.io/v1");
  const verbs = Object.fromEntries(
    listAt(body, "resources").map((each) => [stringAt(each, "name"), listAt(each, "verbs").join()]),
  );
  assert.equal(verbs.imagestreamimages, "get");
  assert.equal(verbs.imagestreamimports, "create");
  assert.equal(verbs.imagestreammappings, "create");
  assert.equal(verbs.imagestreamtags, "create,delete,get,list,patch,update");
  assert.equal(verbs["imagestreams/layers"], "get");
  assert.equal(verbs["imagestreams/secrets"], "get");
  assert.match(verbs.imagestreams ?? "", /deletecollection/);
  const crds = await world.call("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
  assert.ok(
    !listAt(crds.body, "items").some((each) => stringAt(each, "spec", "group") === "image.openshift.io"),
  );
  const openApi = await world.call("GET", "/openapi/v3/apis/image.openshift.io/v1");
  assert.equal(openApi.status, 200);
});

test("strategic merge patches change aggregated kinds and merge the tags of image streams (oc apply)", async () => {
  await using world = await ApiWorld.start();
  const path = "/apis/image.openshift.io/v1/namespaces/default/imagestreams";
  const tag = (name: string, image: string) => ({ name, from: { kind: "DockerImage", name: image } });
  const spec = { tags: [tag("1", "quay.io/a/b:1"), tag("2", "quay.io/a/b:2")] };
  const stream = { apiVersion: "image.openshift.io/v1", kind: "ImageStream", metadata: { name: "s" }, spec };
  assert.equal((await world.call("POST", path, { body: stream })).status, 201);
  const contentType = "application/strategic-merge-patch+json";
  const patch = { spec: { tags: [tag("2", "quay.io/a/b:3")] } };
  const patched = await world.call("PATCH", `${path}/s`, { body: patch, contentType });
  assert.equal(patched.status, 200, stringAt(patched.body, "message"));
  assert.deepEqual(
    listAt(patched.body, "spec", "tags").map((each) => stringAt(each, "from", "name")),
    ["quay.io/a/b:1", "quay.io/a/b:3"],
  );
  const definition = await world.call("PATCH", "/apis/config.openshift.io/v1/infrastructures/cluster", {
    body: {},
    contentType,
  });
  assert.equal(definition.status, 415, "kinds with a definition accept no such patches");
});

test("aggregated groups have APIServices that are available", async () => {
  await using world = await ApiWorld.start();
  const { body } = await world.call(
    "GET",
    "/apis/apiregistration.k8s.io/v1/apiservices/v1.image.openshift.io",
  );
  const condition = listAt(body, "status", "conditions").find(
    (each) => stringAt(each, "type") === "Available",
  );
  assert.equal(stringAt(condition, "status"), "True");
});

test("a second object of a singleton configuration is rejected", async () => {
  await using world = await ApiWorld.start();
  const create = (name: string) =>
    world.call("POST", "/apis/config.openshift.io/v1/oauths", {
      body: { apiVersion: "config.openshift.io/v1", kind: "OAuth", metadata: { name }, spec: {} },
    });
  const refused = await create("mine");
  assert.equal(refused.status, 422);
  assert.equal(
    stringAt(refused.body, "message"),
    'OAuth.config.openshift.io "mine" is invalid: metadata.name: Invalid value: "mine": must be cluster',
  );
  assert.equal((await create("cluster")).status, 201);
});

test("pods carry the constraints that they run under, and the default ones are there", async (t) => {
  await using world = await ApiWorld.start();
  const { body } = await world.call("GET", "/apis/security.openshift.io/v1/securitycontextconstraints");
  assert.equal(listAt(body, "items").length, 10);
  const container = { name: "a", image: "a" };
  const cases: readonly (readonly [string, object, string])[] = [
    ["plain", { containers: [container] }, "anyuid"],
    ["host-network", { hostNetwork: true, containers: [container] }, "hostnetwork-v2"],
    ["privileged", { containers: [{ ...container, securityContext: { privileged: true } }] }, "privileged"],
    ["root", { securityContext: { runAsUser: 0 }, containers: [container] }, "anyuid"],
  ];
  for (const [name, spec, constraints] of cases) {
    await t.test(name, async () => {
      const pod = { apiVersion: "v1", kind: "Pod", metadata: { name }, spec };
      const made = await world.call("POST", "/api/v1/namespaces/default/pods", { body: pod });
      assert.equal(
        stringAt(made.body, "metadata", "annotations", "openshift.io/scc"),
        constraints,
        JSON.stringify(made.body),
      );
    });
  }
});

test("a Service with the annotation gets a serving certificate that the injected bundle verifies", async (t) => {
  for (const prefix of ["service.beta.openshift.io", "service.alpha.openshift.io"])
    await t.test(prefix, () => assertServingCertificate(prefix));
});

async function assertServingCertificate(prefix: string): Promise<void> {
  await using world = await ApiWorld.start();
  const annotation = `${prefix}/serving-cert-secret-name`;
  await world.call("POST", "/api/v1/namespaces/default/services", {
    body: {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", annotations: { [annotation]: "web-tls" } },
      spec: { ports: [{ port: 443 }] },
    },
  });
  await world.call("POST", "/api/v1/namespaces/default/configmaps", {
    body: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "ca", annotations: { [`${prefix}/inject-cabundle`]: "true" } },
    },
  });
  await eventually(async () => {
    const secret = await world.call("GET", "/api/v1/namespaces/default/secrets/web-tls");
    const bundle = await world.call("GET", "/api/v1/namespaces/default/configmaps/ca");
    const encoded = stringAt(secret.body, "data", "tls.crt");
    const authority = stringAt(bundle.body, "data", "service-ca.crt");
    assert.ok(encoded && authority);
    assert.equal(stringAt(secret.body, "type"), "kubernetes.io/tls");
    const certificate = new X509Certificate(Buffer.from(encoded, "base64"));
    assert.ok(certificate.checkHost("web.default.svc"));
    assert.ok(certificate.verify(new X509Certificate(authority).publicKey));
    assert.equal(
      stringAt(secret.body, "metadata", "annotations", `${prefix}/expiry`),
      certificate.validToDate.toISOString().replace(".000", ""),
    );
    const service = await world.call("GET", "/api/v1/namespaces/default/services/web");
    assert.equal(
      stringAt(service.body, "metadata", "annotations", `${prefix}/serving-cert-signed-by`),
      "openshift-service-serving-signer",
    );
  });
}

test("OpenShift's roles are those of RBAC under a different group, and cannot be watched", async () => {
  await using world = await ApiWorld.start();
  const base = "/apis/authorization.openshift.io/v1";
  const body = {
    apiVersion: "authorization.openshift.io/v1",
    kind: "RoleBinding",
    metadata: { name: "viewers" },
    roleRef: { name: "view" },
    subjects: [{ kind: "User", name: "alice" }],
  };
  assert.equal((await world.call("POST", `${base}/namespaces/default/rolebindings`, { body })).status, 201);
  const path = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings/viewers";
  const stored = await world.call("GET", path);
  assert.deepEqual(valueAt(stored.body, "roleRef"), {
    apiGroup: "rbac.authorization.k8s.io",
    kind: "ClusterRole",
    name: "view",
  });
  const shown = await world.call("GET", `${base}/namespaces/default/rolebindings/viewers`);
  assert.deepEqual(listAt(shown.body, "userNames"), ["alice"]);
  assert.equal((await world.call("GET", `${base}/clusterroles?watch=true`)).status, 405);
});

test("a review reports the constraints under which a pod would run, for the caller, a user and service accounts", async () => {
  await using world = await ApiWorld.start();
  const template = { spec: { hostPID: true, containers: [{ name: "a", image: "a" }] } };
  const review = async (kind: string, spec: object) => {
    const path = `/apis/security.openshift.io/v1/namespaces/default/${kind.toLowerCase()}s`;
    const body = { apiVersion: "security.openshift.io/v1", kind, spec: { template, ...spec } };
    return (await world.call("POST", path, { body })).body;
  };
  const own = await review("PodSecurityPolicySelfSubjectReview", {});
  assert.equal(stringAt(own, "status", "allowedBy", "name"), "hostaccess");
  const ofAnyone = await review("PodSecurityPolicySubjectReview", {});
  assert.equal(stringAt(ofAnyone, "status", "allowedBy", "name"), "hostaccess");
  const ofName = await review("PodSecurityPolicySubjectReview", { user: "default" });
  assert.match(stringAt(ofName, "status", "reason") ?? "", /provider "restricted-v2": Forbidden: not usable/);
  const named = { spec: { ...template.spec, serviceAccountName: "default" } };
  const ofAccount = await review("PodSecurityPolicySubjectReview", { user: "u", template: named });
  assert.match(stringAt(ofAccount, "status", "reason") ?? "", /Host PID is not allowed to be used/);
  const ofUser = await review("PodSecurityPolicySubjectReview", { user: "u", groups: ["system:masters"] });
  assert.equal(stringAt(ofUser, "status", "allowedBy", "name"), "hostaccess");
  const ofAccounts = await review("PodSecurityPolicyReview", {
    template: { spec: { containers: [{ name: "a", image: "a" }] } },
    serviceAccountNames: ["builder", "default"],
  });
  assert.deepEqual(
    listAt(ofAccounts, "status", "allowedServiceAccounts").map((each) => [
      stringAt(each, "name"),
      stringAt(each, "allowedBy", "name"),
    ]),
    [
      ["builder", "restricted-v2"],
      ["default", "restricted-v2"],
    ],
  );
  const missing = await review("PodSecurityPolicyReview", { serviceAccountNames: ["default", "none"] });
  assert.equal(valueAt(missing, "code"), 400);
  assert.match(stringAt(missing, "message") ?? "", /^unable to retrieve ServiceAccount none: /);
});

test("everybody may read the images and templates that all share", async () => {
  await using world = await ApiWorld.start();
  const user = await world.user("alice");
  const templates = "/apis/template.openshift.io/v1/namespaces/openshift/templates";
  assert.equal((await world.call("GET", templates, { user })).status, 200);
  assert.equal(
    (await world.call("GET", templates.replace("openshift/templates", "default/templates"), { user })).status,
    403,
  );
});
