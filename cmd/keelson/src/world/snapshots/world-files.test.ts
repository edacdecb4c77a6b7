import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { FileLock } from "@keelson/base";
import {
  completeExchange,
  copyWorld,
  exchangeWorld,
  linkStagedWorld,
  linkWorld,
  removeLinks,
  removeOldWorld,
  stagedWorld,
} from "./world-files.ts";

/** Creates a state directory with the world `content`. */
function stateDirectory(path: string, content: string): void {
  mkdirSync(join(path, "database/base"), { recursive: true });
  writeFileSync(join(path, "azure.sqlite"), content);
  writeFileSync(join(path, "database/base/1"), content);
  writeFileSync(join(path, `${content}.kubeconfig`), content);
  writeFileSync(join(path, "secrets.json"), "secrets");
}

const contentOf = (directory: string) => [
  readFileSync(join(directory, "azure.sqlite"), "utf8"),
  readFileSync(join(directory, "database/base/1"), "utf8"),
  readdirSync(directory)
    .filter((name) => name.endsWith(".kubeconfig"))
    .join(),
];

test("an exchange replaces all files of the world and leaves the files of the instance", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-world-"));
  const [state, staged] = [join(directory.path, "state"), join(directory.path, "staged")];
  stateDirectory(state, "new");
  writeFileSync(join(state, "azure.sqlite-wal"), "of the new one");
  stateDirectory(join(directory.path, "source"), "old");
  await copyWorld(join(directory.path, "source"), staged);
  assert.equal(existsSync(join(staged, "secrets.json")), false);
  await exchangeWorld(state, staged);
  await removeOldWorld(state);
  assert.deepEqual(contentOf(state), ["old", "old", "old.kubeconfig"]);
  assert.deepEqual(readdirSync(state).sort(), ["azure.sqlite", "database", "old.kubeconfig", "secrets.json"]);
});

test("a copy contains the databases of all processes of simulated clusters", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-world-"));
  const [state, copy] = [join(directory.path, "state"), join(directory.path, "copy")];
  stateDirectory(state, "one");
  for (const name of [
    "clusters-2.sqlite",
    "clusters-2.sqlite-wal",
    "clusters-2.log",
    "cluster-processes.json",
  ])
    writeFileSync(join(state, name), "");
  await copyWorld(state, copy);
  assert.deepEqual(
    readdirSync(copy).filter((name) => name.startsWith("cluster")),
    ["clusters-2.sqlite", "clusters-2.sqlite-wal"],
  );
});

test("an exchange that stopped after the commit, or between two renames, is completed", async () => {
  for (const moved of [[], ["azure.sqlite"], ["azure.sqlite", "database", "new.kubeconfig"]]) {
    using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-world-"));
    const state = join(directory.path, "state");
    stateDirectory(state, "new");
    stateDirectory(join(state, "world.commit"), "old");
    mkdirSync(join(state, "world.old"));
    for (const name of moved) renameSync(join(state, name), join(state, "world.old", name));
    await completeExchange(state);
    assert.deepEqual(contentOf(state), ["old", "old", "old.kubeconfig"], moved.join());
    await completeExchange(state);
    assert.deepEqual(contentOf(state), ["old", "old", "old.kubeconfig"], "a second call changes nothing");
  }
});

test("an exchange that stopped while the new files were moved is completed", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-world-"));
  const state = join(directory.path, "state");
  stateDirectory(join(state, "world.apply"), "old");
  renameSync(join(state, "world.apply/database"), join(state, "database"));
  await completeExchange(state);
  assert.deepEqual(contentOf(state), ["old", "old", "old.kubeconfig"]);
});

test("a file that a process opened through the link of the copy keeps its path and its lock after the exchange", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-world-"));
  const state = directory.path;
  stateDirectory(state, "new");
  writeFileSync(join(state, "database.lock"), "");
  stateDirectory(stagedWorld(state), "old");
  const link = await linkStagedWorld(state, 7);
  using lock = FileLock.acquire(join(link, "database.lock"));
  assert.ok(lock);
  await exchangeWorld(state, stagedWorld(state));
  await linkWorld(link);
  assert.equal(readFileSync(join(link, "database/base/1"), "utf8"), "old");
  assert.ok(FileLock.isHeld(join(state, "database.lock")));
  await linkStagedWorld(state, 8);
  await removeLinks(state, link);
  assert.deepEqual(
    readdirSync(state).filter((name) => name.startsWith("world.link")),
    ["world.link-7"],
  );
});

test("a copy contains no lock", async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-world-"));
  const state = join(directory.path, "state");
  stateDirectory(state, "new");
  writeFileSync(join(state, "database.lock"), "");
  await copyWorld(state, stagedWorld(state));
  assert.equal(existsSync(join(stagedWorld(state), "database.lock")), false);
});
