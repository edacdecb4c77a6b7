import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import {
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemClock } from "@keelson/base";
import { ContainerRoot } from "./container-root.ts";
import { NodeDisk } from "./node-disk.ts";
import { lockNode } from "./node-lock.ts";

/** Creates a container with a mount at /etc/kubernetes. Also creates files of the host outside of the container. */
async function container() {
  const directory = await mkdtempDisposable(join(tmpdir(), "container-root-"));
  const at = (path: string) => join(directory.path, path);
  await mkdir(at("root/etc"), { recursive: true });
  await mkdir(at("node"));
  await mkdir(at("config"));
  await mkdir(at("host"));
  await writeFile(at("host/secret"), "host");
  await writeFile(at("config/key"), "value");
  await symlink(at("node"), at("root/etc/kubernetes"));
  const root = new ContainerRoot(at("root"), [
    { path: "/etc/kubernetes", directory: at("node"), readOnly: false },
    { path: "/config", directory: at("config"), readOnly: true },
  ]);
  return {
    root,
    disk: new NodeDisk(root),
    at,
    /** Returns the files of the host. No test may change them. */
    host: async () => [await readdir(at("host")), await readFile(at("host/secret"), "utf8")],
    [Symbol.asyncDispose]: () => directory.remove(),
  };
}
const untouched = [["secret"], "host"];
const file = { content: "new", mode: 0o600 };

for (const path of [
  "/../../../../host/secret",
  "/etc/kubernetes/../../../host/secret",
  "/etc/kubernetes/../../../../../../../../../host/secret",
  "../../host/secret",
  "/./../host//secret",
])
  test(`path ${path} stays below the container's root`, async () => {
    await using made = await container();
    const { at, disk, host } = made;
    assert.equal(await disk.readFile(path), undefined);
    await disk.writeFile(path, file);
    assert.equal(await readFile(at("root/host/secret"), "utf8"), "new");
    await disk.remove(path);
    assert.equal(existsSync(at("root/host/secret")), false);
    assert.deepEqual(await host(), untouched);
  });

for (const [kind, target] of [
  ["absolute", (at: (path: string) => string) => at("host")],
  ["relative", () => "../../../../host"],
] as const)
  test(`a path through a symbolic link, ${kind}, stays below the container's root`, async () => {
    await using made = await container();
    const { at, disk, host, root } = made;
    await symlink(target(at), at("node/link"));
    await symlink(`${target(at)}/secret`, at("node/file"));
    for (const path of ["/etc/kubernetes/link/secret", "/etc/kubernetes/file"]) {
      assert.equal(await disk.readFile(path), undefined);
      await assert.rejects(root.readFile(path), { code: "ENOENT" });
      await disk.remove(path);
    }
    await disk.writeFile("/etc/kubernetes/link/secret", file);
    await disk.replaceDirectory("/etc/kubernetes/link/folder", { a: file });
    await disk.makeDirectory("/etc/kubernetes/link/made");
    assert.equal(await disk.readFile("/etc/kubernetes/link/secret"), "new");
    assert.ok((await disk.directories("/etc/kubernetes/link")).includes("made"));
    assert.deepEqual(await host(), untouched);
  });

test("a directory that a symbolic link replaces after the path was resolved is not followed", async () => {
  await using made = await container();
  const { at, disk, host, root } = made;
  await mkdir(at("node/static/pods"), { recursive: true });
  const swap = async () => {
    await rename(at("node/static"), at("node/moved"));
    await symlink(at("host"), at("node/static"));
  };
  // The directory was opened before the link was created, so the link has no effect.
  {
    await using opened = await root.parent("/etc/kubernetes/static/secret", "create");
    await swap();
    await writeFile(opened.place, "new");
  }
  assert.deepEqual(await readdir(at("node/moved")), ["pods", "secret"]);
  assert.deepEqual(await host(), untouched);
  // The link exists during every attempt. Its target does not exist in the container.
  await disk.writeFile("/etc/kubernetes/static/secret", file);
  assert.deepEqual(await host(), untouched);
});

test("links that are exchanged during all operations change only files of the container", async () => {
  await using made = await container();
  const { at, disk, host } = made;
  await mkdir(at("node/real"));
  const stop = new AbortController();
  const swapping = (async () => {
    while (!stop.signal.aborted) {
      await rename(at("node/real"), at("node/d")).catch(() => undefined);
      await rename(at("node/d"), at("node/real")).catch(() => undefined);
      await symlink(at("host"), at("node/d")).catch(() => undefined);
      await new Promise((next) => setImmediate(next));
      await rm(at("node/d"), { force: true }).catch(() => undefined);
    }
  })();
  for (let count = 0; count < 300; count++) {
    const path = "/etc/kubernetes/d/secret";
    await disk.writeFile(path, file).catch(() => undefined);
    assert.notEqual(await disk.readFile(path).catch(() => undefined), "host");
    await disk.remove(path).catch(() => undefined);
  }
  stop.abort();
  await swapping;
  assert.deepEqual(await host(), untouched);
});

test("files of a read-only mount are read and not changed", async () => {
  await using made = await container();
  const { disk, root } = made;
  assert.equal((await root.readFile("/config/key")).toString(), "value");
  const readOnly = { message: /^\/config\/(key|made|sub): Read-only file system$/ };
  await assert.rejects(disk.writeFile("/config/key", file), readOnly);
  await assert.rejects(disk.remove("/config/key"), readOnly);
  await assert.rejects(disk.makeDirectory("/config/made"), readOnly);
  await assert.rejects(disk.replaceDirectory("/config/sub", { a: file }), readOnly);
  assert.equal(await disk.readFile("/config/key"), "value");
});

test("a lock file is not a symbolic link", async () => {
  await using made = await container();
  const { at, disk, host } = made;
  await symlink(at("host/lock"), at("node/.lock"));
  const signal = AbortSignal.timeout(900_000);
  await assert.rejects(lockNode(disk, "/etc/kubernetes/.lock", systemClock, signal), {
    message: "/etc/kubernetes/.lock is a symbolic link and no lock file",
  });
  using _ = await lockNode(disk, "/etc/kubernetes/a/.lock", systemClock, signal);
  assert.ok((await readdir(at("node/a"))).includes(".lock"));
  assert.deepEqual(await host(), untouched);
});
