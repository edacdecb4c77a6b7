import assert from "node:assert/strict";
import { test } from "node:test";
import { scalarStringAt, sharedTurns } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { type Response, TestServer } from "../testing/test-server.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const maps = "/api/v1/namespaces/default/configmaps";

function json(body: unknown) {
  return { headers: { "content-type": "application/json" }, body };
}

async function create(server: TestServer, path: string, body: object): Promise<Response> {
  return server.call("POST", path, json(body));
}

interface Setting {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly binding?: Readonly<Record<string, unknown>>;
}

/** Creates a policy for ConfigMaps, and a binding of this policy. */
async function apply(server: TestServer, { spec, binding = {} }: Setting): Promise<void> {
  const resourceRules = [
    {
      operations: ["CREATE", "UPDATE", "DELETE"],
      apiGroups: [""],
      apiVersions: ["v1"],
      resources: ["configmaps"],
    },
  ];
  const policy = await create(server, `${group}/validatingadmissionpolicies`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: { matchConstraints: { resourceRules }, ...spec },
  });
  assert.equal(policy.status, 201, policy.text);
  const bound = await create(server, `${group}/validatingadmissionpolicybindings`, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "b" },
    spec: { policyName: "p", validationActions: ["Deny"], ...binding },
  });
  assert.equal(bound.status, 201, bound.text);
}

function configMap(name: string, data: Readonly<Record<string, string>> = {}, metadata: object = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

const refused =
  "configmaps \"one\" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ";

test("a policy's expressions decide, with kube-apiserver's messages", async (t) => {
  const has = (expression: string, more: object = {}) => ({ validations: [{ expression, ...more }] });
  const cases: readonly (readonly [string, Setting["spec"], number, string])[] = [
    ["a satisfied validation", has("object.metadata.name == 'one'"), 201, ""],
    [
      "a violated validation",
      has("object.metadata.name == 'two'"),
      422,
      `${refused}failed expression: object.metadata.name == 'two'`,
    ],
    ["its message", has("false", { message: "never" }), 422, `${refused}never`],
    [
      "its message expression",
      has("false", { message: "never", messageExpression: "'not ' + object.metadata.name" }),
      422,
      `${refused}not one`,
    ],
    [
      "its message when the expression fails",
      has("false", { message: "never", messageExpression: "object.spec.x" }),
      422,
      `${refused}never`,
    ],
    ["its reason", has("false", { message: "never", reason: "Forbidden" }), 403, `${refused}never`],
    [
      "an error",
      has("object.spec.size > 1"),
      422,
      `${refused}expression 'object.spec.size > 1' resulted in error: no such key: spec`,
    ],
    [
      "an error with failure policy Ignore",
      { ...has("object.spec.size > 1"), failurePolicy: "Ignore" },
      201,
      "",
    ],
    [
      "a false match condition",
      { ...has("false"), matchConditions: [{ name: "c", expression: "request.userInfo.username == 'x'" }] },
      201,
      "",
    ],
    [
      "a match condition that fails",
      { ...has("true"), matchConditions: [{ name: "c", expression: "object.x == 1" }] },
      422,
      `${refused}expression 'object.x == 1' resulted in error: no such key: x`,
    ],
    [
      "lazily evaluated variables",
      {
        variables: [
          { name: "bad", expression: "object.x" },
          { name: "name", expression: "object.metadata.name" },
          { name: "good", expression: "variables.name + '!'" },
        ],
        ...has("variables.good == 'one!' || variables.bad"),
      },
      201,
      "",
    ],
    [
      "the request",
      has(
        "request.operation == 'CREATE' && request.resource.resource == 'configmaps' && request.namespace == 'default' && request.kind.kind == 'ConfigMap' && !request.dryRun",
      ),
      201,
      "",
    ],
    ["no old object", has("oldObject == null"), 201, ""],
    [
      "the namespace",
      has("namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'default'"),
      201,
      "",
    ],
    [
      "permissions of the user",
      has("authorizer.group('').resource('pods').namespace('default').check('create').allowed()"),
      201,
      "",
    ],
    [
      "permissions of other users",
      has("authorizer.serviceAccount('default', 'default').requestResource.check('create').allowed()"),
      422,
      "",
    ],
    ["the resource of the request", has("authorizer.requestResource.check('create').allowed()"), 201, ""],
    [
      "an expression beyond the cost limit",
      has(
        "[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f, [1,2,3,4,5,6,7,8,9].all(g, true)))))))",
      ),
      422,
      "",
    ],
  ];
  for (const [name, spec, status, message] of cases) {
    await t.test(name, async () => {
      await using server = await TestServer.start();
      await apply(server, { spec });
      const response = await create(server, maps, configMap("one"));
      assert.equal(response.status, status, response.text);
      if (!message) return;
      assert.equal(scalarStringAt(response.body, "message"), message);
      assert.equal(scalarStringAt(response.body, "reason"), status === 403 ? "Forbidden" : "Invalid");
    });
  }
});

test("a policy warns if its binding has the action Warn", async () => {
  await using server = await TestServer.start();
  const spec = { validations: [{ expression: "false", message: "better not" }] };
  await apply(server, { spec, binding: { validationActions: ["Warn", "Audit"] } });
  const response = await create(server, maps, configMap("one"));
  assert.equal(response.status, 201);
  assert.match(
    String(response.headers.warning),
    /299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': better not"/,
  );
});

test("policies see the old object of updates and deletions", async () => {
  await using server = await TestServer.start();
  await create(server, maps, configMap("one", { locked: "yes" }));
  const spec = {
    validations: [
      {
        expression: "request.operation != 'UPDATE' || object.data.locked == oldObject.data.locked",
        message: "locked",
      },
      {
        expression: "request.operation != 'DELETE' || (object == null && !has(oldObject.data.locked))",
        message: "kept",
      },
    ],
  };
  await apply(server, { spec });
  const merge = (data: object) => ({
    headers: { "content-type": "application/merge-patch+json" },
    body: { data },
  });
  const changed = await server.call("PATCH", `${maps}/one`, merge({ locked: "no" }));
  assert.equal(scalarStringAt(changed.body, "message"), `${refused}locked`);
  assert.equal((await server.call("PATCH", `${maps}/one`, merge({ other: "x" }))).status, 200);
  assert.equal(
    scalarStringAt((await server.call("DELETE", `${maps}/one`)).body, "message"),
    `${refused}kept`,
  );
});

test("parameters are the objects that a binding references", async (t) => {
  const spec = {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    validations: [{ expression: "object.metadata.name != params.data.name", message: "that name is taken" }],
    matchConditions: [{ name: "not-params", expression: "!object.metadata.name.startsWith('params')" }],
  };
  const params = configMap("params", { name: "one" }, { labels: { params: "yes" } });
  const cases: readonly (readonly [string, object, number, string])[] = [
    ["by name", { name: "params", parameterNotFoundAction: "Deny" }, 422, `${refused}that name is taken`],
    [
      "by labels",
      { selector: { matchLabels: { params: "yes" } }, parameterNotFoundAction: "Deny" },
      422,
      `${refused}that name is taken`,
    ],
    [
      "in a separate namespace",
      { name: "params", namespace: "kube-public", parameterNotFoundAction: "Allow" },
      201,
      "",
    ],
    [
      "that must exist",
      { name: "absent", parameterNotFoundAction: "Deny" },
      422,
      `${refused}failed to configure binding: no params found for policy binding with \`Deny\` parameterNotFoundAction`,
    ],
  ];
  for (const [name, paramRef, status, message] of cases) {
    await t.test(name, async () => {
      await using server = await TestServer.start();
      await create(server, maps, params);
      await apply(server, { spec, binding: { paramRef } });
      const response = await create(server, maps, configMap("one"));
      assert.equal(response.status, status, response.text);
      assert.equal(status === 201 ? "" : scalarStringAt(response.body, "message"), message);
    });
  }
});

test("a binding narrows the matches of its policy", async () => {
  await using server = await TestServer.start();
  const matchResources = { objectSelector: { matchLabels: { strict: "yes" } } };
  await apply(server, { spec: { validations: [{ expression: "false" }] }, binding: { matchResources } });
  assert.equal((await create(server, maps, configMap("one"))).status, 201);
  assert.equal((await create(server, maps, configMap("two", {}, { labels: { strict: "yes" } }))).status, 422);
});

test("excluded rules and names do not match", async () => {
  await using server = await TestServer.start();
  const rule = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["configmaps"] };
  const matchConstraints = {
    resourceRules: [rule],
    excludeResourceRules: [{ ...rule, resourceNames: ["free"] }],
  };
  await apply(server, { spec: { matchConstraints, validations: [{ expression: "false" }] } });
  assert.equal((await create(server, maps, configMap("one"))).status, 422);
  assert.equal((await create(server, maps, configMap("free"))).status, 201);
});

test("policies without bindings and deleted policies have no effect", async () => {
  await using server = await TestServer.start();
  await apply(server, { spec: { validations: [{ expression: "false" }] } });
  assert.equal((await create(server, maps, configMap("one"))).status, 422);
  await server.call("DELETE", `${group}/validatingadmissionpolicybindings/b`);
  const response = await create(server, maps, configMap("one"));
  assert.equal(response.status, 201);
  assert.equal(valueAt(response.body, "metadata", "name"), "one");
});

test("policies with compilation errors are rejected, and others report their type checking", async () => {
  await using server = await TestServer.start();
  const path = `${group}/validatingadmissionpolicies`;
  const body = (expression: string) => ({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      matchConstraints: {
        resourceRules: [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }],
      },
      validations: [{ expression }],
    },
  });
  const refused = await create(server, path, body("object.x ==="));
  assert.equal(refused.status, 422);
  assert.match(
    scalarStringAt(refused.body, "message"),
    /spec\.validations\[0\]\.expression: Invalid value: .*compilation failed/,
  );
  const wrongType = await create(server, path, body("'text'"));
  assert.match(scalarStringAt(wrongType.body, "message"), /must evaluate to bool/);
  assert.equal((await create(server, path, body("true"))).status, 201);
  await until(async () => {
    const { body: stored } = await server.call("GET", `${path}/p`);
    return valueAt(stored, "status", "observedGeneration") === 1;
  });
});

test("other requests have turns while many policies are evaluated", async (t) => {
  await using server = await TestServer.start();
  for (let at = 0; at < 40; at++) {
    const name = `p${at}`;
    await create(server, `${group}/validatingadmissionpolicies`, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [
            { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
          ],
        },
        validations: [{ expression: "object.metadata.name != 'bad'" }],
      },
    });
    await create(server, `${group}/validatingadmissionpolicybindings`, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"] },
    });
  }
  await until(async () => (await create(server, `${maps}?dryRun=All`, configMap("bad"))).status === 422);
  const wait = t.mock.method(sharedTurns, "wait");
  const { status, text } = await create(server, maps, configMap("good"));
  assert.equal(status, 201, text);
  assert.ok(wait.mock.callCount() >= 4, `${wait.mock.callCount()} turns`);
});
