import assert from "node:assert/strict";
import { test } from "node:test";
import { componentProcesses, parseProcessName, processName } from "./component.ts";

test("only the clusters have several processes, and each name is parsed to its process", () => {
  const processes = componentProcesses(3);
  const names = processes.map(({ component, number }) => processName(component, number));
  assert.deepEqual(names, ["azure", "clusters", "clusters-2", "clusters-3", "service"]);
  assert.deepEqual(names.map(parseProcessName), processes);
});

for (const name of [
  "",
  "other",
  "clusters-1",
  "clusters-0",
  "clusters-02",
  "clusters-",
  "azure-2",
  "clusters-100",
])
  test(`${JSON.stringify(name)} is no component process`, () => {
    assert.equal(parseProcessName(name), undefined);
  });
