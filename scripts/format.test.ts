import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { formatChanged } from "./format.ts";
import { TemporaryRepository } from "./testing/temporary-repository.ts";

test("make format formats changed files and sorts their imports, and does not write other files", () => {
  using repository = new TemporaryRepository();
  const { root } = repository;
  const source = 'import { b } from "b";\nimport { a } from "a";\nexport const sum = a+b;\n';
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  repository.write("earlier.ts", source);
  repository.write("deleted.ts", source);
  repository.commit("first");
  repository.git("rm", "--quiet", "deleted.ts");
  repository.write("changed.ts", source);
  repository.write("page.md", "*  item");
  assert.equal(formatChanged(root, "main"), 0);
  assert.equal(
    read("changed.ts"),
    'import { a } from "a";\nimport { b } from "b";\nexport const sum = a + b;\n',
  );
  assert.equal(read("earlier.ts"), source);
  assert.equal(read("page.md"), "*  item");
});
