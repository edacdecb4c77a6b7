import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { FileLock } from "./file-lock.ts";
import { spawnBound } from "./spawn-bound.ts";

const module = new URL("file-lock.ts", import.meta.url).href;

async function lockPath() {
  const directory = await mkdtempDisposable(join(tmpdir(), "keelson-lock-"));
  return {
    path: join(directory.path, "lock"),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

test("a lock has one holder, and is free after its disposal", async () => {
  await using place = await lockPath();
  assert.equal(FileLock.isHeld(place.path), false);
  {
    using lock = FileLock.acquire(place.path);
    assert.ok(lock);
    assert.equal(FileLock.isHeld(place.path), true);
    assert.equal(FileLock.acquire(place.path), undefined);
  }
  assert.equal(FileLock.isHeld(place.path), false);
});

test("a lock is free after SIGKILL of its holder", async () => {
  await using place = await lockPath();
  const script = `const { FileLock } = await import(${JSON.stringify(module)});
    globalThis.lock = FileLock.acquire(${JSON.stringify(place.path)}); process.send("held"); setInterval(() => {}, 1e6);`;
  const child = spawnBound(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  await new Promise((resolve) => child.once("message", resolve));
  assert.equal(FileLock.acquire(place.path), undefined);
  child.kill("SIGKILL");
  await exited;
  assert.equal(FileLock.isHeld(place.path), false);
  using lock = FileLock.acquire(place.path);
  assert.ok(lock);
});

test("a lock can always be acquired while other threads check it", async () => {
  await using place = await lockPath();
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const code = `import { workerData } from "node:worker_threads";
    const { FileLock } = await import(${JSON.stringify(module)});
    while (Atomics.load(workerData.stop, 0) === 0) FileLock.isHeld(workerData.path);`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(code)}`);
  const checkers = [1, 2].map(() => new Worker(url, { workerData: { stop, path: place.path } }));
  await Promise.all(checkers.map((each) => new Promise((resolve) => each.once("online", resolve))));
  try {
    for (let round = 0; round < 300; round++) {
      using lock = FileLock.acquire(place.path);
      assert.ok(lock, `round ${round}`);
      assert.equal(FileLock.isHeld(place.path), true);
    }
  } finally {
    Atomics.store(stop, 0, 1);
    await Promise.all(checkers.map((each) => new Promise((resolve) => each.once("exit", resolve))));
  }
});
