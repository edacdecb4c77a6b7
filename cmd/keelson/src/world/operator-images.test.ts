import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import type { OperatorMode } from "../commands/options.ts";
import { operatorImages } from "./operator-images.ts";

test("operators run as processes for up to three clusters, and what starts when there are more in one", async () => {
  const rows: readonly (readonly [
    mode: OperatorMode,
    clusters: number,
    runs: "own" | "shared" | "nothing",
  ])[] = [
    ["auto", 1, "own"],
    ["auto", 3, "own"],
    ["auto", 4, "shared"],
    ["process", 1_000, "own"],
    ["shared", 1, "shared"],
    ["none", 1, "nothing"],
  ];
  for (const [mode, clusters, runs] of rows) {
    await using operators = operatorImages(mode, silentLogger, () => clusters);
    const { process } = operators.images.behaviourOf("keelson:latest");
    const image = typeof process === "function" ? process() : process;
    assert.equal(
      image === undefined ? "nothing" : image.shared ? "shared" : "own",
      runs,
      `${mode} ${clusters}`,
    );
  }
});
