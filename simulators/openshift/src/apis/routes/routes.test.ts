import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../testing/api-world.ts";

const routes = "/apis/route.openshift.io/v1/namespaces/default/routes";

function route(name: string, spec: Readonly<Record<string, unknown>>): object {
  return { apiVersion: "route.openshift.io/v1", kind: "Route", metadata: { name }, spec };
}

test("a route gets a generated host and is admitted", async () => {
  await using world = await ApiWorld.start();
  const { status, body } = await world.call("POST", routes, { body: route("web", { to: { name: "web" } }) });
  assert.equal(status, 201);
  assert.equal(stringAt(body, "spec", "host"), "web-default.apps.demo.eastus.keelson.localhost");
  assert.deepEqual(valueAt(body, "spec", "to"), { kind: "Service", name: "web", weight: 100 });
  await eventually(async () => {
    const { body: found } = await world.call("GET", `${routes}/web`);
    const [ingress] = listAt(found, "status", "ingress");
    assert.equal(stringAt(ingress, "host"), "web-default.apps.demo.eastus.keelson.localhost");
    assert.equal(stringAt(listAt(ingress, "conditions")[0], "status"), "True");
  });
});

test("empty fields get their defaults because Go clients send omitted fields as empty", async () => {
  await using world = await ApiWorld.start();
  const empty = { kind: "", name: "web", weight: null };
  const spec = {
    host: "",
    to: empty,
    alternateBackends: [empty],
    tls: { termination: "" },
    wildcardPolicy: "",
  };
  const { status, body } = await world.call("POST", routes, { body: route("web", spec) });
  assert.equal(status, 201, JSON.stringify(body));
  const target = { kind: "Service", name: "web", weight: 100 };
  assert.deepEqual(valueAt(body, "spec"), {
    host: "web-default.apps.demo.eastus.keelson.localhost",
    to: target,
    alternateBackends: [target],
    tls: { termination: "edge" },
    wildcardPolicy: "None",
  });
});

test("a host belongs to its oldest route until that route is deleted", async () => {
  await using world = await ApiWorld.start();
  const spec = { host: "shop.example.com", to: { name: "web" } };
  await world.call("POST", routes, { body: route("first", spec) });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await world.call("POST", routes, { body: route("second", spec) });
  const admitted = async (name: string) => {
    const { body } = await world.call("GET", `${routes}/${name}`);
    return stringAt(listAt(listAt(body, "status", "ingress")[0], "conditions")[0], "status");
  };
  await eventually(async () =>
    assert.deepEqual([await admitted("first"), await admitted("second")], ["True", "False"]),
  );
  await world.call("DELETE", `${routes}/first`);
  await eventually(async () => assert.equal(await admitted("second"), "True"));
});

test("invalid routes are rejected", async (t) => {
  await using world = await ApiWorld.start();
  const cases: readonly (readonly [string, Readonly<Record<string, unknown>>, RegExp])[] = [
    ["no service", { to: {} }, /spec\.to\.name: Required value/],
    ["a bad host", { host: "Not A Host", to: { name: "web" } }, /spec\.host: Invalid value/],
    ["a weight", { to: { name: "web", weight: 300 } }, /spec\.to\.weight: Invalid value/],
    [
      "a termination",
      { to: { name: "web" }, tls: { termination: "x" } },
      /spec\.tls\.termination: Unsupported value/,
    ],
  ];
  for (const [name, spec, message] of cases) {
    await t.test(name, async () => {
      const { status, body } = await world.call("POST", routes, { body: route("web", spec) });
      assert.equal(status, 422);
      assert.match(stringAt(body, "message") ?? "", message);
    });
  }
});

test("OpenAPI documents describe the fields of routes, and values of a wrong type are rejected", async () => {
  await using world = await ApiWorld.start();
  const { body } = await world.call("GET", "/openapi/v3/apis/route.openshift.io/v1");
  const schemas = valueAt(body, "components", "schemas");
  assert.match(JSON.stringify(schemas), /"insecureEdgeTerminationPolicy":\{[^}]*"type":"string"/);
  const wrong = await world.call("POST", routes, {
    body: route("wrong", { to: { name: "web", weight: "x" } }),
  });
  assert.equal(wrong.status, 422, JSON.stringify(wrong.body));
  const port = { to: { name: "web" }, port: { targetPort: "http" } };
  assert.equal((await world.call("POST", routes, { body: route("named", port) })).status, 201);
});
