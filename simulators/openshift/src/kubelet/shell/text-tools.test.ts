import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { systemClock } from "@keelson/base";
import { ContainerFiles } from "../containers/container-files.ts";
import { Shell } from "./shell.ts";

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "text-tools-"));
});
after(() => rm(directory, { recursive: true }));

async function run(script: string, input = "") {
  const signal = AbortSignal.timeout(900_000);
  let stdout = "";
  let stderr = "";
  const files = new ContainerFiles(join(directory, "root"), []);
  await files.make();
  const shell = new Shell({ files, clock: systemClock, signal }, { HOME: "/root" }, ["sh"]);
  const status = await shell.run(script, {
    stdin: Readable.from(input ? [Buffer.from(input)] : []),
    stdout: (chunk: Uint8Array | string) => {
      stdout += Buffer.from(chunk).toString();
    },
    stderr: (chunk: Uint8Array | string) => {
      stderr += Buffer.from(chunk).toString();
    },
  });
  return { status, stdout, stderr };
}

const people = "ann 30 oslo\nbob 25 rome\ncid 41 oslo\n";
const csv = "a,b,,d\n1,2,3,4\n";

type Case = readonly [script: string, input: string, stdout: string, status?: number];

/** Expected results are the output of the GNU tools. */
const cases: readonly Case[] = [
  // grep
  ["grep '^b.*e$'", people, "bob 25 rome\n"],
  ["grep -E 'ann|cid'", people, "ann 30 oslo\ncid 41 oslo\n"],
  ["grep -o '[0-9]*'", people, "30\n25\n41\n"],
  ["grep -c oslo", people, "2\n"],
  ["grep -vn oslo", people, "2:bob 25 rome\n"],
  ["grep -F 'a.c'", "abc\na.c\n", "a.c\n"],
  ["grep -i ANN", people, "ann 30 oslo\n"],
  ["grep -w 4", "4 1\n41\n", "4 1\n"],
  ["grep -x 4", "4\n41\n", "4\n"],
  ["grep -A1 ann", people, "ann 30 oslo\nbob 25 rome\n"],
  ["grep -B 1 --line-number cid", people, "2-bob 25 rome\n3:cid 41 oslo\n"],
  ["grep -m1 oslo", people, "ann 30 oslo\n"],
  ["grep -e rome -e 41", people, "bob 25 rome\ncid 41 oslo\n"],
  ["grep -q nobody", people, "", 1],
  ["grep x /nowhere", "", "", 2],
  [
    "printf 'x\\n' > /tmp/g1; printf 'y\\n' > /tmp/g2; grep -l x /tmp/g1 /tmp/g2; grep x /tmp/g1 /tmp/g2",
    "",
    "/tmp/g1\n/tmp/g1:x\n",
  ],
  // `cut` and `tr`
  ["cut -d, -f2,4", csv, "b,d\n2,4\n"],
  ["cut -c2-", "abc\n", "bc\n"],
  ["cut -d: -f1 -s", "a:b\nc\n", "a\n"],
  ["tr a-z A-Z", "abc\n", "ABC\n"],
  ["tr -d '\\n '", "a b\nc\n", "abc"],
  ["tr -s ' '", "a   b\n", "a b\n"],
  ["tr -cd '[:digit:]'", "a1b2\n", "12"],
  ["tr '[:lower:]' '[:upper:]'", "ab\n", "AB\n"],
];
for (const [script, input, stdout, status = 0] of cases)
  test(script.replaceAll("\n", "\\n"), async () => {
    const ended = await run(script, input);
    assert.equal(ended.stdout, stdout, ended.stderr);
    assert.equal(ended.status, status);
  });

test("a pattern with a back-reference is rejected", async () => {
  const ended = await run("grep '\\(x\\)\\1'", "x\n");
  assert.match(ended.stderr, /back-references/);
  assert.notEqual(ended.status, 0);
});

for (const name of ["awk", "sed"])
  test(`${name} is not found`, async () => {
    const ended = await run(`${name} p`);
    assert.match(ended.stderr, /not found/);
    assert.equal(ended.status, 127);
  });
