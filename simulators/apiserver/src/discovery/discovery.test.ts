import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, stringsAt, valueAt } from "@keelson/base";
import { TestServer } from "../testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

const accept = (version: string) =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json`;

test("one document contains all groups, in the version that a client requests", async () => {
  for (const version of ["v2", "v2beta1"]) {
    const answer = await server.call("GET", "/apis", { headers: { accept: accept(version) } });
    assert.equal(
      answer.headers["content-type"],
      `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    );
    assert.equal(scalarStringAt(answer.body, "apiVersion"), `apidiscovery.k8s.io/${version}`);
    assert.match(answer.headers.etag ?? "", /^"[0-9A-F]{128}"$/);
    assert.equal(answer.headers.vary, "Accept");
    const again = await server.call("GET", "/apis", {
      headers: { accept: accept(version), "if-none-match": answer.headers.etag ?? "" },
    });
    assert.equal(again.status, 304);
  }
  const both = `${accept("v2").split(",")[0]},${accept("v2beta1")}`;
  const preferred = await server.call("GET", "/api", { headers: { accept: both } });
  assert.equal(scalarStringAt(preferred.body, "apiVersion"), "apidiscovery.k8s.io/v2");
});

test("groups are in the clients' order of preference, custom ones last", async () => {
  const { body } = await server.call("GET", "/apis");
  const names = listAt(body, "groups").map((group) => scalarStringAt(group, "name"));
  assert.deepEqual(names.slice(0, 3), ["apiregistration.k8s.io", "apps", "events.k8s.io"]);
  const autoscaling = listAt(body, "groups").find((group) => scalarStringAt(group, "name") === "autoscaling");
  assert.equal(scalarStringAt(autoscaling, "preferredVersion", "version"), "v2");
});

test("resources of a group are sorted by name in both kinds of discovery", async () => {
  for (const plural of ["pears", "apples"]) {
    const kind = plural === "pears" ? "Pear" : "Apple";
    const schema = { openAPIV3Schema: { type: "object" } };
    const answer = await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      body: {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `${plural}.fruit.example.com` },
        spec: {
          group: "fruit.example.com",
          scope: "Namespaced",
          names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
          versions: [{ name: "v1", served: true, storage: true, schema }],
        },
      },
    });
    assert.equal(answer.status, 201);
  }
  const legacy = await server.call("GET", "/apis/fruit.example.com/v1");
  const plain = listAt(legacy.body, "resources").map((each) => scalarStringAt(each, "name") ?? "");
  assert.deepEqual(plain, ["apples", "pears"]);
  const aggregated = await server.call("GET", "/apis", { headers: { accept: accept("v2") } });
  const group = listAt(aggregated.body, "items").find(
    (each) => scalarStringAt(each, "metadata", "name") === "fruit.example.com",
  );
  assert.deepEqual(
    listAt(listAt(group, "versions")[0], "resources").map((each) => scalarStringAt(each, "resource")),
    plain,
  );
});

test("resources have a storage version hash, and subresources have their kind", async () => {
  const { body } = await server.call("GET", "/api/v1");
  const find = (name: string) =>
    listAt(body, "resources").find((each) => scalarStringAt(each, "name") === name);
  // Every kube-apiserver has this hash for ConfigMaps.
  assert.equal(scalarStringAt(find("configmaps"), "storageVersionHash"), "qFsyl6wFWjQ=");
  const kinds = {
    "pods/eviction": "policy/v1 Eviction create",
    "pods/exec": "/ PodExecOptions create,get",
    "pods/log": "/ Pod get",
    "pods/ephemeralcontainers": "/ Pod get,patch,update",
    "serviceaccounts/token": "authentication.k8s.io/v1 TokenRequest create",
    "nodes/proxy": "/ NodeProxyOptions create,delete,get,patch,update",
    "replicationcontrollers/scale": "autoscaling/v1 Scale get,patch,update",
  };
  for (const [name, expected] of Object.entries(kinds)) {
    const found = find(name);
    const told = `${scalarStringAt(found, "group")}/${scalarStringAt(found, "version")} ${scalarStringAt(found, "kind")} ${stringsAt(found, "verbs")}`;
    assert.equal(told, expected, name);
  }
});

test("kinds of built-in resources have no group and version", async () => {
  const kindsAt = async (path: string) => {
    const { body } = await server.call("GET", path, { headers: { accept: accept("v2") } });
    const resources = listAt(body, "items")
      .flatMap((group) => listAt(group, "versions"))
      .flatMap((version) => listAt(version, "resources"));
    return new Map(
      resources.map((each) => [scalarStringAt(each, "resource"), valueAt(each, "responseKind")]),
    );
  };
  assert.deepEqual((await kindsAt("/api")).get("pods"), { group: "", version: "", kind: "Pod" });
  const custom = { group: "fruit.example.com", version: "v1", kind: "Apple" };
  assert.deepEqual((await kindsAt("/apis")).get("apples"), custom);
  assert.equal(valueAt((await server.call("GET", "/api/v1")).body, "apiVersion"), undefined);
});

test("long responses are compressed if the client accepts it", async () => {
  const data = { text: "x".repeat(140_000) };
  await server.call("POST", "/api/v1/namespaces/default/configmaps", {
    body: { metadata: { name: "long" }, data },
  });
  const path = "/api/v1/namespaces/default/configmaps/long";
  const plain = await server.call("GET", path);
  assert.equal(plain.headers["content-encoding"], undefined);
  const response = await server.open("GET", path, { headers: { "accept-encoding": "gzip" } });
  assert.equal(response.headers["content-encoding"], "gzip");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(Buffer.from(chunk));
  const whole: unknown = JSON.parse(gunzipSync(Buffer.concat(chunks)).toString());
  assert.deepEqual(valueAt(whole, "data"), data);
  const short = await server.call("GET", "/api/v1/namespaces/default", {
    headers: { "accept-encoding": "gzip" },
  });
  assert.equal(short.headers["content-encoding"], undefined);
});
