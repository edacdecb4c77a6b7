import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { printTable, takePrintedTables } from "./table.ts";

test("printed tables are available as JSON, once", (t) => {
  t.mock.method(process.stdout, "write", () => true);
  printTable([
    ["service", "figure", "unit"],
    ["start", "4114", "ms"],
  ]);
  assert.deepEqual(takePrintedTables(), [
    { title: "service", rows: [{ name: "start", values: { figure: 4114, unit: "ms" } }] },
  ]);
  assert.deepEqual(takePrintedTables(), []);
});
