import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { ApiWorld } from "../testing/api-world.ts";

const base = "/apis/image.openshift.io/v1/namespaces/default";
const merge = "application/merge-patch+json";

function stream(name: string, tags: readonly object[]): object {
  return { apiVersion: "image.openshift.io/v1", kind: "ImageStream", metadata: { name }, spec: { tags } };
}

function dockerTag(name: string, image: string): object {
  return { name, from: { kind: "DockerImage", name: image } };
}

function imported(name: string, tag: string, spec: object): object {
  return {
    apiVersion: "image.openshift.io/v1",
    kind: "ImageStreamImport",
    metadata: { name },
    spec: {
      import: true,
      images: [{ from: { kind: "DockerImage", name: `quay.io/team/${name}:${tag}` }, to: { name: tag } }],
      ...spec,
    },
  };
}

test("tags of a new stream are imported soon, and are separate objects", async () => {
  await using world = await ApiWorld.start();
  const body = stream("ruby", [
    dockerTag("3.3", "registry.example.com/ubi9/ruby-33:1"),
    { name: "latest", from: { kind: "ImageStreamTag", name: "3.3" } },
  ]);
  const created = await world.call("POST", `${base}/imagestreams`, { body });
  assert.equal(created.status, 201);
  assert.equal(
    stringAt(created.body, "status", "dockerImageRepository"),
    "image-registry.openshift-image-registry.svc:5000/default/ruby",
  );
  await eventually(async () => {
    const { status, body: tag } = await world.call("GET", `${base}/imagestreamtags/ruby:latest`);
    assert.equal(status, 200);
    assert.match(
      stringAt(tag, "image", "dockerImageReference") ?? "",
      /^registry\.example\.com\/ubi9\/ruby-33@sha256:[0-9a-f]{64}$/,
    );
    assert.equal(stringAt(tag, "metadata", "name"), "ruby:latest");
    assert.equal(stringAt(tag, "tag", "from", "name"), "3.3");
  });
  const whole = await world.call("GET", `${base}/imagestreams/ruby`);
  const [first] = listAt(whole.body, "status", "tags");
  const digest = stringAt(listAt(first, "items")[0], "image") ?? "";
  const image = await world.call("GET", `/apis/image.openshift.io/v1/images/${digest}`);
  assert.equal(stringAt(image.body, "metadata", "name"), digest);
  const streamImage = await world.call("GET", `${base}/imagestreamimages/ruby@${digest}`);
  assert.equal(stringAt(streamImage.body, "image", "metadata", "name"), digest);
  const patched = await world.call("PATCH", `${base}/imagestreamimages/ruby@${digest}`, {
    contentType: merge,
    body: {},
  });
  assert.equal(patched.status, 405);
  const tags = await world.call("GET", `${base}/imagetags`);
  assert.deepEqual(
    listAt(tags.body, "items").map((each) => stringAt(each, "metadata", "name")),
    ["ruby:3.3", "ruby:latest"],
  );
  const layers = await world.call("GET", `${base}/imagestreams/ruby/layers`);
  assert.ok(Object.keys(Object(valueAt(layers.body, "images"))).includes(digest));
});

test("a tag keeps its generation unless its source changes or a client sets 0", async () => {
  await using world = await ApiWorld.start();
  const path = `${base}/imagestreams/go`;
  const one = dockerTag("1", "quay.io/a/go:1");
  const two = dockerTag("2", "quay.io/a/go:2");
  const generations = async (tags: readonly object[]) => {
    const body = { spec: { tags } };
    const { body: patched } = await world.call("PATCH", path, { contentType: merge, body });
    const { generation } = Object(valueAt(patched, "metadata"));
    return listAt(patched, "spec", "tags").map((tag) => valueAt(tag, "generation") === generation);
  };
  const body = stream("go", [one, { ...two, generation: 7 }]);
  const { body: created } = await world.call("POST", `${base}/imagestreams`, { body });
  assert.deepEqual(
    listAt(created, "spec", "tags").map((tag) => valueAt(tag, "generation")),
    [1, 1],
  );
  assert.deepEqual(await generations([{ ...one, annotations: { note: "a" } }, two]), [false, false]);
  assert.deepEqual(await generations([{ ...one, generation: 9 }, dockerTag("2", "quay.io/a/go:3")]), [
    false,
    true,
  ]);
  assert.deepEqual(await generations([{ ...one, generation: 0 }, dockerTag("2", "quay.io/a/go:3")]), [
    true,
    false,
  ]);
});

test("all tags of a stream are imported in one write with its time, at the stream's next generation", async () => {
  await using world = await ApiWorld.start();
  const changes: KubeObject[] = [];
  const stop = new AbortController();
  const watching = (async () => {
    const ref = { group: "image.openshift.io", version: "v1", resource: "imagestreams" };
    for await (const event of world.client.watch(ref, {}, stop.signal))
      if (event.type !== "BOOKMARK" && event.type !== "DELETED") changes.push(event.object);
  })();
  const names = ["1", "2", "3"];
  const body = stream("app", [
    ...names.map((name) => dockerTag(name, `quay.io/team/app:${name}`)),
    { name: "latest", from: { kind: "ImageStreamTag", name: "3" } },
  ]);
  await world.call("POST", `${base}/imagestreams`, { body });
  await eventually(async () => assert.equal(changes.length, 2));
  // Sends a final change. When the watch reports it, the watch has already reported all earlier changes.
  await world.call("PATCH", `${base}/imagestreams/app`, {
    contentType: merge,
    body: { metadata: { labels: { last: "" } } },
  });
  await eventually(async () => assert.equal(stringAt(changes.at(-1), "metadata", "labels", "last"), ""));
  stop.abort();
  await watching;
  assert.equal(changes.length, 3, "created, imported, labelled");
  const [created, done] = changes;
  assert.equal(created?.metadata.generation, 1);
  assert.equal(done?.metadata.generation, 2);
  assert.match(done?.metadata.annotations?.["openshift.io/image.dockerRepositoryCheck"] ?? "", /^\d{4}-.*Z$/);
  for (const name of names) {
    const [wanted, found]: readonly unknown[] = [
      listAt(done, "spec", "tags").find((each) => stringAt(each, "name") === name),
      listAt(done, "status", "tags").find((each) => stringAt(each, "tag") === name),
    ];
    assert.equal(valueAt(wanted, "generation"), 2);
    assert.equal(valueAt(listAt(found, "items")[0], "generation"), 2);
  }
  const latest = listAt(done, "status", "tags").find((each) => stringAt(each, "tag") === "latest");
  assert.equal(listAt(latest, "items").length, 1);
});

test("a failed import is in the stream's status", async (t) => {
  const cases: readonly (readonly [string, Record<string, string | number>, string, RegExp])[] = [
    [
      "no access",
      { image: "*", code: 401 },
      "Unauthorized",
      /^you may not have access to the container image "quay\.io\/team\/app:1"$/,
    ],
    [
      "no such tag",
      { image: "*", code: 404 },
      "NotFound",
      /^dockerimage\.image\.openshift\.io "quay\.io\/team\/app:1" not found$/,
    ],
    [
      "a broken registry",
      { image: "*", code: 503, message: "out of order" },
      "InternalError",
      /^Internal error occurred: .*out of order$/,
    ],
  ];
  for (const [name, parameters, reason, message] of cases) {
    await t.test(name, async () => {
      await using world = await ApiWorld.start();
      world.fault({ parameters });
      await world.call("POST", `${base}/imagestreams`, {
        body: stream("app", [dockerTag("1", "quay.io/team/app:1")]),
      });
      await eventually(async () => {
        const { body } = await world.call("GET", `${base}/imagestreams/app`);
        const [tag] = listAt(body, "status", "tags");
        const [condition] = listAt(tag, "conditions");
        assert.equal(stringAt(condition, "type"), "ImportSuccess");
        assert.equal(stringAt(condition, "status"), "False");
        assert.equal(stringAt(condition, "reason"), reason);
        assert.match(stringAt(condition, "message") ?? "", message);
        assert.equal(
          valueAt(condition, "generation"),
          valueAt(listAt(body, "spec", "tags")[0], "generation"),
        );
      });
    });
  }
});

test("an import on demand returns a result per image, and repairs a failed tag", async () => {
  await using world = await ApiWorld.start();
  world.fault({ parameters: { image: "quay.io/team/bad:*", code: 401 } });
  const both = {
    images: [
      { from: { kind: "DockerImage", name: "quay.io/team/good:1" }, to: { name: "good" } },
      { from: { kind: "DockerImage", name: "quay.io/team/bad:1" }, to: { name: "bad" } },
    ],
  };
  const first = await world.call("POST", `${base}/imagestreamimports`, { body: imported("app", "1", both) });
  assert.equal(first.status, 201);
  const [good, bad] = listAt(first.body, "status", "images");
  assert.equal(stringAt(good, "status", "status"), "Success");
  assert.match(stringAt(good, "image", "metadata", "name") ?? "", /^sha256:/);
  assert.equal(stringAt(bad, "status", "status"), "Failure");
  assert.equal(stringAt(bad, "status", "reason"), "Unauthorized");
  assert.equal(stringAt(first.body, "status", "import", "metadata", "name"), "app");
  world.faults.clear();
  await world.call("POST", `${base}/imagestreamimports`, { body: imported("app", "1", both) });
  const { body } = await world.call("GET", `${base}/imagestreamtags/app:bad`);
  assert.match(stringAt(body, "image", "dockerImageReference") ?? "", /^quay\.io\/team\/bad@sha256:/);
});

test("an import on demand can be a dry run, can be slow, and rejects an old stream", async () => {
  await using world = await ApiWorld.start();
  world.fault({ parameters: { image: "*", delayMs: 50 } });
  const before = Date.now();
  const looked = await world.call("POST", `${base}/imagestreamimports`, {
    body: imported("app", "1", { import: false }),
  });
  assert.ok(Date.now() - before >= 45);
  assert.equal(stringAt(listAt(looked.body, "status", "images")[0], "status", "status"), "Success");
  assert.equal((await world.call("GET", `${base}/imagestreams/app`)).status, 404);
  await world.call("POST", `${base}/imagestreams`, { body: stream("app", []) });
  const old = { ...imported("app", "1", {}), metadata: { name: "app", resourceVersion: "1" } };
  assert.equal((await world.call("POST", `${base}/imagestreamimports`, { body: old })).status, 409);
  const wrong = imported("app", "1", { images: [{ from: { kind: "Pod", name: "x" } }] });
  assert.equal((await world.call("POST", `${base}/imagestreamimports`, { body: wrong })).status, 422);
});

test("tags are created, changed and deleted as objects; they cannot be watched", async () => {
  await using world = await ApiWorld.start();
  const tag = (image: string) => ({
    apiVersion: "image.openshift.io/v1",
    kind: "ImageStreamTag",
    metadata: { name: "app:1" },
    tag: { name: "1", from: { kind: "DockerImage", name: image } },
  });
  const path = `${base}/imagestreamtags`;
  assert.equal((await world.call("POST", path, { body: tag("quay.io/team/app:1") })).status, 201);
  assert.equal((await world.call("POST", path, { body: tag("quay.io/team/app:1") })).status, 409);
  const reference = async () =>
    stringAt((await world.call("GET", `${path}/app:1`)).body, "image", "dockerImageReference") ?? "";
  await eventually(async () => assert.match(await reference(), /team\/app@/));
  const changed = await world.call("PATCH", `${path}/app:1`, {
    contentType: merge,
    body: { tag: { from: { name: "quay.io/team/other:2" } } },
  });
  assert.equal(changed.status, 200);
  await eventually(async () => assert.match(await reference(), /team\/other@/));
  assert.equal((await world.call("GET", `${path}?watch=true`)).status, 405);
  assert.equal((await world.call("DELETE", `${path}/app:1`)).status, 200);
  const gone = await world.call("GET", `${path}/app:1`);
  assert.equal(gone.status, 404);
  assert.equal(stringAt(gone.body, "message"), 'imagestreamtags.image.openshift.io "app:1" not found');
  assert.equal((await world.call("GET", `${path}/app`)).status, 400);
});

test("a mapping puts a pushed image into its stream", async () => {
  await using world = await ApiWorld.start();
  await world.call("POST", `${base}/imagestreams`, { body: stream("app", []) });
  const name = `sha256:${"a".repeat(64)}`;
  const body = {
    apiVersion: "image.openshift.io/v1",
    kind: "ImageStreamMapping",
    metadata: { name: "app" },
    tag: "pushed",
    image: { metadata: { name }, dockerImageReference: `internal/default/app@${name}` },
  };
  assert.equal((await world.call("POST", `${base}/imagestreammappings`, { body })).status, 201);
  const found = await world.call("GET", `${base}/imagestreamtags/app:pushed`);
  assert.equal(stringAt(found.body, "image", "metadata", "name"), name);
});

test("a table of tags has their columns", async () => {
  await using world = await ApiWorld.start();
  await world.call("POST", `${base}/imagestreamimports`, { body: imported("app", "1", {}) });
  const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const { body } = await world.call("GET", `${base}/imagestreamtags`, { accept });
  assert.deepEqual(
    listAt(body, "columnDefinitions").map((each) => stringAt(each, "name")),
    ["Name", "Image Reference", "Updated", "Image Name"],
  );
  assert.equal(listAt(listAt(body, "rows")[0], "cells")[0], "app:1");
});
