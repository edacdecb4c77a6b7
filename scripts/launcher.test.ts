import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { frugalMalloc } from "@keelson/base";

const run = promisify(execFile);
const launcher = join(import.meta.dirname, "../keelson");

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "keelson-launcher-"));
  // Fake Node.js with a sufficient version. It prints its arguments.
  const node = '#!/bin/sh\nif [ "$1" = -p ]; then echo 24; else echo "$*"; fi\n';
  await writeFile(join(directory, "node"), node, { mode: 0o755 });
  const { stdout: awk } = await run("sh", ["-c", "command -v awk"]);
  await writeFile(join(directory, "awk"), `#!/bin/sh\nexec ${awk.trim()} "$1" "$MEMINFO"\n`, { mode: 0o755 });
  // Memory sizes of machines with 32 GiB and 2 GiB, in KiB.
  for (const [name, bytes] of [["large", 32 * 1024 ** 2] as const, ["small", 2 * 1024 ** 2] as const])
    await writeFile(join(directory, name), `MemFree: 1 kB\nMemTotal:       ${bytes} kB\n`);
});
after(() => rm(directory, { recursive: true, force: true }));

async function startedWith(args: readonly string[], memory: string, environment = {}): Promise<string> {
  const env = {
    // The shell finds the two fake programs in this directory before the system's tools.
    PATH: [directory, process.env.PATH].join(delimiter),
    MEMINFO: join(directory, memory),
    ...environment,
  };
  const { stdout } = await run(launcher, args, { env });
  const [options = "", rest = ""] = stdout.trim().split(/ ?--disable-warning=\S+ \S+main\.ts ?/);
  assert.equal(rest, args.join(" "));
  return options;
}

test("what runs simulated clusters may use three quarters of a large machine's memory, and nothing else may", async () => {
  const most = "--max-old-space-size=24576";
  assert.equal(await startedWith(["sim"], "large"), most);
  for (const args of [[], ["rp"], ["up", "--detach"], ["simulate"], ["down", "sim"]])
    assert.equal(await startedWith(args, "large"), "", args.join(" "));
  assert.equal(await startedWith(["sim"], "small"), "");
  assert.equal(await startedWith(["sim"], "absent"), "");
});

test("a limit that the environment sets is kept", async () => {
  assert.equal(await startedWith(["sim"], "large", { NODE_OPTIONS: "--max-old-space-size=6000" }), "");
});

test("roles that are mostly idle start with a frugal memory allocator", async () => {
  const node =
    '#!/bin/sh\nif [ "$1" = -p ]; then echo 24; else echo "$MALLOC_ARENA_MAX $MALLOC_TRIM_THRESHOLD_ $MALLOC_MMAP_THRESHOLD_"; fi\n';
  const other = join(directory, "environment");
  await mkdir(other);
  await writeFile(join(other, "node"), node, { mode: 0o755 });
  const allocator = async (command: string) => {
    const env = {
      PATH: [other, directory, process.env.PATH].join(delimiter),
      MEMINFO: join(directory, "large"),
    };
    return (await run(launcher, [command], { env })).stdout.trim();
  };
  const frugal = Object.values(frugalMalloc).join(" ");
  for (const command of ["up", "monitor", "portal"]) assert.equal(await allocator(command), frugal, command);
  for (const command of ["rp", "status"]) assert.equal(await allocator(command), "", command);
});

test("without npm packages, the launcher names the command that installs them", async () => {
  const checkout = join(directory, "checkout");
  await mkdir(checkout);
  await copyFile(launcher, join(checkout, "keelson"));
  const env = { PATH: [directory, process.env.PATH].join(delimiter) };
  await assert.rejects(
    run(join(checkout, "keelson"), ["status"], { env }),
    (error: { code: number; stderr: string }) => {
      assert.equal(error.code, 1);
      assert.match(
        error.stderr,
        /^keelson: npm packages are missing in .*checkout: run "make up", which installs them\n$/,
      );
      return true;
    },
  );
});
