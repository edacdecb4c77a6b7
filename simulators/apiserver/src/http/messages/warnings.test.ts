import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { addWarning } from "./warnings.ts";

/** Returns the warnings that a client receives. */
async function received(texts: readonly string[]): Promise<readonly string[]> {
  const server = createServer((_, response) => {
    for (const text of texts) addWarning(response, text);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { headers } = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } });
    const all = Buffer.from(headers.get("warning") ?? "", "latin1").toString("utf8");
    return [...all.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text);
  } finally {
    server.close();
  }
}

test("a long warning is complete, and duplicates are dropped", async () => {
  const long = `${"a".repeat(3_000)} "quoted" \\ end`;
  const quoted = `${"a".repeat(3_000)} \\"quoted\\" \\\\ end`;
  assert.deepEqual(await received([long, "b", long, ""]), [quoted, "b"]);
});

test("beyond a total length, each warning is truncated", async () => {
  const texts = ["a", "b", "c"].map((each) => each.repeat(2_000));
  assert.deepEqual(await received([...texts, "short"]), [
    ...texts.map((each) => each.slice(0, 256)),
    "short",
  ]);
});

test("the length of the header is limited for any number of warnings", async () => {
  const found = await received(Array.from({ length: 10_000 }, (_, at) => `${at} ${"x".repeat(at % 300)}`));
  assert.ok(found.length > 0 && found.length <= 32, `${found.length}`);
  assert.ok(found.join("").length < 5_000);
});

test("non-ASCII text is sent as UTF-8, and control characters are removed", async () => {
  assert.deepEqual(await received(["größer\n世界"]), ["größer?世界"]);
});
