import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listAt, stringAt, valueAt } from "@keelson/base";
import { eventually } from "@keelson/base/testing/eventually";
import { resources } from "../../base/resources.ts";
import { operatorHub } from "../../controllers/operator-hub/controller.ts";
import { ApiWorld } from "../testing/api-world.ts";
import { marketplaceNamespace } from "./default-catalogs.ts";

let world: ApiWorld;
before(async () => {
  world = await ApiWorld.start([operatorHub]);
  await world.client.create(resources.namespaces, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: marketplaceNamespace },
  });
  await world.client.create(resources.operatorHubs, {
    apiVersion: "config.openshift.io/v1",
    kind: "OperatorHub",
    metadata: { name: "cluster" },
    spec: {},
  });
});
after(() => world?.[Symbol.asyncDispose]());

const manifests = (namespace = "default") =>
  `/apis/packages.operators.coreos.com/v1/namespaces/${namespace}/packagemanifests`;
const namesFrom = async (catalog: string) => {
  const { body } = await world.call("GET", `${manifests()}?labelSelector=catalog%3D${catalog}`);
  return listAt(body, "items").map((each) => stringAt(each, "metadata", "name"));
};

test("PackageManifests list the packages of the default catalogues in every namespace", async () => {
  await eventually(async () =>
    assert.ok((await namesFrom("community-operators")).includes("grafana-operator")),
  );
  const { status, body } = await world.call("GET", `${manifests()}/openshift-gitops-operator`);
  assert.equal(status, 200);
  assert.equal(stringAt(body, "metadata", "namespace"), "default");
  assert.equal(stringAt(body, "status", "catalogSource"), "redhat-operators");
  assert.equal(stringAt(body, "status", "catalogSourceNamespace"), marketplaceNamespace);
  const channel = stringAt(body, "status", "defaultChannel");
  assert.equal(stringAt(body, "status", "channels", 0, "name"), channel);
  assert.match(
    stringAt(body, "status", "channels", 0, "currentCSV") ?? "",
    /^openshift-gitops-operator\.v\d/,
  );
  const missing = await world.call("GET", `${manifests()}/none`);
  assert.equal(missing.status, 404);
  assert.equal(
    stringAt(missing.body, "message"),
    'packagemanifests.packages.operators.coreos.com "none" not found',
  );
  const all = await world.call("GET", "/apis/packages.operators.coreos.com/v1/packagemanifests");
  assert.equal(stringAt(all.body, "items", 0, "metadata", "namespace"), marketplaceNamespace);
  const source = await world.client.get(resources.catalogSources, {
    namespace: marketplaceNamespace,
    name: "redhat-operators",
  });
  assert.match(stringAt(source, "spec", "image") ?? "", /redhat-operator-index:v4\.\d+$/);
});

test("a catalogue of one namespace adds its packages only there", async () => {
  const source = {
    apiVersion: "operators.coreos.com/v1alpha1",
    kind: "CatalogSource",
    metadata: { namespace: "openshift", name: "mirror" },
    spec: { sourceType: "grpc", image: "mirror.example.com:5000/x/certified-operator-index@sha256:0" },
  };
  await world.client.create(resources.catalogSources, source);
  const unknown = { ...source.spec, image: "mirror.example.com:5000/own-index:v1" };
  const own = { ...source, metadata: { namespace: "openshift", name: "own" }, spec: unknown };
  await world.client.create(resources.catalogSources, own);
  const from = async (namespace: string) => {
    const { body } = await world.call("GET", `${manifests(namespace)}?labelSelector=catalog+in+(mirror,own)`);
    return listAt(body, "items").length;
  };
  assert.equal(await from("openshift"), 3);
  assert.equal(await from("default"), 0);
});

test("OperatorHub disables and enables default catalogues", async () => {
  const patch = (spec: object) =>
    world.call("PATCH", "/apis/config.openshift.io/v1/operatorhubs/cluster", {
      body: { spec },
      contentType: "application/merge-patch+json",
    });
  const sources = async () => {
    const hub = await world.client.get(resources.operatorHubs, { name: "cluster" });
    return listAt(hub, "status", "sources").filter((each) => valueAt(each, "disabled") === true).length;
  };
  await patch({ sources: [{ name: "redhat-operators", disabled: true }] });
  await eventually(async () => assert.deepEqual(await namesFrom("redhat-operators"), []));
  await eventually(async () => assert.equal(await sources(), 1));
  await patch({ disableAllDefaultSources: true, sources: [{ name: "redhat-operators", disabled: false }] });
  await eventually(async () => {
    assert.ok((await namesFrom("redhat-operators")).includes("loki-operator"));
    assert.deepEqual(await namesFrom("certified-operators"), []);
  });
});

test("a response contains the packages of at most 50 catalogues per namespace, with shortened texts", async () => {
  const crowded = "crowded";
  await world.client.create(resources.namespaces, {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: crowded },
  });
  const create = (name: string, spec: object) =>
    world.client.create(resources.catalogSources, {
      apiVersion: "operators.coreos.com/v1alpha1",
      kind: "CatalogSource",
      metadata: { namespace: crowded, name },
      spec: { sourceType: "grpc", priority: 1, ...spec },
    });
  const displayName = "d".repeat(100_000);
  for (let at = 0; at < 60; at++)
    await create(`many-${100 + at}`, { image: "example.com/redhat-marketplace-index:v1", displayName });
  // A regular expression would need hours for this image.
  await create("hostile", { image: `${"@".repeat(1_000_000)}\n` });
  const catalogs = async (path: string) => {
    const { body } = await world.call("GET", path);
    const items = listAt(body, "items");
    for (const each of items)
      assert.ok((stringAt(each, "status", "catalogSourceDisplayName") ?? "").length <= 256);
    return items.flatMap((each) => {
      const name = stringAt(each, "status", "catalogSource") ?? "";
      return name.startsWith("many-") ? [name] : [];
    });
  };
  const own = await catalogs(manifests(crowded));
  assert.equal(new Set(own).size, 49, "50 catalogues, one of them without packages");
  assert.deepEqual(await catalogs(manifests("default")), []);
  const all = await catalogs("/apis/packages.operators.coreos.com/v1/packagemanifests");
  assert.ok(all.length > 0 && all.length < 50, String(all.length));
  const { status, body } = await world.call("GET", `${manifests(crowded)}/minio-operator-rhmp`);
  assert.equal(status, 200);
  assert.equal(stringAt(body, "metadata", "namespace"), crowded);
  assert.equal(stringAt(body, "status", "catalogSource"), "many-100");
});
