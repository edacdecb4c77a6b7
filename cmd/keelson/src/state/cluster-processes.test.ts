import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { isCoded } from "@keelson/base";
import {
  chooseClusterProcesses,
  clusterProcessesProblem,
  furtherPorts,
  readClusterProcesses,
  rememberedClusterProcesses,
} from "./cluster-processes.ts";
import { defaultPorts } from "./ports.ts";

const temporary = () => mkdtempDisposableSync(join(tmpdir(), "keelson-processes-"));
const first = { clusters: defaultPorts.clusters, admin: defaultPorts.admin };

test("a new directory has one process, which uses the ports of the directory", async () => {
  using directory = temporary();
  assert.deepEqual(await chooseClusterProcesses(directory.path, undefined, defaultPorts), [first]);
  assert.equal(rememberedClusterProcesses(directory.path), 1);
});

test("further processes get free ports, which the directory remembers", async () => {
  using directory = temporary();
  const chosen = await chooseClusterProcesses(directory.path, 3, defaultPorts);
  assert.equal(chosen.length, 3);
  assert.equal(new Set(chosen.flatMap(({ clusters, admin }) => [clusters, admin])).size, 6);
  assert.deepEqual(readClusterProcesses(directory.path, defaultPorts), chosen);
  assert.deepEqual(await chooseClusterProcesses(directory.path, undefined, defaultPorts), chosen);
  assert.deepEqual(
    furtherPorts(directory.path).map(([name]) => name),
    ["clusters-2", "admin-2", "clusters-3", "admin-3"],
  );
});

test("the number can change until the first start has created the clusters' database", async () => {
  using directory = temporary();
  await chooseClusterProcesses(directory.path, 3, defaultPorts);
  const two = await chooseClusterProcesses(directory.path, 2, defaultPorts);
  assert.equal(two.length, 2);
  writeFileSync(join(directory.path, "clusters.sqlite"), "");
  assert.deepEqual(await chooseClusterProcesses(directory.path, 2, defaultPorts), two);
  assert.match(
    clusterProcessesProblem(directory.path, 4) ?? "",
    /^--cluster-processes 4 is not possible: .* was created with 2, .*Start with `--cluster-processes 2`.*example `--state/,
  );
  await assert.rejects(chooseClusterProcesses(directory.path, 1, defaultPorts), (error) =>
    isCoded(error, "ProcessesFixed"),
  );
});

for (const content of ["{", "{}", '{"further":[{"clusters":0,"admin":1}]}', '{"further":["a"]}'])
  test(`cluster-processes.json with ${content} is unreadable`, () => {
    using directory = temporary();
    writeFileSync(join(directory.path, "cluster-processes.json"), content);
    assert.throws(
      () => rememberedClusterProcesses(directory.path),
      (error) => isCoded(error, "StateUnreadable"),
    );
  });
