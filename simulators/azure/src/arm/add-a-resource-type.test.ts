/** Applies docs/howto/add-an-arm-resource-type.md to a copy of the package, and uses the new resource type over HTTPS. */
import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { JsonValue } from "@keelson/base";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import type { RawResponse, TestAzure } from "../testing/test-azure.ts";

const repository = join(import.meta.dirname, "../../../..");
const source = "simulators/azure/src/";
const version = "api-version=2024-06-01";
let directory: string;
let azure: TestAzure;
let group: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "resource-types-"));
  await copyPackage();
  const page = await readFile(join(repository, "docs/howto/add-an-arm-resource-type.md"), "utf8");
  for (const [, path = "", code = ""] of page.matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)) {
    const file = join(directory, "src", path.replace(source, ""));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
  }
  const list = join(directory, "src/providers.ts");
  const text = await readFile(list, "utf8");
  await writeFile(
    list,
    `import { workshopProvider } from "./workshop/provider.ts";\n${text.replace("return [", "return [workshopProvider,")}`,
  );
  const testing: typeof import("../testing/test-azure.ts") = await import(
    pathToFileURL(join(directory, "src/testing/test-azure.ts")).href
  );
  azure = await testing.startTestAzure();
  group = `/subscriptions/${testing.subscriptionId}/resourceGroups/g`;
  await azure.clients.resources.resourceGroups.createOrUpdate("g", { location: testing.location });
});
after(async () => {
  await azure[Symbol.asyncDispose]();
  await rm(directory, { recursive: true });
});

async function copyPackage(): Promise<void> {
  const isTest = (path: string) => path.endsWith(".test.ts");
  const from = join(repository, source);
  await cp(from, join(directory, "src"), { recursive: true, filter: (path) => !isTest(path) });
  await cp(join(from, "../package.json"), join(directory, "package.json"));
  await symlink(join(repository, "node_modules"), join(directory, "node_modules"));
}

const call = (method: string, path: string, body?: JsonValue): Promise<RawResponse> =>
  azure.arm(method, `${path}?${version}`, body);
const tool = (name: string) => `${group}/providers/Microsoft.Workshop/tools/${name}`;

async function created(
  name: string,
  properties: Readonly<Record<string, JsonValue>> = {},
): Promise<RawResponse> {
  const response = await call("PUT", tool(name), { location: "eastus", tags: { of: "test" }, properties });
  assert.equal(response.status, 201, response.text);
  while (
    nonEmptyStringAt((await call("GET", tool(name))).json, "properties", "provisioningState") !== "Succeeded"
  )
    await delay(20);
  return response;
}

test("a resource of the type is created, read, listed, tagged and deleted", async () => {
  const { headers } = await created("saw", { size: "Large", serialNumber: "mine" });
  const operation = new URL(String(headers["azure-asyncoperation"]));
  assert.match(operation.pathname, /\/providers\/Microsoft\.Workshop\/locations\/eastus\/operations\//);
  const ended = await azure.arm("GET", `${operation.pathname}${operation.search}`);
  assert.equal(nonEmptyStringAt(ended.json, "status"), "Succeeded");
  const read = await call("GET", tool("SAW"));
  assert.equal(nonEmptyStringAt(read.json, "properties", "size"), "Large");
  assert.equal(nonEmptyStringAt(read.json, "properties", "serialNumber"), "SN-saw");
  assert.match(nonEmptyStringAt(read.json, "etag") ?? "", /^W\/"/);
  for (const place of [group, group.replace(/\/resourceGroups.*/, "")]) {
    const list = await call("GET", `${place}/providers/Microsoft.Workshop/tools`);
    assert.deepEqual(
      objectsAt(list.json, "value").map(({ name }) => name),
      ["saw"],
    );
  }
  const patched = await call("PATCH", tool("saw"), { tags: { of: "others" } });
  assert.equal(nonEmptyStringAt(patched.json, "tags", "of"), "others");
  assert.equal((await call("DELETE", tool("saw"))).status, 200);
  assert.equal((await call("GET", tool("saw"))).status, 404);
});

test("its own rules apply, and those of all types", async () => {
  const odd = await call("PUT", tool("odd"), { location: "eastus", properties: { size: "Odd" } });
  assert.deepEqual([odd.status, nonEmptyStringAt(odd.json, "error", "code")], [400, "InvalidToolSize"]);
  const unnamed = await call("PUT", tool("a%20b"), { location: "eastus" });
  assert.equal(nonEmptyStringAt(unnamed.json, "error", "code"), "InvalidResourceName");
  const elsewhere = {
    location: "eastus",
    properties: { network: { id: `${group}/providers/Microsoft.Network/virtualNetworks/none` } },
  };
  assert.ok((await call("PUT", tool("lost"), elsewhere)).status >= 400);
  const old = await azure.arm("GET", `${tool("saw")}?api-version=2023-01-01`);
  assert.equal(nonEmptyStringAt(old.json, "error", "code"), "NoRegisteredProviderFound");
});

test("serves its action and the view of its provider", async () => {
  await created("axe");
  assert.deepEqual((await call("POST", `${tool("axe")}/sharpen`)).json, { sharpened: "axe" });
  const subscription = group.replace(/\/resourceGroups.*/, "");
  const view = await call("GET", `${subscription}/providers/Microsoft.Workshop/locations/eastus/sizes`);
  assert.deepEqual(view.json, { value: [{ location: "eastus", name: "Large" }] });
  const provider = await call("GET", `${subscription}/providers/microsoft.workshop`);
  assert.deepEqual(
    objectsAt(provider.json, "resourceTypes").map(({ resourceType }) => resourceType),
    ["tools"],
  );
});
