import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { generate } from "./generate-alerts.ts";

test("the manifest of the alerts is current: make generate", async () => {
  const file = new URL("../../manifests/010-prometheus-rules.yaml", import.meta.url);
  assert.equal(await readFile(file, "utf8"), generate());
});
