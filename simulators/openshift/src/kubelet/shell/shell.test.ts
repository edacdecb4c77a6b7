import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { systemClock } from "@keelson/base";
import fc from "fast-check";
import { afterTurnsOfOthers } from "../../testing/after-turns.ts";
import { ContainerFiles } from "../containers/container-files.ts";
import { Shell } from "./shell.ts";

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "shell-"));
});
after(() => rm(directory, { recursive: true }));

async function run(
  script: string,
  input = "",
  signal = AbortSignal.timeout(900_000),
  onOutput: () => void = () => undefined,
) {
  let stdout = "";
  let stderr = "";
  const files = new ContainerFiles(join(directory, "root"), [
    { path: "/data", directory: join(directory, "volume"), readOnly: false },
    { path: "/fixed", directory: join(directory, "fixed"), readOnly: true },
  ]);
  await files.make();
  const shell = new Shell({ files, clock: systemClock, signal }, { HOSTNAME: "p", A: "1" }, ["sh"]);
  const streams = {
    stdin: Readable.from(input ? [Buffer.from(input)] : []),
    stdout: (chunk: Uint8Array | string) => {
      stdout += Buffer.from(chunk).toString();
      onOutput();
    },
    stderr: (chunk: Uint8Array | string) => {
      stderr += Buffer.from(chunk).toString();
    },
  };
  const status = await shell.run(script, streams);
  return { status, stdout, stderr };
}

const scripts: readonly (readonly [string, string, number?])[] = [
  ["echo a b  c", "a b c\n"],
  [
    "mkdir -p /data/h/etc; echo n > /data/h/etc/n; chroot /data/h cat /etc/n; chroot /data/h pwd; rm -r /data/h",
    "n\n/\n",
  ],
  [
    "mkdir /data/h; ln -s /etc /data/h/l; chroot /data/h sh -c 'ls ..; ls /data'; rm -r /data/h",
    "etc\nhome\nl\nroot\ntmp\nvar\n",
  ],
  ["chroot /fixed ls 2> /dev/null; echo $?; chroot /none 2> /dev/null; echo $?", "125\n125\n"],
  [
    "cd /data; echo 1 > c1; echo 2 > c2; cp --update=none c1 c2; cat c2; cp -fp c1 c2; cat c2; rm c1 c2",
    "2\n1\n",
  ],
  ["{ sleep 0.05; echo job; } & wait; echo after", "job\nafter\n"],
  ["sleep 0 & first=1; { sleep 0.05; echo job; } & wait $first; echo after", "job\nafter\n"],
  ["trap 'echo trapped' EXIT; echo after", "after\n"],
  ["exit 7", "", 7],
  ["false || echo or; true && echo and", "or\nand\n"],
  ["false; echo $?", "1\n"],
  ["for i in 1 2 3; do echo $i; done", "1\n2\n3\n"],
  ["i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo n$i; done", "n1\nn2\nn3\n"],
  ["if [ -f /nothing ]; then echo yes; elif test 1 = 1; then echo else; fi", "else\n"],
  ["echo \"$A and '$HOSTNAME'\" 'raw $A' \\$A", "1 and 'p' raw $A $A\n"],
  ["x='a  b'; echo $x; echo \"$x\"", "a b\na  b\n"],
  ["echo $(echo inner | cat) `echo old`", "inner old\n"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a script
  ["echo ${NONE:-default} ${A:+set} ${#HOSTNAME}", "default set 1\n"],
  ["echo one > /tmp/f; echo two >> /tmp/f; cat /tmp/f; rm /tmp/f", "one\ntwo\n"],
  ["echo err >&2; echo out 2>/dev/null", "out\n"],
  ["{ echo a; echo b >&2; } 2>&1 | sort -r", "b\na\n"],
  ["printf '%s-%d\\n' x 5 y 6", "x-5\ny-6\n"],
  ["cat <<END\nhi $A\nEND\necho after", "hi 1\nafter\n"],
  ['f() { echo "got $1"; return 3; }; f it; echo $?', "got it\n3\n"],
  ["(cd /tmp; pwd); pwd", "/tmp\n/\n"],
  ["seq 1 3 | tail -n 1", "3\n"],
  [
    'exec {FD}>/tmp/lock && flock -w 1 "$FD" && echo "$FD"; flock /tmp/lock echo held; ls /tmp/lock',
    "10\nheld\n/tmp/lock\n",
  ],
  ["/usr/bin/timeout -k 9 5 echo in time; timeout 0.05 sleep 5; echo $?", "in time\n124\n"],
  ["timeout 1m sh -ec 'echo a; false; echo b'; echo $?", "a\n1\n"],
  ["echo a\\\nb \\\n c \"d\\\ne\" 'f\\\ng'", "ab c de f\\\ng\n"],
  ["set -e; false; echo never", "", 1],
  [
    "false | cat; echo $?; set -o pipefail; false | cat; echo $?; set +o pipefail; false | cat; echo $?",
    "0\n1\n0\n",
  ],
  ["set -euo pipefail; nosuch | sort; echo never", "", 127],
  [
    "mkdir -p /tmp/d/e; touch /tmp/d/e/x /tmp/d/e/y; ls /tmp/d/e; echo /tmp/d/e/*; rm -r /tmp/d",
    "x\ny\n/tmp/d/e/x /tmp/d/e/y\n",
  ],
  ["sh -c 'echo $0 $1' name arg", "name arg\n"],
  ['while read a b; do echo "$b $a"; done', "2 1\n4 3\n"],
  ["for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done; until true; do :; done", "1\n3\n"],
  ["! false && echo negated # comment", "negated\n"],
];
for (const [script, stdout, status = 0] of scripts) {
  test(`sh: ${script.replaceAll("\n", "\\n")}`, async () => {
    const ended = await run(script, "1 2\n3 4\n");
    assert.equal(ended.stdout, stdout, ended.stderr);
    assert.equal(ended.status, status);
  });
}

test("unknown commands and invalid scripts fail with an error message", async () => {
  assert.deepEqual(await run("nonsense x"), { status: 127, stdout: "", stderr: "sh: nonsense: not found\n" });
  assert.equal((await run("if true")).status, 2);
  assert.match((await run("echo 'open")).stderr, /unterminated/);
});

test("an endless script can be stopped and yields to the event loop", async () => {
  const ended = await run("while true; do :; done", "", afterTurnsOfOthers(4));
  assert.equal(ended.status, 143);
});

test("a program that a script hands over to and is not here runs until it is stopped", async () => {
  const stop = new AbortController();
  const script = "echo begun; exec foreign --flag; echo never";
  const ended = await run(script, "", stop.signal, () => setTimeout(() => stop.abort("SIGTERM"), 50));
  assert.deepEqual(ended, { status: 143, stdout: "begun\n", stderr: "" });
});

test("runaway recursion fails", async () => {
  assert.match((await run("f() { f; }; f")).stderr, /nested too deeply/);
  assert.match((await run("(".repeat(5_000))).stderr, /nested too deeply/);
});

test("no path escapes the container", async () => {
  await writeFile(join(directory, "secret"), "secret");
  await run("true");
  await mkdir(join(directory, "volume"), { recursive: true });
  await symlink(directory, join(directory, "root/out"));
  await symlink("../../secret", join(directory, "volume/up"));
  for (const path of ["/../secret", "../../secret", "/out/secret", "/data/up", "/data/../../secret"]) {
    const { stdout, status } = await run(`cat ${path}`);
    assert.deepEqual({ stdout, status }, { stdout: "", status: 1 }, path);
  }
  await run("ln -s /etc /tmp/link; echo mine > /tmp/link/passwd");
  assert.equal(await readFile(join(directory, "root/etc/passwd"), "utf8"), "mine\n");
  assert.match((await run("echo x > /fixed/f")).stderr, /Read-only/);
});

test("nothing leaves a read-only mount, and a link is moved as it is", async () => {
  await mkdir(join(directory, "fixed"), { recursive: true });
  await writeFile(join(directory, "fixed/f"), "kept");
  assert.match((await run("mv /fixed/f /tmp/f")).stderr, /Read-only/);
  assert.equal(await readFile(join(directory, "fixed/f"), "utf8"), "kept");
  const moved = await run("echo text > /tmp/t; ln -s t /tmp/l; mv /tmp/l /tmp/m; cat /tmp/m; [ -L /tmp/m ]");
  assert.deepEqual(moved, { status: 0, stdout: "text\n", stderr: "" });
});

test("an archive is packed and unpacked, including links and hostile names", async () => {
  await run("mkdir -p /data/in/sub; echo text > /data/in/sub/f; ln -s sub/f /data/in/l");
  const ended = await run("cd /tmp; tar cf - -C /data in | tar xmf - -C /tmp; cat /tmp/in/l; ls /tmp/in");
  assert.deepEqual(ended, { status: 0, stdout: "text\nl\nsub\n", stderr: "" });
  const missing = await run("tar cf - /nowhere > /dev/null");
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /tar: \/nowhere: Cannot stat/);
});

const trims = ["#", "##", "%", "%%"] as const;

test("the shortest or longest match of a pattern is removed at the start or the end of a value", async () => {
  const text = fc.stringMatching(/^[ab]{0,8}$/);
  const pattern = fc.stringMatching(/^[ab*?]{1,4}$/);
  await fc.assert(
    fc.asyncProperty(text, pattern, fc.constantFrom(...trims), async (value, glob, trim) => {
      const regular = new RegExp(`^${glob.replaceAll("*", ".*").replaceAll("?", ".")}$`);
      const lengths = Array.from({ length: value.length + 1 }, (_, length) => length);
      const isPrefix = trim.startsWith("#");
      const isMatch = (length: number) =>
        regular.test(isPrefix ? value.slice(0, length) : value.slice(value.length - length));
      const length = (trim.length === 1 ? lengths : lengths.toReversed()).find(isMatch) ?? 0;
      const rest = isPrefix ? value.slice(length) : value.slice(0, value.length - length);
      const { stdout } = await run(`V=${value}; echo "\${V${trim}${glob}}"`);
      assert.equal(stdout, `${rest}\n`);
    }),
    { numRuns: 300 },
  );
});
