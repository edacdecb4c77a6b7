import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { scalarStringAt } from "@keelson/apimachinery";
import { WorkBudget } from "@keelson/base";
import { decodeProtobuf } from "@keelson/wire-formats";
import fc from "fast-check";
import { definitionOf, definitions } from "./testing/test-definition.ts";
import { TestServer } from "./testing/test-server.ts";

/** First integer that a double cannot represent. */
const odd = "9007199254740993";
/** Largest 64-bit integer. */
const most = "9223372036854775807";
/** Smallest 64-bit integer. */
const least = "-9223372036854775808";

const things = "/apis/example.com/v1/namespaces/default/things";
const integer = { type: "integer", format: "int64" };

const directory = mkdtempSync(join(tmpdir(), "apiserver-"));
const file = join(directory, "exact.db");
let server: TestServer;
before(async () => {
  server = await TestServer.start(file);
  const items = { type: "object", properties: { id: integer, text: { type: "string" } }, required: ["id"] };
  const spec = {
    type: "object",
    "x-kubernetes-validations": [
      { rule: `!has(self.b) || self.b != ${odd}`, messageExpression: "string(self.b)" },
    ],
    properties: {
      a: integer,
      b: integer,
      limited: { ...integer, maximum: 2 ** 60, multipleOf: 3 },
      preset: { ...integer, default: 7 },
      choice: { ...integer, enum: [1, 2] },
      any: { "x-kubernetes-int-or-string": true },
      ids: { type: "array", items: integer, "x-kubernetes-list-type": "set" },
      list: { type: "array", items, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["id"] },
    },
  };
  const additionalPrinterColumns = [{ name: "A", type: "integer", jsonPath: ".spec.a" }];
  await server.cluster.client.create(definitions, definitionOf(spec, { additionalPrinterColumns }));
});
after(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

const thing = (name: string, spec: string) =>
  `{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"${name}"},"spec":${spec}}`;
const write = (method: string, path: string, body: string, type = "application/json") =>
  server.call(method, path, { body, headers: { "content-type": type } });
const create = (name: string, spec: string) => write("POST", things, thing(name, spec));
const specOf = async (name: string) =>
  /"spec":(\{.*\})\}/.exec((await server.call("GET", `${things}/${name}`)).text)?.[1];
const refusalOf = async (sent: ReturnType<typeof create>) => scalarStringAt((await sent).body, "message");

test("custom resources keep 64-bit integers", async () => {
  const made = await create(
    "kept",
    `{"a":${odd},"any":${least},"ids":[${most},9223372036854775806],"preset":7}`,
  );
  assert.equal(made.status, 201, made.text);
  assert.ok(made.text.includes(`"a":${odd}`), made.text);
  assert.equal(
    await specOf("kept"),
    `{"a":${odd},"any":${least},"ids":[${most},9223372036854775806],"preset":7}`,
  );
});

test("YAML input and output keep 64-bit integers", async () => {
  const text = `apiVersion: example.com/v1\nkind: Thing\nmetadata: {name: yaml}\nspec:\n  a: ${odd}\n  preset: 7\n`;
  assert.equal((await write("POST", things, text, "application/yaml")).status, 201);
  assert.equal(await specOf("yaml"), `{"a":${odd},"preset":7}`);
  const yaml = await server.call("GET", `${things}/yaml`, { headers: { accept: "application/yaml" } });
  assert.match(yaml.text, new RegExp(`^  a: ${odd}$`, "m"));
});

for (const [kind, type, patch] of [
  ["merge", "application/merge-patch+json", `{"spec":{"a":${most}}}`],
  [
    "JSON",
    "application/json-patch+json",
    `[{"op":"test","path":"/spec/b","value":${least}},{"op":"copy","from":"/spec/any","path":"/spec/a"}]`,
  ],
  ["apply", "application/apply-patch+yaml", thing("apply", `{"a":${most}}`)],
] as const) {
  test(`a patch of type ${kind} keeps patched and unpatched 64-bit integers`, async () => {
    const name = kind.toLowerCase();
    await create(name, `{"b":${least},"any":${most},"preset":7}`);
    const patched = await write("PATCH", `${things}/${name}?fieldManager=m`, patch, type);
    assert.equal(patched.status, 200, patched.text);
    assert.equal(await specOf(name), `{"b":${least},"any":${most},"preset":7,"a":${most}}`);
  });
}

test("a test operation of a JSON patch distinguishes integers that round to the same double", async () => {
  await create("apart", `{"b":${least}}`);
  const patch = `[{"op":"test","path":"/spec/b","value":-9223372036854775807}]`;
  const response = await write("PATCH", `${things}/apart`, patch, "application/json-patch+json");
  assert.equal(response.status, 422, response.text);
});

test("applied lists are merged by 64-bit keys", async () => {
  const apply = (manager: string, list: string) =>
    write(
      "PATCH",
      `${things}/merged?fieldManager=${manager}`,
      thing("merged", `{"list":${list},"preset":7}`),
      "application/apply-patch+yaml",
    );
  await apply("one", `[{"id":${odd},"text":"a"}]`);
  const both = await apply("two", `[{"id":9007199254740992,"text":"b"}]`);
  assert.equal(both.status, 200, both.text);
  const list = `[{"id":${odd},"text":"a"},{"id":9007199254740992,"text":"b"}]`;
  assert.equal(await specOf("merged"), `{"list":${list},"preset":7}`);
  assert.ok(both.text.includes(`"k:{\\"id\\":${odd}}"`), both.text);
  const conflict = await apply("three", `[{"id":${odd},"text":"c"}]`);
  assert.equal(conflict.status, 409);
  assert.match(scalarStringAt(conflict.body, "message"), new RegExp(`\\.spec\\.list\\[id=${odd}\\]\\.text`));
});

test("schemas and rules compare 64-bit integers exactly", async () => {
  const refused = (spec: string) => refusalOf(create("refused", spec));
  assert.match(await refused(`{"b":${odd}}`), new RegExp(`spec: Invalid value: .*: ${odd}$`));
  assert.equal((await create("allowed", `{"b":9007199254740992}`)).status, 201);
  assert.match(
    await refused(`{"limited":1152921504606846977}`),
    /Invalid value: 1152921504606846977: spec.limited in body should be less than or equal to/,
  );
  assert.match(
    await refused(`{"limited":9007199254740994}`),
    /spec.limited: Invalid value: 9007199254740994: .* a multiple of 3/,
  );
  assert.equal((await create("multiple", `{"limited":${odd}}`)).status, 201);
  assert.match(
    await refused(`{"choice":${odd}}`),
    new RegExp(`Unsupported value: ${odd}: supported values: "1", "2"`),
  );
  assert.match(await refused(`{"ids":[${odd},${odd}]}`), new RegExp(`Duplicate value: ${odd}`));
  assert.equal((await create("different", `{"ids":[${odd},9007199254740992]}`)).status, 201);
});

test("watches and tables contain exact 64-bit integers", async () => {
  await create("seen", `{"a":${odd}}`);
  const watch = await server.call(
    "GET",
    `${things}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dseen`,
  );
  assert.ok(watch.text.includes(`"a":${odd}`), watch.text);
  const table = await server.call("GET", `${things}/seen`, {
    headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
  });
  assert.ok(table.text.includes(`"cells":["seen",${odd}]`), table.text);
});

test("64-bit built-in fields accept 64-bit integers, and 32-bit fields reject them", async () => {
  const pods = "/api/v1/namespaces/default/pods";
  const pod = (name: string, field: string) =>
    `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"${name}"},` +
    `"spec":{${field},"containers":[{"name":"a","image":"b","ports":[{"containerPort":80}]}]}}`;
  const made = await write("POST", pods, pod("a", `"terminationGracePeriodSeconds":${odd}`));
  assert.ok(made.text.includes(`"terminationGracePeriodSeconds":${odd}`), made.text);
  const response = await server.open("GET", `${pods}/a`, {
    headers: { accept: "application/vnd.kubernetes.protobuf" },
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const budget = new WorkBudget({ nodes: 1_000_000, bytes: 1_000_000, timeMs: 60_000 });
  const decoded = decodeProtobuf(Buffer.concat(chunks), budget);
  assert.equal(Object(decoded.spec).terminationGracePeriodSeconds, BigInt(odd));
  assert.match(
    await refusalOf(write("POST", pods, pod("b", `"priority":${odd}`))),
    new RegExp(`cannot unmarshal number ${odd} into Go struct field PodSpec.spec.priority of type int32`),
  );
});

test("random 64-bit integers survive creation, patches and a restart", async () => {
  const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const specs = new Map<string, string>();
  await fc.assert(
    fc.asyncProperty(int64, int64, async (a, b) => {
      const name = `any-${specs.size}`;
      assert.equal((await create(name, `{"a":${a},"preset":7}`)).status, 201);
      await write("PATCH", `${things}/${name}`, `{"spec":{"ids":[${b}]}}`, "application/merge-patch+json");
      specs.set(name, `{"a":${a},"preset":7,"ids":[${b}]}`);
      assert.equal(await specOf(name), specs.get(name));
    }),
    { numRuns: 30 },
  );
  const { authority } = server;
  await server[Symbol.asyncDispose]();
  server = await TestServer.start(file, authority);
  for (const [name, spec] of specs) assert.equal(await specOf(name), spec);
});
