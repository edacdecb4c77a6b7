import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { parse } from "yaml";
import { TestServer, widgets } from "./testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const maps = "/api/v1/namespaces/default/configmaps";
const json = (body: unknown) => ({ headers: { "content-type": "application/json" }, body });

const record = (count: number, value: (at: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value(at)]));

function configMap(name: string, data: object, labels: object = {}) {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels }, data };
}

/** Creates an object from a JSON body. */
async function created(path: string, body: object): Promise<void> {
  const { status, text } = await server.call("POST", path, json(body));
  assert.equal(status, 201, text);
}

test("many concurrent long YAML documents are decoded", async () => {
  const document = (name: string) =>
    `metadata:\n  name: ${name}\ndata:\n${Object.entries(record(2_000, (at) => `value-${at}`))
      .map(([key, value]) => `  ${key}: ${value}\n`)
      .join("")}`;
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      server.call("POST", maps, {
        headers: { "content-type": "application/yaml" },
        body: document(`long-${at}`),
      }),
    ),
  );
  assert.deepEqual(
    responses.map(({ status }) => status),
    responses.map(() => 201),
  );
  assert.equal(valueAt(responses[7]?.body, "data", "k1999"), "value-1999");
});

test("long and short objects are printed as the same YAML", async () => {
  const data = record(2_000, (at) => `line\n${at}: "x"`);
  await created(maps, configMap("printed", data));
  const { text } = await server.call("GET", `${maps}/printed`, { headers: { accept: "application/yaml" } });
  assert.deepEqual(valueAt(parse(text), "data"), data);
});

test("long patches have the same results and errors as short ones", async () => {
  await created(
    maps,
    configMap(
      "patched",
      record(3_000, () => "v"),
    ),
  );
  const patch = (type: string, body: unknown) =>
    server.call("PATCH", `${maps}/patched`, {
      headers: { "content-type": `application/${type}+json` },
      body,
    });
  const copies = Array.from({ length: 8_000 }, (_, at) => ({
    op: "copy",
    from: "/data/k1",
    path: `/data/c${at % 3_000}`,
  }));
  const copied = await patch("json-patch", copies);
  assert.equal(valueAt(copied.body, "data", "c2999"), "v", copied.text.slice(0, 300));
  const failed = await patch("json-patch", [...copies, { op: "remove", path: "/data/none" }]);
  assert.equal(failed.status, 422);
  assert.equal(
    scalarStringAt(failed.body, "message"),
    "the server rejected our request due to an error in our request",
  );
  const merged = await patch("strategic-merge-patch", { data: record(30_000, () => "w") });
  assert.equal(valueAt(merged.body, "data", "k29999"), "w", merged.text.slice(0, 300));
});

test("a patch with many small copies is applied", async () => {
  await created(maps, configMap("small", {}));
  const labels = record(50, () => "v");
  const begin = { op: "add", path: "/metadata/annotations", value: labels };
  const again = Array.from({ length: 5_000 }, () => ({
    op: "copy",
    from: "/metadata/annotations",
    path: "/metadata/labels",
  }));
  const same = await server.call("PATCH", `${maps}/small`, {
    headers: { "content-type": "application/json-patch+json" },
    body: [begin, ...again],
  });
  assert.deepEqual(valueAt(same.body, "metadata", "labels"), labels, same.text.slice(0, 300));
});

test("slow rules and policies have the same messages as fast ones", async () => {
  const [version] = widgets.spec.versions;
  const openAPIV3Schema = {
    type: "object",
    properties: {
      spec: {
        type: "object",
        maxProperties: 500,
        additionalProperties: { type: "string", maxLength: 10 },
        "x-kubernetes-validations": [
          { rule: "self.all(a, self.all(b, a != 'k399' || b != 'k398'))", message: "is a bad pair" },
        ],
      },
    },
  };
  const { additionalPrinterColumns, subresources, ...plain } = version;
  await created("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    ...widgets,
    spec: { ...widgets.spec, versions: [{ ...plain, schema: { openAPIV3Schema } }] },
  });
  const path = "/apis/example.com/v1/namespaces/default/widgets";
  await until(async () => (await server.call("GET", path)).status === 200);
  const widget = (count: number) => ({
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name: "a" },
    spec: record(count, () => "v"),
  });
  const refused = await server.call("POST", path, json(widget(400)));
  assert.equal(refused.status, 422);
  assert.equal(
    scalarStringAt(refused.body, "message"),
    'Widget.example.com "a" is invalid: spec: Invalid value: "object": is a bad pair',
  );
  await created(path, widget(398));

  const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
  await created(policies, {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "pairs" },
    spec: {
      matchConstraints: {
        objectSelector: { matchLabels: { policy: "pairs" } },
        resourceRules: [
          { operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
        ],
      },
      validations: [
        {
          expression: "object.data.all(a, object.data.all(b, a != 'k399' || b != 'k398'))",
          message: "bad pair",
        },
      ],
    },
  });
  await created("/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings", {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "pairs" },
    spec: { policyName: "pairs", validationActions: ["Deny"] },
  });
  const judged = (name: string, count: number) =>
    server.call(
      "POST",
      maps,
      json(
        configMap(
          name,
          record(count, () => "v"),
          { policy: "pairs" },
        ),
      ),
    );
  const denied = await judged("denied", 400);
  assert.equal(denied.status, 422);
  assert.match(
    scalarStringAt(denied.body, "message"),
    /ValidatingAdmissionPolicy 'pairs' with binding 'pairs' denied request: bad pair$/,
  );
  assert.equal((await judged("admitted", 398)).status, 201);
});

test("a column with an expensive path is empty, and an object above etcd's size limit is rejected", async () => {
  const [version] = widgets.spec.versions;
  const { subresources, ...plain } = version;
  const group = "columns.example.com";
  await created("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    ...widgets,
    metadata: { name: `widgets.${group}` },
    spec: {
      ...widgets.spec,
      group,
      versions: [
        {
          ...plain,
          additionalPrinterColumns: [
            { name: "All", type: "string", jsonPath: `.spec${"..a".repeat(6)}` },
            { name: "Colour", type: "string", jsonPath: ".spec.colour" },
          ],
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  });
  const path = `/apis/${group}/v1/namespaces/default/widgets`;
  await until(async () => (await server.call("GET", path)).status === 200);
  const a = Array.from({ length: 300 }).reduce<object>((inner) => ({ a: inner }), {});
  await created(path, {
    apiVersion: `${group}/v1`,
    kind: "Widget",
    metadata: { name: "a" },
    spec: { a, colour: "red" },
  });
  const { body } = await server.call("GET", path, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  });
  assert.deepEqual(valueAt(listAt(body, "rows")[0], "cells"), ["a", null, "red"]);

  const large = await server.call(
    "POST",
    path,
    json({
      apiVersion: `${group}/v1`,
      kind: "Widget",
      metadata: { name: "large" },
      spec: { text: "x".repeat(1_600_000) },
    }),
  );
  assert.deepEqual(large.body, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "etcdserver: request is too large",
    reason: "RequestEntityTooLarge",
    code: 413,
  });
});

test("large objects are validated with the same messages as small ones", async () => {
  const pod = (count: number) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `pod-${count}` },
    spec: {
      containers: [
        {
          name: "a",
          image: "a",
          env: [
            ...Array.from({ length: count }, (_, at) => ({ name: `n${at}`, value: "v".repeat(50) })),
            { name: "", value: "v" },
          ],
        },
      ],
    },
  });
  for (const count of [3, 6_000]) {
    const { status, body } = await server.call("POST", "/api/v1/namespaces/default/pods", json(pod(count)));
    assert.equal(status, 422);
    assert.equal(
      scalarStringAt(body, "message"),
      `Pod "pod-${count}" is invalid: spec.containers[0].env[${count}].name: Required value`,
    );
  }
});
