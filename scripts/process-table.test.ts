import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { test } from "node:test";
import { openFileCount, processRole, processTree, proportionalMib } from "./process-table.ts";

const isLinux = process.platform === "linux";

test("a role is the command of the program without its options", () => {
  const rows: readonly (readonly [string, string])[] = [
    ["/n/node --disable-warning=X /k/cmd/keelson/src/main.ts up --state /tmp/up --no-cluster", "keelson up"],
    ["/n/node /k/cmd/keelson/src/main.ts", "keelson"],
    [
      "/n/node --max-semi-space-size=2 /k/world/programs/operator-container.ts operator master --host ::1",
      "pod: operator master",
    ],
    ["/n/node /k/world/programs/operator-host.ts", "operators"],
    ["/bin/sh -c true", "sh"],
    ["", ""],
  ];
  for (const [line, role] of rows) assert.equal(processRole(line.split(" ").filter(Boolean)), role, line);
});

test("the tree of a process contains children of its children, with memory and open files", {
  skip: !isLinux,
}, async () => {
  const child = spawn("sh", ["-c", "cat; exit"], { stdio: ["pipe", "pipe", "ignore"] });
  // A response proves that the child has started its program and is no longer the forked shell.
  child.stdin.write("started\n");
  await once(child.stdout, "data");
  const tree = processTree(child.pid ?? 0);
  assert.deepEqual(
    tree.map(({ role }) => role),
    ["sh", "cat"],
  );
  for (const { pid } of tree) {
    assert.ok(proportionalMib(pid) > 0);
    assert.ok(openFileCount(pid) > 0);
  }
  for (const { pid } of tree) process.kill(pid, "SIGKILL");
  await once(child, "close");
  assert.deepEqual(processTree(child.pid ?? 0), []);
  assert.ok(Number.isNaN(proportionalMib(child.pid ?? 0)));
  assert.ok(Number.isNaN(openFileCount(child.pid ?? 0)));
});
