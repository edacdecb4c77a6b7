import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { NodeDisk } from "./node-disk.ts";

let directory: string;
const disk = new NodeDisk();
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "node-disk-"));
});
after(() => rm(directory, { recursive: true }));

const pair = (version: number) => ({
  "tls.crt": { content: `${version} `.repeat(20_000), mode: 0o600 },
  "tls.key": { content: `${version}`, mode: 0o600 },
});

test("a directory contains exactly the given files and modes, and is written only for a difference", async () => {
  const path = join(directory, "modes", "scripts");
  const files = { "a.sh": { content: "a", mode: 0o755 }, b: { content: Buffer.from([0, 255]), mode: 0o600 } };
  assert.equal(await disk.replaceDirectory(path, files), true);
  assert.equal(await disk.replaceDirectory(path, files), false);
  assert.equal((await stat(join(path, "a.sh"))).mode & 0o777, 0o755);
  assert.equal((await stat(path)).mode & 0o777, 0o755);
  assert.deepEqual(await disk.readDirectory(path), { "a.sh": Buffer.from("a"), b: Buffer.from([0, 255]) });
  assert.equal(await disk.replaceDirectory(path, { b: files.b }), true);
  assert.deepEqual(await readdir(path), ["b"]);
  assert.equal(await disk.replaceDirectory(path, { b: { ...files.b, mode: 0o644 } }), true);
});

test("names outside of a directory are rejected", async () => {
  for (const name of ["..", "../x", "a/b", ""])
    await assert.rejects(
      disk.replaceDirectory(join(directory, "names", "x"), { [name]: { content: "", mode: 0o600 } }),
      /is not the name/,
    );
});

test("a plain directory of a different installer is replaced", async () => {
  const path = join(directory, "plain", "secret");
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "old"), "old");
  await disk.replaceDirectory(path, { new: { content: "new", mode: 0o600 } });
  assert.deepEqual(await readdir(path), ["new"]);
});

test("what is removed leaves nothing", async () => {
  const path = join(directory, "gone", "secret");
  await disk.replaceDirectory(path, pair(1));
  await disk.replaceDirectory(path, pair(2));
  await disk.remove(path);
  assert.deepEqual(await readdir(join(directory, "gone")), []);
  assert.equal(await disk.readDirectory(path), undefined);
});

test("a process killed during a write leaves complete directories and files, and the next write removes leftovers", async () => {
  const path = join(directory, "killed", "secrets", "serving");
  const manifest = join(directory, "killed", "manifests", "pod.yaml");
  const text = (version: number) => JSON.stringify({ version, rest: "x".repeat(100_000) });
  await disk.replaceDirectory(path, pair(0));
  await disk.writeFile(manifest, { content: text(0), mode: 0o600 });
  for (let round = 0; round < 6; round += 1) {
    const child = fork(
      fileURLToPath(new URL("testing/write-until-killed.ts", import.meta.url)),
      [path, manifest],
      {
        execArgv: ["--disable-warning=ExperimentalWarning"],
      },
    );
    const ended = once(child, "exit");
    // The child process reports each write before the write starts. The child process is killed during a later write.
    let left = 5 + round * 3;
    for await (const [version] of messages(child)) {
      const [certificate, key] = await readPair(path);
      assert.equal(certificate.split(" ")[0], key);
      assert.equal(JSON.parse(await readFile(manifest, "utf8")).rest.length, 100_000);
      assert.ok(Number(version) >= 0);
      left -= 1;
      if (left === 0) child.kill("SIGKILL");
    }
    await ended;
    const [certificate, key] = await readPair(path);
    assert.equal(certificate, `${key} `.repeat(20_000));
    assert.equal(JSON.parse(await readFile(manifest, "utf8")).rest.length, 100_000);
  }
  await disk.replaceDirectory(path, pair(-1));
  await disk.writeFile(manifest, { content: "{}", mode: 0o600 });
  // The directory contains the current version, the previous version and the link.
  assert.equal((await readdir(join(path, ".."))).length, 3);
  assert.deepEqual(await readdir(join(manifest, "..")), ["pod.yaml"]);
});

async function* messages(child: ReturnType<typeof fork>): AsyncGenerator<readonly unknown[]> {
  const stop = new AbortController();
  child.once("exit", () => stop.abort());
  try {
    for (;;) yield await once(child, "message", { signal: stop.signal });
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
}

/** Reads the directory through its resolved path, like a kubelet. Retries if the resolved version was removed during the read. */
async function readPair(path: string): Promise<readonly [string, string]> {
  for (;;) {
    const open = await realpath(path);
    try {
      return [await readFile(join(open, "tls.crt"), "utf8"), await readFile(join(open, "tls.key"), "utf8")];
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
}
