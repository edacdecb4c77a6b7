/**
 * Follows docs/howto/add-a-kubernetes-kind.md in a copy of the packages. The source file from that page must be sufficient to add
 * the kind.
 */
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { scalarStringAt } from "@keelson/apimachinery";
import { listAt, valueAt } from "@keelson/base";
import type { TestServer } from "./testing/test-server.ts";

const repository = join(import.meta.dirname, "../../..");
const packages = ["apiserver", "kinds", "schema", "wire-formats"] as const;
const tools = "/apis/workshop.k8s.io/v1/namespaces/default/tools";
const apiVersion = "workshop.k8s.io/v1";
let directory: string;
let server: TestServer;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "kinds-"));
  await copyPackages();
  const page = await readFile(join(repository, "docs/howto/add-a-kubernetes-kind.md"), "utf8");
  const [, file = "", code = ""] = /`(kinds\/\S+\.ts)`[\s\S]*?```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const kinds = join(directory, "simulators/kinds/src");
  await mkdir(join(kinds, file, ".."));
  await writeFile(join(kinds, file), code);
  const { generate }: { readonly generate: () => Promise<string> } = await copied(
    "kinds",
    "builtin/generate.ts",
  );
  await writeFile(join(kinds, "builtin/kinds.generated.ts"), await generate());
  const testing: typeof import("./testing/test-server.ts") = await copied(
    "apiserver",
    "testing/test-server.ts",
  );
  server = await testing.TestServer.start();
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

/** Copies the API server, its kinds and the packages that import them. The copies import each other, not the originals. */
async function copyPackages(): Promise<void> {
  const isLeftOut = (path: string) => path.endsWith("test.ts");
  const nearer = join(directory, "simulators/node_modules/@keelson");
  await mkdir(nearer, { recursive: true });
  for (const name of packages) {
    const [source, copy] = [repository, directory].map((root) => join(root, "simulators", name));
    await cp(`${source}/src`, `${copy}/src`, { recursive: true, filter: (path) => !isLeftOut(path) });
    await cp(`${source}/package.json`, `${copy}/package.json`);
    await symlink(`../../${name}`, join(nearer, name));
  }
  await symlink(join(repository, "node_modules"), join(directory, "node_modules"));
}

function copied(name: (typeof packages)[number], file: string) {
  return import(pathToFileURL(join(directory, "simulators", name, "src", file)).href);
}

function tool(name: string, spec: object): object {
  return { apiVersion, kind: "Tool", metadata: { name }, spec };
}

test("discovery and OpenAPI contain it", async () => {
  const { body } = await server.call("GET", "/apis/workshop.k8s.io/v1");
  const names = listAt(body, "resources").map((each) => scalarStringAt(each, "name"));
  assert.deepEqual(names, ["tools", "tools/status"]);
  assert.deepEqual(valueAt(listAt(body, "resources")[0], "shortNames"), ["tl"]);
  const document = await server.call("GET", "/openapi/v3/apis/workshop.k8s.io/v1");
  const schemas = Object.entries(valueAt(document.body, "components", "schemas") ?? {});
  const schema = schemas.find(([name]) => name.endsWith("workshop.v1.Tool"))?.[1];
  assert.equal(scalarStringAt(schema, "description"), "Something to work with.");
});

test("objects get its defaults and are validated by its checks", async () => {
  const made = await server.call("POST", tools, { body: tool("plain", {}) });
  assert.equal(made.status, 201);
  assert.equal(scalarStringAt(made.body, "spec", "size"), "Small");
  assert.equal(scalarStringAt(made.body, "metadata", "generation"), "1");
  const refused = await server.call("POST", tools, { body: tool("odd", { size: "Odd", parts: [{}] }) });
  assert.equal(refused.status, 422);
  assert.deepEqual(
    listAt(refused.body, "details", "causes").map((each) => scalarStringAt(each, "field")),
    ["spec.size", "spec.parts[0].name"],
  );
  assert.equal((await server.call("PUT", `${tools}/put`, { body: tool("put", {}) })).status, 201);
});

test("tables, field selectors and watches support it", async () => {
  await server.call("POST", tools, { body: tool("large", { size: "Large" }) });
  const query = "fieldSelector=spec.size%3DLarge";
  const table = await server.call("GET", `${tools}?${query}`, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  });
  const columns = listAt(table.body, "columnDefinitions").map((each) => scalarStringAt(each, "name"));
  assert.deepEqual(columns, ["Name", "Size", "Used", "Age"]);
  const rows = listAt(table.body, "rows").map((row) => listAt(row, "cells").slice(0, 3));
  assert.deepEqual(rows, [["large", "Large", 0]]);
  assert.equal((await server.call("GET", `${tools}?fieldSelector=spec.parts%3Da`)).status, 400);
  const { framesOf }: typeof import("./testing/test-server.ts") = await copied(
    "apiserver",
    "testing/test-server.ts",
  );
  const watch = await server.open("GET", `${tools}?watch=true&${query}`);
  for await (const frame of framesOf(watch)) {
    assert.equal(scalarStringAt(frame, "type"), "ADDED");
    assert.equal(scalarStringAt(frame, "object", "metadata", "name"), "large");
    break;
  }
});

test("patches and field ownership use its merge keys", async () => {
  const parts = (...names: readonly string[]) => names.map((name) => ({ name, weight: "1" }));
  await server.call("POST", `${tools}?fieldManager=first`, { body: tool("merged", { parts: parts("a") }) });
  const { body } = await server.call("PATCH", `${tools}/merged?fieldManager=second`, {
    headers: { "content-type": "application/strategic-merge-patch+json" },
    body: { spec: { parts: parts("b") } },
  });
  const names = listAt(body, "spec", "parts").map((part) => scalarStringAt(part, "name"));
  assert.deepEqual(names.toSorted(), ["a", "b"]);
  const owned = listAt(body, "metadata", "managedFields").map((entry) =>
    Object.keys(valueAt(entry, "fieldsV1", "f:spec", "f:parts") ?? {}).filter((key) => key !== "."),
  );
  assert.deepEqual(owned, [['k:{"name":"a"}'], ['k:{"name":"b"}']]);
});

test("protocol buffers support it", async () => {
  await server.call("POST", tools, {
    body: tool("packed", { size: "Large", parts: [{ name: "a", weight: "2k" }] }),
  });
  const response = await server.open("GET", `${tools}/packed`, {
    headers: { accept: "application/vnd.kubernetes.protobuf" },
  });
  const { decodeProtobuf }: typeof import("@keelson/wire-formats") = await copied("wire-formats", "index.ts");
  const object = decodeProtobuf(Buffer.concat(await response.toArray()));
  assert.equal(object.kind, "Tool");
  assert.deepEqual(object.spec, { size: "Large", parts: [{ name: "a", weight: "2k" }] });
});
