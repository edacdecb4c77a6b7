import assert from "node:assert/strict";
import { test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { type Response as HttpResponse, TestServer, widgets } from "../testing/test-server.ts";
import { configuration, patching, TestWebhook } from "../testing/test-webhook.ts";
import { sharedThreads } from "../threads/thread-pool.ts";

const registrations = "/apis/admissionregistration.k8s.io/v1";
const maps = "/api/v1/namespaces/default/configmaps";
const configMaps = { resources: ["configmaps"] };

async function register(server: TestServer, body: object): Promise<void> {
  const plural = `${scalarStringAt(body, "kind").toLowerCase()}s`;
  const response = await server.call("POST", `${registrations}/${plural}`, json(body));
  assert.equal(response.status, 201, response.text);
}

function json(body: unknown) {
  return { headers: { "content-type": "application/json" }, body };
}

function configMap(name: string, metadata: object = {}) {
  return json({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data: {} });
}

function message({ body }: HttpResponse): string {
  return scalarStringAt(body, "message");
}

test("mutating webhooks change an object in name order, and validating webhooks see the result", async () => {
  await using server = await TestServer.start();
  let seen: unknown;
  await using hooks = await TestWebhook.start({
    "/first": () => patching({ op: "add", path: "/data", value: { order: "first" } }),
    "/second": (request) =>
      patching({
        op: "replace",
        path: "/data/order",
        value: `${scalarStringAt(valueAt(request, "object"), "data", "order")},second`,
      }),
    "/check": (request) => {
      seen = valueAt(request, "object", "data");
      return { allowed: true, warnings: ["checked the object"] };
    },
  });
  await register(server, configuration("Mutating", "b-second", hooks.entry("/second", configMaps)));
  await register(server, configuration("Mutating", "a-first", hooks.entry("/first", configMaps)));
  await register(server, configuration("Validating", "check", hooks.entry("/check", configMaps)));
  const response = await server.call("POST", maps, configMap("one"));
  assert.equal(response.status, 201, response.text);
  assert.deepEqual(valueAt(response.body, "data"), { order: "first,second" });
  assert.deepEqual(seen, { order: "first,second" });
  assert.match(String(response.headers.warning), /299 .*"checked the object"/);
  const [request] = hooks.requests;
  assert.deepEqual(
    {
      operation: valueAt(request, "operation"),
      kind: valueAt(request, "kind"),
      resource: valueAt(request, "resource"),
      requestKind: valueAt(request, "requestKind"),
      namespace: valueAt(request, "namespace"),
      name: valueAt(request, "name"),
      user: valueAt(request, "userInfo", "username"),
      oldObject: valueAt(request, "oldObject"),
      dryRun: valueAt(request, "dryRun"),
      options: valueAt(request, "options", "kind"),
    },
    {
      operation: "CREATE",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      requestKind: { group: "", version: "v1", kind: "ConfigMap" },
      namespace: "default",
      name: "one",
      user: "system:admin",
      oldObject: null,
      dryRun: false,
      options: "CreateOptions",
    },
  );
});

test("a webhook denies with its own code, reason and message", async (t) => {
  await using server = await TestServer.start();
  let status: unknown;
  await using hooks = await TestWebhook.start({ "/no": () => ({ allowed: false, status }) });
  await register(server, configuration("Validating", "no", hooks.entry("/no", configMaps)));
  const denied = 'admission webhook "no.example.com" denied the request';
  const cases: readonly (readonly [string, unknown, number, string])[] = [
    ["with a message", { code: 403, reason: "Forbidden", message: "not here" }, 403, `${denied}: not here`],
    ["with a reason only", { code: 409, reason: "Conflict" }, 409, `${denied}: Conflict`],
    ["with a code that is not an error", { code: 200, message: "odd" }, 400, `${denied}: odd`],
    ["without explanation", undefined, 400, `${denied} without explanation`],
  ];
  for (const [name, given, code, text] of cases) {
    await t.test(name, async () => {
      status = given;
      const response = await server.call("POST", maps, configMap("one"));
      assert.equal(response.status, code);
      assert.equal(message(response), text);
    });
  }
});

test("an unreachable webhook fails requests or is ignored, according to its failure policy", async () => {
  await using server = await TestServer.start();
  const entry = (more: object) => ({
    name: "dead.example.com",
    clientConfig: { url: "https://127.0.0.1:1/x" },
    rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] }],
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    ...more,
  });
  await register(server, configuration("Validating", "dead", entry({})));
  const refused = await server.call("POST", maps, configMap("one"));
  assert.equal(refused.status, 500);
  assert.equal(
    message(refused),
    'Internal error occurred: failed calling webhook "dead.example.com": failed to call webhook: ' +
      'Post "https://127.0.0.1:1/x?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
  );
  assert.equal(scalarStringAt(refused.body, "reason"), "InternalError");
  const dead = `${registrations}/validatingwebhookconfigurations/dead`;
  const patch = { webhooks: [entry({ failurePolicy: "Ignore" })] };
  await server.call("PATCH", dead, {
    headers: { "content-type": "application/merge-patch+json" },
    body: patch,
  });
  assert.equal((await server.call("POST", maps, configMap("one"))).status, 201);
});

test("a webhook behind a Service is called at its endpoints", async () => {
  await using server = await TestServer.start();
  await using hooks = await TestWebhook.start({ "/check": () => ({ allowed: true }) });
  const service = { namespace: "default", name: "hook", path: "/check", port: 8443 };
  const entry = hooks.entry("/check", configMaps, { clientConfig: { service, caBundle: hooks.caBundle } });
  await register(server, configuration("Validating", "check", entry));
  const failed =
    'Internal error occurred: failed calling webhook "check.example.com": failed to call webhook: ';
  const post = 'Post "https://hook.default.svc:8443/check?timeout=10s": ';
  assert.equal(
    message(await server.call("POST", maps, configMap("one"))),
    `${failed}${post}service "hook" not found`,
  );
  const services = "/api/v1/namespaces/default/services";
  const ports = [{ name: "https", port: 8443, targetPort: hooks.port }];
  await server.call(
    "POST",
    services,
    json({ apiVersion: "v1", kind: "Service", metadata: { name: "hook" }, spec: { ports } }),
  );
  assert.equal(
    message(await server.call("POST", maps, configMap("one"))),
    `${failed}${post}no endpoints available for service "hook"`,
  );
  // The certificate names a Service in a different namespace. The address is correct.
  const subsets = [{ addresses: [{ ip: "127.0.0.1" }], ports: [{ name: "https", port: hooks.port }] }];
  await server.call(
    "POST",
    "/api/v1/namespaces/default/endpoints",
    json({ apiVersion: "v1", kind: "Endpoints", metadata: { name: "hook" }, subsets }),
  );
  assert.match(
    message(await server.call("POST", maps, configMap("one"))),
    /x509: certificate is valid for hook\.ops\.svc, not hook\.default\.svc/,
  );
  server.cluster.setServiceRoute(() => ({ host: "127.0.0.1", port: 1 }));
  assert.match(
    message(await server.call("POST", maps, configMap("one"))),
    /127\.0\.0\.1:1: connect: connection refused/,
  );
});

test("selectors, rules and scopes determine the calls of a webhook", async (t) => {
  await using server = await TestServer.start();
  await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", json(widgets));
  await server.call(
    "POST",
    "/api/v1/namespaces",
    json({ apiVersion: "v1", kind: "Namespace", metadata: { name: "watched", labels: { team: "a" } } }),
  );
  await using hooks = await TestWebhook.start({ "/no": () => ({ allowed: false, status: { code: 403 } }) });
  const create = async (path: string, body: object) => (await server.call("POST", path, json(body))).status;
  const object = (kind: string, metadata: object) => ({ apiVersion: "v1", kind, metadata });
  const cases: readonly (readonly [
    string,
    Readonly<Record<string, unknown>>,
    Readonly<Record<string, unknown>>,
    () => Promise<number>,
    number,
  ])[] = [
    [
      "a namespace by its labels",
      configMaps,
      { namespaceSelector: { matchLabels: { team: "a" } } },
      () => create("/api/v1/namespaces/watched/configmaps", object("ConfigMap", { name: "a" })),
      403,
    ],
    [
      "not a different namespace",
      configMaps,
      { namespaceSelector: { matchLabels: { team: "a" } } },
      () => create(maps, object("ConfigMap", { name: "a" })),
      201,
    ],
    [
      "an object by its labels",
      configMaps,
      { objectSelector: { matchLabels: { team: "a" } } },
      () => create(maps, object("ConfigMap", { name: "b", labels: { team: "a" } })),
      403,
    ],
    [
      "not a different object",
      configMaps,
      { objectSelector: { matchLabels: { team: "a" } } },
      () => create(maps, object("ConfigMap", { name: "b" })),
      201,
    ],
    [
      "a new Namespace by its own labels",
      { resources: ["namespaces"] },
      { namespaceSelector: { matchLabels: { team: "b" } } },
      () => create("/api/v1/namespaces", object("Namespace", { name: "fresh", labels: { team: "b" } })),
      403,
    ],
    [
      "cluster-scoped objects despite a namespace selector",
      { resources: ["nodes"] },
      { namespaceSelector: { matchLabels: { team: "b" } } },
      () => create("/api/v1/nodes", object("Node", { name: "n" })),
      403,
    ],
    [
      "only its scope",
      { resources: ["*"], scope: "Cluster" },
      {},
      () => create(maps, object("ConfigMap", { name: "c" })),
      201,
    ],
    [
      "only its operations",
      { resources: ["configmaps"], operations: ["DELETE"] },
      {},
      () => create(maps, object("ConfigMap", { name: "d" })),
      201,
    ],
    [
      "a different version of its resource",
      { apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["widgets"] },
      {},
      () =>
        create("/apis/example.com/v1beta1/namespaces/default/widgets", {
          ...object("Widget", { name: "w" }),
          apiVersion: "example.com/v1beta1",
          spec: { size: 3 },
        }),
      403,
    ],
    [
      "no other version with matchPolicy Exact",
      { apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["widgets"] },
      { matchPolicy: "Exact" },
      () =>
        create("/apis/example.com/v1beta1/namespaces/default/widgets", {
          ...object("Widget", { name: "w" }),
          apiVersion: "example.com/v1beta1",
          spec: { size: 3 },
        }),
      201,
    ],
  ];
  for (const [name, rule, more, write, status] of cases) {
    await t.test(name, async () => {
      await register(server, configuration("Validating", "no", hooks.entry("/no", rule, more)));
      assert.equal(await write(), status);
      await server.call("DELETE", `${registrations}/validatingwebhookconfigurations/no`);
    });
  }
});

test("webhooks receive updates, status, scale and deletions with the old object", async () => {
  await using server = await TestServer.start();
  await using hooks = await TestWebhook.start({ "/check": () => ({ allowed: true }) });
  const rule = { resources: ["*/*"], apiGroups: ["apps"] };
  await register(server, configuration("Validating", "check", hooks.entry("/check", rule)));
  const deployments = "/apis/apps/v1/namespaces/default/deployments";
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  const merge = (body: unknown) => ({ headers: { "content-type": "application/merge-patch+json" }, body });
  await server.call(
    "POST",
    deployments,
    json({ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" }, spec }),
  );
  await server.call("PATCH", `${deployments}/a`, merge({ metadata: { labels } }));
  await server.call("PATCH", `${deployments}/a/status`, merge({ status: { replicas: 1 } }));
  await server.call("PATCH", `${deployments}/a/scale`, merge({ spec: { replicas: 2 } }));
  await server.call("DELETE", `${deployments}/a`);
  const told = hooks.requests.map((request) =>
    [
      scalarStringAt(request, "operation"),
      scalarStringAt(request, "subResource"),
      scalarStringAt(request, "kind", "kind"),
      valueAt(request, "object") === null ? "-" : "new",
      valueAt(request, "oldObject") === null ? "-" : "old",
    ].join(" "),
  );
  assert.deepEqual(told, [
    "CREATE  Deployment new -",
    "UPDATE  Deployment new old",
    "UPDATE status Deployment new old",
    "UPDATE scale Scale new old",
    "DELETE  Deployment - old",
  ]);
});

test("a dry run calls webhooks without side effects and stores nothing", async () => {
  await using server = await TestServer.start();
  await using hooks = await TestWebhook.start({ "/check": () => ({ allowed: true }) });
  await register(server, configuration("Validating", "check", hooks.entry("/check", configMaps)));
  assert.equal((await server.call("POST", `${maps}?dryRun=All`, configMap("one"))).status, 201);
  assert.equal(valueAt(hooks.requests[0], "dryRun"), true);
  assert.equal((await server.call("GET", `${maps}/one`)).status, 404);
});

test("webhook configurations are defaulted and validated", async (t) => {
  await using server = await TestServer.start();
  await using hooks = await TestWebhook.start({});
  const path = `${registrations}/mutatingwebhookconfigurations`;
  const entry = (more: object) =>
    configuration("Mutating", "one", hooks.entry("/x", configMaps, { ...more }));
  const cases: readonly (readonly [string, object, string])[] = [
    [
      "a short name",
      { name: "x" },
      'webhooks[0].name: Invalid value: "x": should be a domain with at least three segments separated by dots',
    ],
    [
      "side effects",
      { sideEffects: "Some" },
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
    [
      "no versions",
      { admissionReviewVersions: [] },
      "webhooks[0].admissionReviewVersions: Required value: must specify one of v1, v1beta1",
    ],
    [
      "a long timeout",
      { timeoutSeconds: 31 },
      "webhooks[0].timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds",
    ],
    [
      "a missing clientConfig",
      { clientConfig: {} },
      "webhooks[0].clientConfig: Required value: exactly one of url or service is required",
    ],
    [
      "an invalid condition",
      { matchConditions: [{ name: "c", expression: "1 +" }] },
      'webhooks[0].matchConditions[0].expression: Invalid value: "1 +": compilation failed',
    ],
  ];
  for (const [name, more, text] of cases) {
    await t.test(name, async () => {
      const response = await server.call("POST", path, json(entry(more)));
      assert.equal(response.status, 422, response.text);
      assert.ok(message(response).includes(text), message(response));
    });
  }
  const { body } = await server.call("POST", path, json(entry({})));
  const [webhook] = listAt(body, "webhooks");
  assert.equal(valueAt(webhook, "failurePolicy"), "Fail");
  assert.equal(valueAt(webhook, "timeoutSeconds"), 10);
  assert.equal(valueAt(webhook, "reinvocationPolicy"), "Never");
  assert.equal(valueAt(webhook, "matchPolicy"), "Equivalent");
  assert.equal(valueAt(listAt(webhook, "rules")[0], "scope"), "*");
});

test("a long patch of a webhook is applied in a thread, and validating webhooks are called concurrently", async (t) => {
  await using server = await TestServer.start();
  let [asked, most] = [0, 0];
  const slow = async () => {
    most = Math.max(most, ++asked);
    await new Promise((resolve) => setTimeout(resolve, 20));
    asked--;
    return { allowed: true };
  };
  const copies = Array.from({ length: 5_000 }, (_, at) => ({
    op: "copy",
    from: "/metadata/labels",
    path: `/metadata/annotations/${at % 2}`,
  }));
  const data = { op: "add", path: "/data", value: { a: "b" } };
  const cleaned = ["0", "1"].map((at) => ({ op: "remove", path: `/metadata/annotations/${at}` }));
  await using hooks = await TestWebhook.start({
    "/long": () => patching(...copies, ...cleaned, data),
    "/slow": slow,
  });
  await register(server, configuration("Mutating", "long", hooks.entry("/long", configMaps)));
  const many = Array.from({ length: 40 }, (_, at) => ({
    ...hooks.entry("/slow", configMaps),
    name: `slow-${at}.example.com`,
  }));
  await register(server, configuration("Validating", "slow", ...many));
  const run = t.mock.method(sharedThreads, "run");
  const labels = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`l${at}`, "v"]));
  const response = await server.call("POST", maps, configMap("one", { labels, annotations: { x: "y" } }));
  assert.deepEqual(valueAt(response.body, "data"), { a: "b" }, response.text);
  assert.deepEqual(
    run.mock.calls.map(({ arguments: [, task] }) => task.name),
    ["applyPatch"],
  );
  assert.ok(most > 1 && most <= 16, `${most} at once`);
});

test("a webhook with reinvocation is called again after a later change of the object", async () => {
  await using server = await TestServer.start();
  const note = (name: string) => (request: unknown) =>
    patching({
      op: "add",
      path: "/data",
      value: { seen: `${scalarStringAt(valueAt(request, "object"), "data", "seen")}${name}` },
    });
  await using hooks = await TestWebhook.start({ "/a": note("a"), "/b": note("b"), "/c": note("c") });
  await register(
    server,
    configuration(
      "Mutating",
      "all",
      hooks.entry("/a", configMaps, { reinvocationPolicy: "IfNeeded" }),
      hooks.entry("/b", configMaps),
      hooks.entry("/c", configMaps, { reinvocationPolicy: "IfNeeded" }),
    ),
  );
  const response = await server.call("POST", maps, configMap("one"));
  assert.deepEqual(valueAt(response.body, "data"), { seen: "abca" });
});

test("a slow webhook fails after its timeout", async () => {
  await using server = await TestServer.start();
  await using hooks = await TestWebhook.start({ "/slow": () => undefined });
  const entry = hooks.entry("/slow", configMaps, { timeoutSeconds: 1 });
  await register(server, configuration("Validating", "slow", entry));
  const response = await server.call("POST", maps, configMap("one"));
  assert.equal(response.status, 500);
  assert.match(message(response), /slow\?timeout=1s": context deadline exceeded$/);
});

test("webhook configurations skip all webhooks", async () => {
  await using server = await TestServer.start();
  await using hooks = await TestWebhook.start({ "/no": () => ({ allowed: false }) });
  await register(server, configuration("Validating", "all", hooks.entry("/no", { resources: ["*"] })));
  assert.equal((await server.call("POST", maps, configMap("one"))).status, 400);
  await register(server, configuration("Mutating", "more"));
  const path = `${registrations}/validatingwebhookconfigurations/all`;
  assert.equal((await server.call("DELETE", path)).status, 200);
  await until(async () => (await server.call("POST", maps, configMap("one"))).status === 201);
});

test("a cluster's owner can add in-process admission", async () => {
  await using server = await TestServer.start();
  server.cluster.addAdmission({
    handles: ({ resource }) => resource.type.plural === "configmaps",
    mutate: async ({ object }) => {
      assert.ok(object);
      return { ...object, data: { added: "yes" } };
    },
    validate: async ({ object }) => assert.deepEqual(object?.data, { added: "yes" }),
  });
  const response = await server.call("POST", maps, configMap("one"));
  assert.deepEqual(valueAt(response.body, "data"), { added: "yes" });
});

test("match conditions skip a webhook, and their errors follow its failure policy", async (t) => {
  const cases: readonly (readonly [string, string, Readonly<Record<string, unknown>>, number])[] = [
    ["a true condition calls the webhook", "request.userInfo.username == 'system:admin'", {}, 400],
    ["a false condition skips the webhook", "object.metadata.name == 'other'", {}, 201],
    ["a failed condition rejects the request", "object.absent == 1", {}, 403],
    [
      "a failed condition with failure policy Ignore accepts the request",
      "object.absent == 1",
      { failurePolicy: "Ignore" },
      201,
    ],
    [
      "a condition that checks permissions of the user",
      "authorizer.group('').resource('secrets').check('get').allowed()",
      {},
      400,
    ],
  ];
  for (const [name, expression, more, status] of cases) {
    await t.test(name, async () => {
      await using server = await TestServer.start();
      await using hooks = await TestWebhook.start({ "/no": () => ({ allowed: false }) });
      const matchConditions = [{ name: "c", expression }];
      await register(
        server,
        configuration("Validating", "no", hooks.entry("/no", configMaps, { matchConditions, ...more })),
      );
      assert.equal((await server.call("POST", maps, configMap("one"))).status, status);
    });
  }
});

test("webhooks receive pod connections and evictions", async () => {
  await using server = await TestServer.start();
  await using hooks = await TestWebhook.start({ "/no": () => ({ allowed: false, status: { code: 403 } }) });
  const rule = { resources: ["pods/exec", "pods/eviction"] };
  await register(server, configuration("Validating", "no", hooks.entry("/no", rule)));
  const pods = "/api/v1/namespaces/default/pods";
  const spec = { containers: [{ name: "a", image: "a" }] };
  await server.call("POST", pods, json({ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec }));
  const exec = await server.call("POST", `${pods}/p/exec?command=sh&command=-c&stdin=true&container=a`);
  assert.equal(exec.status, 403, exec.text);
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } };
  assert.equal((await server.call("POST", `${pods}/p/eviction`, json(eviction))).status, 403);
  const [connect, create] = hooks.requests;
  assert.equal(scalarStringAt(connect, "operation"), "CONNECT");
  assert.deepEqual(valueAt(connect, "kind"), { group: "", version: "v1", kind: "PodExecOptions" });
  assert.deepEqual(valueAt(connect, "object"), {
    apiVersion: "v1",
    kind: "PodExecOptions",
    command: ["sh", "-c"],
    stdin: true,
    container: "a",
  });
  assert.equal(scalarStringAt(create, "operation"), "CREATE");
  assert.deepEqual(valueAt(create, "kind"), { group: "policy", version: "v1", kind: "Eviction" });
});
