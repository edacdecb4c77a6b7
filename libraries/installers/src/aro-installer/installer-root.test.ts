import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { isCoded, systemPath } from "@keelson/base";
import { InstallDirectory } from "./install-directory.ts";
import { inInstallerRoot } from "./installer-root.ts";

test("the installer sees its own files at the root, and neither temporary files nor other installs", async (t) => {
  // The test uses a directory outside of `/tmp`, because the installer has a private `/tmp`.
  const parent = mkdtempSync("/var/tmp/installer-root-");
  const ofHost = join(tmpdir(), `installer-root-${process.pid}`);
  try {
    writeFileSync(ofHost, "host");
    const directory = new InstallDirectory(parent, "one");
    directory.create();
    new InstallDirectory(parent, "two").create();
    directory.writeFile("/.azure/99_aro.json", "cluster document\n");
    const script = `
      cat /.azure/99_aro.json
      pwd
      ls "$1"
      ls /tmp
      mkdir /output/auth
      echo private > /tmp/file
      test -r /etc/passwd && echo host
    `;
    const command = await inInstallerRoot(directory, parent, ["/bin/sh", "-c", script, "sh", parent]).catch(
      (error: unknown) => {
        if (!isCoded(error, "InstallerUnavailable")) throw error;
        t.skip("this process may not create a mount namespace");
      },
    );
    if (!command) return;
    const [program = "", ...args] = command;
    const output = execFileSync(program, args, { env: { PATH: systemPath }, encoding: "utf8" });
    assert.equal(output, "cluster document\n/output\nhost\n");
    assert.deepEqual(readdirSync(directory.workDirectory), ["auth"]);
    assert.equal(readFileSync(join(directory.files, "tmp", "file"), "utf8"), "private\n");
    assert.equal(readFileSync(ofHost, "utf8"), "host");
    assert.ok(!existsSync("/.azure/99_aro.json"));
  } finally {
    rmSync(ofHost, { force: true });
    rmSync(parent, { recursive: true, force: true });
  }
});
