import assert from "node:assert/strict";
import { test } from "node:test";
import { statisticsTypes } from "@keelson/portal-api";
import { charts, formatValue } from "./charts.ts";

test("every page shows the statistics that the portal's API has for it, in their order", () => {
  const types = Object.fromEntries(
    Object.entries(charts).map(([page, all]) => [page, all.map(({ type }) => type)]),
  );
  assert.deepEqual(types, statisticsTypes);
});

for (const [value, unit, shown] of [
  [0, "bytes", "0 B"],
  [1_536, "bytes", "1.5 KiB"],
  [2_147_483_648, "bytes", "2 GiB"],
  [0.0123, "seconds", "12.3 ms"],
  [2, "seconds", "2 s"],
  [0.25, "cores", "0.25 cores"],
  [12.345, "perSecond", "12.3/s"],
  [3, "count", "3"],
] as const)
  test(`${value} ${unit} are shown as ${shown}`, () => assert.equal(formatValue(value, unit), shown));
