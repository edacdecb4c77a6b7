import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { definitionOf, definitions, refusal, thing, things } from "../testing/test-definition.ts";
import { TestServer } from "../testing/test-server.ts";

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server[Symbol.asyncDispose]());

/** Returns the longest time in milliseconds for which the event loop was blocked during `work`. */
async function longestPauseMs(work: Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await work;
  longest = Math.max(longest, performance.now() - last);
  clearInterval(timer);
  return longest;
}

test("a pattern with catastrophic backtracking is matched in linear time", async () => {
  const { client } = server.cluster;
  const spec = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
  await client.create(definitions, definitionOf(spec));
  const text = `${"a".repeat(100_000)}b`;
  const call = refusal(client.create(things, thing({ a: text })));
  assert.ok((await longestPauseMs(call)) < 10_000);
  assert.match(await call, /spec\.a in body should match '\^\(a\+\)\+\$'/);
});

test("definitions with too large patterns are rejected", async () => {
  const { client } = server.cluster;
  for (const pattern of ["(((a{1000}){1000}){1000})", "(?=a)b", "(".repeat(5_000)]) {
    const spec = { type: "object", properties: { a: { type: "string", pattern } } };
    const named = { ...definitionOf(spec), metadata: { name: "things.example.com" } };
    assert.match(await refusal(client.create(definitions, named)), /must be a valid regular expression/);
  }
});

test("a definition of a megabyte is accepted quickly", async () => {
  const { client } = server.cluster;
  const properties = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, at) => [
      `property${at}`,
      { type: "string", description: "x".repeat(150) },
    ]),
  );
  const base = definitionOf({ type: "object", properties });
  const named = {
    ...base,
    metadata: { name: "larges.example.com" },
    spec: { ...base.spec, names: { plural: "larges", kind: "Large" } },
  };
  const call = refusal(client.create(definitions, named));
  assert.ok((await longestPauseMs(call)) < 10_000);
  assert.equal(await call, "accepted");
});

test("the response for an object with many errors contains a limited number of them", async () => {
  const { client } = server.cluster;
  const base = definitionOf({ type: "array", items: { type: "integer" } });
  const named = {
    ...base,
    metadata: { name: "lists.example.com" },
    spec: { ...base.spec, names: { plural: "lists", kind: "Numbers", listKind: "NumbersList" } },
  };
  await client.create(definitions, named);
  const spec = Array.from({ length: 100_000 }, () => "x");
  const made = { ...thing(spec), kind: "Numbers" };
  const message = await refusal(client.create({ ...things, resource: "lists" }, made));
  assert.ok(message.length < 100_000, String(message.length));
});
