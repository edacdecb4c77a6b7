import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { typeNameOf } from "../types/types.ts";
import { builtinKinds } from "./builtin-kinds.ts";
import { generate } from "./generate.ts";

test("the generated list of kinds is current", async () => {
  const text = await readFile(new URL("./kinds.generated.ts", import.meta.url), "utf8");
  assert.equal(text, await generate(), "run make generate");
});

test("each kind is in the file and directory of its name and group", async () => {
  const text = await readFile(new URL("./kinds.generated.ts", import.meta.url), "utf8");
  for (const { group, versions, kind } of builtinKinds) {
    const [directory] = typeNameOf({ group, version: versions[0] ?? "", kind })?.split(".") ?? [];
    const found = [...text.matchAll(/"\.\.\/kinds\/(\S+)\/(\S+)\.ts"/g)].some(
      ([, inDirectory, file]) =>
        inDirectory === directory && file?.replaceAll("-", "") === kind.toLowerCase(),
    );
    assert.ok(found, `${directory}/${kind}`);
  }
});
