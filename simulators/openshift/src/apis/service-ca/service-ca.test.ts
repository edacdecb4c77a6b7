import assert from "node:assert/strict";
import { test } from "node:test";
import { listAt, stringAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../../base/resources.ts";
import { ApiWorld } from "../testing/api-world.ts";
import { findServiceAuthority } from "./service-ca.ts";

test("every namespace gets the service CA, with many concurrent creations", async () => {
  await using world = await ApiWorld.start();
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      world.call("POST", "/api/v1/namespaces", {
        body: { apiVersion: "v1", kind: "Namespace", metadata: { name: `n${index}` } },
      }),
    ),
  );
  const without = async (): Promise<readonly (string | undefined)[]> => {
    const { body } = await world.call(
      "GET",
      "/api/v1/configmaps?fieldSelector=metadata.name=openshift-service-ca.crt",
    );
    const all = listAt(body, "items");
    assert.ok(all.length >= 20);
    return all
      .filter((each) => !stringAt(each, "data", "service-ca.crt"))
      .map((each) => stringAt(each, "metadata", "namespace"));
  };
  await eventually(async () => assert.deepEqual(await without(), []));
});

test("a deleted ConfigMap with the service CA is restored", async () => {
  await using world = await ApiWorld.start();
  const path = "/api/v1/namespaces/default/configmaps/openshift-service-ca.crt";
  const bundle = async () => stringAt((await world.call("GET", path)).body, "data", "service-ca.crt") ?? "";
  await eventually(async () => assert.match(await bundle(), /BEGIN CERTIFICATE/));
  assert.equal((await world.call("DELETE", path)).status, 200);
  await eventually(async () => assert.match(await bundle(), /BEGIN CERTIFICATE/));
});

test("a namespace's ConfigMap is created with the CA", async () => {
  await using world = await ApiWorld.start();
  await eventually(async () => assert.ok(await findServiceAuthority(world.client)));
  const end = new AbortController();
  const seen: boolean[] = [];
  const watched = (async () => {
    for await (const event of world.client.watch(resources.configMaps, { namespace: "late" }, end.signal))
      if (event.type !== "BOOKMARK" && event.object.metadata.name === "openshift-service-ca.crt")
        seen.push(stringAt(event.object, "data", "service-ca.crt") !== undefined);
  })();
  await world.client.create(resources.namespaces, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "late" },
  });
  await eventually(() => assert.deepEqual(seen, [true]));
  end.abort();
  await watched.catch(() => undefined);
});
