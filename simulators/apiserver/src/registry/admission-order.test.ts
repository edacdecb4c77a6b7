import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { failures, type KubeObject, scalarStringAt } from "@keelson/apimachinery";
import { valueAt } from "@keelson/base";
import type { Admission, AdmissionRequest } from "../resources/admission-request.ts";
import { TestServer, widgets } from "../testing/test-server.ts";

/** Records admission requests and calls the test's callbacks. */
class Recorder implements Admission {
  asked: { readonly step: string; readonly request: AdmissionRequest }[] = [];
  bucket = "";
  onMutate: (request: AdmissionRequest) => KubeObject | undefined | Promise<KubeObject | undefined> = () =>
    undefined;
  onValidate: (request: AdmissionRequest) => void | Promise<void> = () => undefined;

  handles({ resource }: AdmissionRequest): boolean {
    return resource.bucket === this.bucket;
  }

  async mutate(request: AdmissionRequest): Promise<KubeObject> {
    this.asked.push({ step: "mutate", request });
    const object = (await this.onMutate(request)) ?? request.object ?? request.oldObject;
    assert.ok(object);
    return object;
  }

  async validate(request: AdmissionRequest): Promise<void> {
    this.asked.push({ step: "validate", request });
    await this.onValidate(request);
  }

  steps(): readonly string[] {
    return this.asked.map(({ step, request: { operation, subresource } }) =>
      [step, operation, subresource].join(" ").trim(),
    );
  }
}

let server: TestServer;
const recorder = new Recorder();
before(async () => {
  server = await TestServer.start();
  await server.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", { body: widgets });
  server.cluster.addAdmission(recorder);
});
after(() => server[Symbol.asyncDispose]());
afterEach(() => {
  recorder.asked = [];
  recorder.bucket = "";
  recorder.onMutate = () => undefined;
  recorder.onValidate = () => undefined;
});

const widgetsPath = "/apis/example.com/v1/namespaces/default/widgets";
const configMaps = "/api/v1/namespaces/default/configmaps";
const widget = (name: string, spec: object = { size: 1 }) => ({
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { name },
  spec,
});
const send = (method: string, path: string, body?: unknown, type = "application/json") =>
  server.call(method, path, { headers: { "content-type": type }, body });
const merge = (path: string, body: unknown) => send("PATCH", path, body, "application/merge-patch+json");
const withSpec = (object: KubeObject | undefined, spec: object): KubeObject => {
  assert.ok(object);
  return { ...object, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata, spec };
};

test("a mutated object is pruned, defaulted and validated before validating admission", async () => {
  recorder.bucket = "example.com/widgets";
  recorder.onMutate = ({ object }) => {
    assert.equal(valueAt(object, "spec", "colour"), "red", "defaults come before mutation");
    return withSpec(object, { size: 2, nope: true });
  };
  const created = await send("POST", widgetsPath, widget("w", { size: 1, nope: true }));
  assert.deepEqual(valueAt(created.body, "spec"), { size: 2, colour: "red" });
  assert.deepEqual(recorder.steps(), ["mutate CREATE", "validate CREATE"]);
  assert.deepEqual(valueAt(recorder.asked[1]?.request.object, "spec"), { size: 2, colour: "red" });
  recorder.asked = [];
  recorder.onMutate = ({ object }) => withSpec(object, { size: 99 });
  const invalid = await merge(`${widgetsPath}/w`, { spec: { size: 3 } });
  assert.equal(invalid.status, 422);
  assert.deepEqual(recorder.steps(), ["mutate UPDATE"]);
});

test("validating admission can reject all kinds of writes, including dry runs", async () => {
  await send("POST", widgetsPath, widget("judged"));
  recorder.bucket = "example.com/widgets";
  recorder.onValidate = () => {
    throw failures.badRequest("no");
  };
  const path = `${widgetsPath}/judged`;
  const apply = (suffix: string) =>
    send("PATCH", `${path}${suffix}`, widget("judged", { size: 2 }), "application/apply-patch+yaml");
  const responses = [
    await send("POST", widgetsPath, widget("late")),
    await send("POST", `${widgetsPath}?dryRun=All`, widget("late")),
    await merge(path, { spec: { size: 2 } }),
    await merge(`${path}/status`, { status: { replicas: 1 } }),
    await merge(`${path}/scale`, { spec: { replicas: 1 } }),
    await apply("?fieldManager=x&force=true"),
    await send("DELETE", path),
    await send("DELETE", widgetsPath),
  ];
  for (const response of responses) assert.equal(scalarStringAt(response.body, "message"), "no");
  assert.ok((await send("GET", path)).status === 200);
  assert.ok(recorder.asked.some(({ request }) => request.dryRun));
  assert.deepEqual(
    recorder.steps().filter((step) => step.startsWith("validate")),
    [
      "validate CREATE",
      "validate CREATE",
      "validate UPDATE",
      "validate UPDATE status",
      "validate UPDATE scale",
      "validate UPDATE",
      "validate DELETE",
      // Each object of the collection causes one admission request.
      "validate DELETE",
      "validate DELETE",
    ],
  );
});

test("admission receives the user, the object and the options of the request", async () => {
  recorder.bucket = "/configmaps";
  const body = { metadata: { generateName: "told-" } };
  await send("POST", `${configMaps}?fieldManager=me&dryRun=All`, body);
  const created = recorder.asked[0]?.request;
  assert.equal(created?.name, "");
  assert.equal(created?.namespace, "default");
  assert.equal(created?.user.name, "system:admin");
  assert.deepEqual(created?.options, {
    kind: "CreateOptions",
    apiVersion: "meta.k8s.io/v1",
    dryRun: ["All"],
    fieldManager: "me",
  });
  await send("POST", configMaps, { metadata: { name: "told" } });
  recorder.asked = [];
  await send("DELETE", `${configMaps}/told`, { propagationPolicy: "Background", gracePeriodSeconds: 0 });
  const deleted = recorder.asked[0]?.request;
  assert.equal(deleted?.object, undefined);
  assert.equal(deleted?.oldObject?.metadata.name, "told");
  assert.deepEqual(deleted?.options, {
    kind: "DeleteOptions",
    apiVersion: "meta.k8s.io/v1",
    gracePeriodSeconds: 0,
    propagationPolicy: "Background",
  });
});

test("admission runs for an eviction, but not for its deletion", async () => {
  const pods = "/api/v1/namespaces/default/pods";
  await send("POST", pods, { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } });
  recorder.bucket = "/pods";
  const eviction = { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } };
  assert.equal((await send("POST", `${pods}/p/eviction`, eviction)).status, 201);
  assert.deepEqual(recorder.steps(), ["mutate CREATE eviction", "validate CREATE eviction"]);
  assert.equal(recorder.asked[0]?.request.object?.kind, "Eviction");
});

test("a write that conflicts with others during admission is retried", async () => {
  await send("POST", configMaps, { metadata: { name: "raced" }, data: { a: "1" } });
  const path = `${configMaps}/raced`;
  const { body: current } = await send("GET", path);
  const overtake = (times: number) => {
    let left = times;
    recorder.bucket = "/configmaps";
    recorder.onMutate = async () => {
      if (left-- <= 0) return undefined;
      recorder.bucket = "";
      await merge(path, { data: { other: String(left) } });
      recorder.bucket = "/configmaps";
      return undefined;
    };
  };
  overtake(2);
  const patched = await merge(path, { data: { a: "2" } });
  assert.deepEqual(valueAt(patched.body, "data"), { a: "2", other: "0" });
  overtake(1);
  const { resourceVersion: _, ...metadata } = {
    resourceVersion: "",
    ...Object(valueAt(current, "metadata")),
  };
  const put = await send("PUT", path, { metadata, data: { a: "3" } });
  assert.deepEqual(valueAt(put.body, "data"), { a: "3" });
  overtake(1);
  const guarded = await send("PUT", path, { ...Object(put.body), data: { a: "4" } });
  assert.equal(guarded.status, 409);
  // Updates during a slow patch cause retries. The number of retries is limited.
  overtake(30);
  assert.equal((await merge(path, { data: { a: "5" } })).status, 200);
  overtake(1_000);
  assert.equal((await merge(path, { data: { a: "6" } })).status, 409);
  overtake(1);
  assert.equal((await send("DELETE", path)).status, 200);
});
