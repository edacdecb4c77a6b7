import assert from "node:assert/strict";
import { test } from "node:test";
import { parseQuantity } from "./quantity.ts";

test("quantities are numbers of cores and bytes", () => {
  const rows: readonly (readonly [string | undefined, number])[] = [
    ["2", 2],
    ["250m", 0.25],
    ["1500000n", 0.0015],
    ["64Ki", 65_536],
    ["1Gi", 2 ** 30],
    ["1.5G", 1.5e9],
    ["1e3", 1_000],
    ["", 0],
    [undefined, 0],
    ["many", 0],
    ["1Xi", 0],
  ];
  for (const [text, value] of rows) assert.ok(Math.abs(parseQuantity(text) - value) < 1e-9, text);
});
