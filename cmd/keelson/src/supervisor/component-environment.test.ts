import assert from "node:assert/strict";
import { test } from "node:test";
import { compileCache } from "../compile-cache.ts";
import { componentEnvironment } from "./component-environment.ts";

test("components return memory to the system and start with compiled modules", () => {
  const common = { MALLOC_ARENA_MAX: "1", MALLOC_TRIM_THRESHOLD_: "65536", NODE_COMPILE_CACHE: compileCache };
  assert.deepEqual(componentEnvironment("clusters", {}), common);
  for (const name of ["azure", "service"] as const)
    assert.deepEqual(componentEnvironment(name, {}), { ...common, MALLOC_MMAP_THRESHOLD_: "16384" });
});

test("variables of the user replace those of a component", () => {
  const user = { PATH: "/bin", MALLOC_ARENA_MAX: "4" };
  const environment = componentEnvironment("service", user);
  assert.equal(environment.MALLOC_ARENA_MAX, "4");
  assert.equal(environment.PATH, "/bin");
});
