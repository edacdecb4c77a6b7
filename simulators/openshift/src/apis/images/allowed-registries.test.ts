import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../testing/api-world.ts";
import { AllowedRegistries } from "./allowed-registries.ts";
import { parseImageReference } from "./image-reference.ts";

const base = "/apis/image.openshift.io/v1/namespaces/default";

function stream(name: string, images: readonly string[]): object {
  const tags = images.map((image, index) => ({
    name: `${index + 1}`,
    from: { kind: "DockerImage", name: image },
  }));
  return { apiVersion: "image.openshift.io/v1", kind: "ImageStream", metadata: { name }, spec: { tags } };
}

test("which registries a list allows", () => {
  const rows: readonly (readonly [string, string, boolean, boolean])[] = [
    ["quay.io", "quay.io/a/b:1", false, true],
    ["quay.io", "quay.io:443/a/b:1", false, true],
    ["quay.io", "quay.io:5000/a/b:1", false, false],
    ["quay.io:5000", "quay.io:5000/a/b:1", false, true],
    ["quay.io:5000", "quay.io/a/b:1", false, false],
    ["quay.io", "notquay.io/a/b", false, false],
    ["*.example.com", "deep.er.example.com/a/b", false, true],
    ["*.example.com", "example.com/a/b", false, false],
    ["regist?y.io", "registry.io/a/b", false, true],
    ["registry.io:*", "registry.io:1/a/b", false, true],
    ["*", "anything.io/a/b", false, true],
    ["docker.io", "library/ruby", false, true],
    ["registry-1.docker.io", "ruby:1", false, true],
    ["quay.io:80", "quay.io/a/b", false, false],
    ["quay.io:80", "quay.io/a/b", true, true],
  ];
  for (const [domainName, image, insecure, allowed] of rows) {
    const list = new AllowedRegistries([{ domainName, insecure: false }]);
    const reference = parseImageReference(image);
    assert.ok(reference);
    assert.equal(list.refusal(reference, insecure) === undefined, allowed, `${domainName} ${image}`);
  }
  const many = new AllowedRegistries(
    "abcdefgh".split("").map((domainName) => ({ domainName, insecure: true })),
  );
  const reference = parseImageReference("quay.io/a/b");
  assert.ok(reference);
  assert.equal(
    many.refusal(reference, false),
    'registry "quay.io" not allowed by whitelist: "a:80", "b:80", "c:80", "d:80", and 4 more ...',
  );
});

test("a pattern with many stars is matched in linear time", () => {
  const list = new AllowedRegistries([{ domainName: "*a".repeat(2_000), insecure: false }]);
  assert.ok(list.refusal({ registry: "a".repeat(253), repository: "x", tag: "1", digest: "" }, false));
});

test("streams with images of registries that are not allowed are rejected, except for existing images", async () => {
  await using world = await ApiWorld.start();
  const images = "/apis/config.openshift.io/v1/images";
  const old = ["quay.io/team/old:1"];
  assert.equal((await world.call("POST", `${base}/imagestreams`, { body: stream("app", old) })).status, 201);
  const config = {
    apiVersion: "config.openshift.io/v1",
    kind: "Image",
    metadata: { name: "cluster" },
    spec: { allowedRegistriesForImport: [{ domainName: "registry.redhat.io" }] },
  };
  const present = await world.call("PATCH", `${images}/cluster?fieldManager=test&force=true`, {
    contentType: "application/apply-patch+yaml",
    body: config,
  });
  assert.ok(present.status < 300);
  const refused = await world.call("POST", `${base}/imagestreams`, {
    body: stream("new", ["registry.redhat.io/ubi9/ruby-33:1", "quay.io/team/app:1"]),
  });
  assert.equal(refused.status, 422);
  assert.equal(stringAt(refused.body, "reason"), "Invalid");
  assert.equal(
    stringAt(refused.body, "message"),
    'ImageStream.image.openshift.io "new" is invalid: spec.tags[2].from.name: Forbidden: registry "quay.io" not allowed by ' +
      'whitelist: "image-registry.openshift-image-registry.svc:5000", "registry.redhat.io:443"',
  );
  assert.equal(valueAt(refused.body, "details", "causes", 0, "reason"), "FieldValueForbidden");
  const put = async (images: readonly string[]) => {
    const { body } = await world.call("GET", `${base}/imagestreams/app`);
    const resourceVersion = stringAt(body, "metadata", "resourceVersion");
    return world.call("PUT", `${base}/imagestreams/app`, {
      body: { ...stream("app", images), metadata: { name: "app", resourceVersion } },
    });
  };
  await eventually(async () => assert.equal((await put(["quay.io/team/old:2", ...old])).status, 200));
  await eventually(async () => assert.equal((await put([...old, "quay.io/team/another:1"])).status, 422));
});

test("a tag of a different stream resolves to that stream's image at the write, and the stream must exist", async () => {
  await using world = await ApiWorld.start();
  const following = {
    apiVersion: "image.openshift.io/v1",
    kind: "ImageStream",
    metadata: { name: "app" },
    spec: { tags: [{ name: "base", from: { kind: "ImageStreamTag", name: "ruby:1" } }] },
  };
  const refused = await world.call("POST", `${base}/imagestreams`, { body: following });
  assert.equal(refused.status, 422);
  assert.match(
    stringAt(refused.body, "message") ?? "",
    /spec\.tags\[base\]\.from\.name: Not found: "ruby:1"$/,
  );
  await world.call("POST", `${base}/imagestreams`, { body: stream("ruby", ["quay.io/team/ruby:1"]) });
  const digest = async (name: string) => {
    const { body } = await world.call("GET", `${base}/imagestreams/${name}`);
    return stringAt(listAt(listAt(body, "status", "tags")[0], "items")[0], "image");
  };
  await eventually(async () => assert.match((await digest("ruby")) ?? "", /^sha256:/));
  assert.equal((await world.call("POST", `${base}/imagestreams`, { body: following })).status, 201);
  await eventually(async () => assert.equal(await digest("app"), await digest("ruby")));
});

test("tables have the columns that oc prints", async () => {
  await using world = await ApiWorld.start();
  const names = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const tags = names.map((name) => ({
    name,
    from: { kind: "DockerImage", name: `quay.io/team/app:${name}` },
  }));
  const body = {
    apiVersion: "image.openshift.io/v1",
    kind: "ImageStream",
    metadata: { name: "app" },
    spec: { tags },
  };
  await world.call("POST", `${base}/imagestreams`, { body });
  const template = {
    apiVersion: "template.openshift.io/v1",
    kind: "Template",
    metadata: { name: "app", annotations: { description: `${"long ".repeat(30)}\nsecond line` } },
    parameters: [
      { name: "A", value: "1" },
      { name: "B", generate: "expression", from: "[a-z]{3}" },
      { name: "C" },
    ],
    objects: [{ apiVersion: "v1", kind: "Service", metadata: { name: "a" } }],
  };
  const templates = "/apis/template.openshift.io/v1/namespaces/default/templates";
  assert.equal((await world.call("POST", templates, { body: template })).status, 201);
  const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
  await eventually(async () => {
    const { body } = await world.call("GET", `${base}/imagestreams`, { accept });
    assert.deepEqual(
      listAt(body, "columnDefinitions").map((each) => stringAt(each, "name")),
      ["Name", "Image Repository", "Tags", "Updated"],
    );
    const [, repository, shown, updated] = listAt(listAt(body, "rows")[0], "cells");
    assert.equal(repository, "image-registry.openshift-image-registry.svc:5000/default/app");
    assert.equal(shown, "eight,five,four,nine,one,seven,six,ten + 2 more...");
    assert.match(String(updated), / ago$/);
  });
  const { body: table } = await world.call("GET", templates, { accept });
  assert.deepEqual(
    listAt(table, "columnDefinitions").map((each) => stringAt(each, "name")),
    ["Name", "Description", "Parameters", "Objects"],
  );
  const cells = listAt(listAt(table, "rows")[0], "cells");
  assert.deepEqual(cells.slice(2), ["3 (1 blank)", 1]);
  assert.match(String(cells[1]), /^(?:long ){15}l?o?n?g?\.\.\.$/);
});
