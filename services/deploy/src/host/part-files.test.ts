/** Tests the file access of root, `keelson-host` and the components, as on a machine. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { imageUser, rpParts, runDirectory, userOf } from "./parts.ts";
import { unitFiles } from "./units.ts";

const parts = rpParts("info", true);

/** Commands that `keelson-host.service` runs as root, with `directory` instead of /run/keelson. */
function preparations(directory: string): readonly (readonly string[])[] {
  const host = unitFiles("registry.example/keelson:v1", parts, true).find(
    ({ name }) => name === "keelson-host.service",
  );
  return [...(host?.content ?? "").matchAll(/^ExecStartPre=(\/usr\/bin\/.*)$/gm)].map(([, command = ""]) =>
    command.replaceAll(runDirectory, directory).split(" "),
  );
}

test("a part reads only its own files and writes no files", (t) => {
  if (process.getuid?.() !== 0) return t.skip("only root changes owners of files");
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-parts-"));
  for (const [program = "", ...args] of preparations(directory.path))
    assert.equal(spawnSync(program, args, { encoding: "utf8" }).stderr, "");
  const as = (user: number, script: string) =>
    spawnSync("/bin/sh", ["-ec", script], { uid: user, gid: user, cwd: directory.path }).status === 0;
  const write = "umask 077; echo secret >$0.new; chmod 640 $0.new; mv $0.new $0";
  for (const part of parts)
    assert.ok(as(imageUser, write.replaceAll("$0", `${part.name}/service.json`)), part.name);
  // Containers mount only the directory of their component, so the permissions of the parent directory must not matter. The test
  // makes the parent directory readable for all users.
  chmodSync(directory.path, 0o755);
  for (const part of parts) {
    const readable = parts.filter(({ name }) => as(userOf(part), `cat ${name}/service.json`));
    assert.deepEqual(
      readable.map(({ name }) => name),
      [part.name],
    );
    for (const script of ["echo x >service.json", "echo x >more", "rm -f service.json"])
      assert.ok(!as(userOf(part), `cd ${part.name}; ${script}`), `${part.name}: ${script}`);
  }
});
