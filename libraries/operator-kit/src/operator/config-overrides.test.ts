import assert from "node:assert/strict";
import { test } from "node:test";
import { matchesProfile } from "../config/latency-profile.ts";
import { leafPaths } from "./config-overrides.ts";

test("overrides are named by their paths, never by their values", () => {
  const overrides = { a: { b: ["secret", { d: 1 }], e: null }, c: true };
  assert.deepEqual(leafPaths(overrides), ["a.b.0", "a.b.1.d", "a.e", "c"]);
  assert.deepEqual(leafPaths({}), []);
});

test("a latency profile is reached when all running revisions have its arguments", () => {
  const wanted = [{ path: ["apiServerArguments", "seconds"], values: { Default: "300", Low: "60" } }];
  const config = (seconds: readonly string[]) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "config-1" },
    data: { "config.yaml": JSON.stringify({ apiServerArguments: { seconds } }) },
  });
  assert.equal(matchesProfile([config(["60"]), config(["60"])], "Low", wanted), true);
  assert.equal(matchesProfile([config(["60"]), config(["300"])], "Low", wanted), false);
  assert.equal(matchesProfile([config(["60"]), undefined], "Low", wanted), false);
  const malformed = { ...config([]), data: { "config.yaml": "{" } };
  assert.equal(matchesProfile([malformed], "Low", wanted), false);
  assert.throws(
    () => matchesProfile([config(["60"])], "Lower", wanted),
    /unknown worker latency profile found, Profile = "Lower"/,
  );
});
