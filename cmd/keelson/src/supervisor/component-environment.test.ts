import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { frugalMalloc } from "@keelson/base";
import { compileCache } from "../process/compile-cache.ts";
import { componentEnvironment } from "./component-environment.ts";

test("components return memory to the system and start with compiled modules", () => {
  assert.deepEqual(componentEnvironment({}), { ...frugalMalloc, NODE_COMPILE_CACHE: compileCache });
});

test("variables of the user replace those of a component", () => {
  const { PATH, MALLOC_ARENA_MAX } = componentEnvironment({ PATH: "/bin", MALLOC_ARENA_MAX: "4" });
  assert.deepEqual([PATH, MALLOC_ARENA_MAX], ["/bin", "4"]);
});

test("the script gives the supervisor the same malloc", () => {
  const script = readFileSync(new URL("../../../../keelson", import.meta.url), "utf8");
  for (const [name, value] of Object.entries(frugalMalloc))
    assert.ok(script.includes(`${name}=\${${name}:-${value}}`), name);
});
