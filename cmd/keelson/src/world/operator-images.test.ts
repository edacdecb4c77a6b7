import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import type { OperatorMode } from "../options/options.ts";
import { operatorImages } from "./operator-images.ts";

test("operators run in one shared process, or each pod in a separate process", async () => {
  const rows: readonly (readonly [mode: OperatorMode, runs: "own" | "shared" | "nothing"])[] = [
    ["auto", "shared"],
    ["process", "own"],
    ["shared", "shared"],
    ["none", "nothing"],
  ];
  for (const [mode, runs] of rows) {
    await using operators = operatorImages({ mode, logger: silentLogger });
    const { process } = operators.images.behaviourOf("keelson:latest");
    const image = typeof process === "function" ? process() : process;
    assert.equal(image === undefined ? "nothing" : image.shared ? "shared" : "own", runs, mode);
  }
});
