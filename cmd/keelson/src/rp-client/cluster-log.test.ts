import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { podLogs, serviceLog } from "./cluster-log.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-logs-"));
after(() => rmSync(directory, { recursive: true }));
const { signal } = new AbortController();

const line = (name: string, msg: string) =>
  JSON.stringify({
    msg,
    resourceId: `/subscriptions/S/resourceGroups/${name}/providers/Microsoft.RedHatOpenShift/openShiftClusters/${name}`,
  });

test("service log lines belong to one cluster, also if the name of a second cluster begins with its name", async () => {
  const path = join(directory, "service.log");
  const text = [
    line("demo", "one"),
    line("demo2", "two"),
    "no JSON",
    line("DEMO", "three"),
    line("demo", "\u001b[2J"),
  ];
  writeFileSync(path, `${text.join("\n")}\n`);
  const all = await serviceLog(path, "s", { name: "demo", resourceGroup: "demo" }, 10);
  assert.deepEqual(
    all.map((each) => JSON.parse(each.line).msg),
    ["one", "three", "\u001b[2J"],
  );
  const last = await serviceLog(path, "s", { name: "demo", resourceGroup: "demo" }, 1);
  assert.deepEqual(last, all.slice(-1));
});

test("pod logs are limited to the last lines of each container, and control characters are escaped", async () => {
  const requested: string[] = [];
  const objects = {
    list: async () => [
      { metadata: { name: "a" }, spec: { containers: [{ name: "x" }, { name: "y" }] } },
      { metadata: { name: "b" }, spec: { containers: [{ name: "x" }] } },
    ],
    podLog: async ({ pod, container }: { pod: string; container: string }) => {
      requested.push(`${pod}/${container}`);
      return "first\nsecond\n\u001b]0;title\u0007third\n";
    },
  };
  const lines = await podLogs(objects, { namespace: "n", pod: "a", container: "y", tail: 2 }, signal);
  assert.deepEqual(requested, ["a/y"]);
  assert.deepEqual(lines, [
    { source: "n/a/y", line: "second" },
    { source: "n/a/y", line: "\\u001b]0;title\\u0007third" },
  ]);
  assert.equal((await podLogs(objects, { namespace: "n", tail: 1 }, signal))?.length, 3);
  assert.equal(await podLogs(objects, { namespace: "n", pod: "c", tail: 1 }, signal), undefined);
});
