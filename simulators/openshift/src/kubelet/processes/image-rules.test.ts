import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parseImageRule } from "./image-rule.ts";
import { ImageRules } from "./image-rules.ts";

const rule = (prefix: string, more: object = {}) => parseImageRule({ prefix, ...more });

test("rules of images last until they are cleared", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "image-rules-"));
  const file = join(directory.path, "image-rules.json");
  const first = new ImageRules(file);
  first.set(rule("quay.io/a", { exitCode: 1 }));
  first.set(rule("quay.io/a", { exitCode: 2 }));
  first.set(rule("quay.io/b"));
  assert.deepEqual(new ImageRules(file).list(), [rule("quay.io/a", { exitCode: 2 }), rule("quay.io/b")]);
  first.clear({ prefix: "quay.io/a" });
  assert.deepEqual(new ImageRules(file).list(), [rule("quay.io/b")]);
  await writeFile(file, "nonsense");
  assert.throws(() => new ImageRules(file), /image-rules\.json is not a JSON object/);
});

test("the longest prefix wins, then the rule of the cluster", () => {
  const rules = new ImageRules();
  for (const each of [
    rule("quay.io/org", { exitCode: 1, cluster: "demo" }),
    rule("quay.io/org/app", { exitCode: 2 }),
    rule("quay.io/org/app", { exitCode: 3, cluster: "demo" }),
  ])
    rules.set(each);
  const codeOf = (image: string, infraId: string) => rules.find(image, infraId)?.exitCode;
  assert.equal(codeOf("quay.io/org/app:1", "demo-x7k2p"), 3);
  assert.equal(codeOf("quay.io/org/app:1", "other-x7k2p"), 2);
  assert.equal(codeOf("quay.io/org/application", "demo-x7k2p"), 1);
  assert.equal(codeOf("quay.io/org/application", "other-x7k2p"), undefined);
});

for (const [value, message] of [
  ["text", /is a JSON object/],
  [{ prefix: "a", code: 1 }, /unknown field "code"/],
  [{ prefix: "" }, /prefix must be/],
  [{ prefix: "a", cluster: 1 }, /cluster must be a name/],
  [{ prefix: "a", exitCode: 256 }, /exitCode must be a whole number from 0 to 255/],
  [{ prefix: "a", afterMs: -1 }, /afterMs must be/],
  [{ prefix: "a", log: 1 }, /log must be a string/],
] as const)
  test(`${JSON.stringify(value)} is not an image rule`, () => {
    assert.throws(() => parseImageRule(value), { code: "InvalidImageRule", message });
  });
