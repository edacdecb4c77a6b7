import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { isCoded } from "./errors.ts";
import { hostEntries, inPrivateRoot, type PrivateRoot, shellExports, systemPath } from "./private-root.ts";

const system = ["bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr"];

interface Place extends Disposable {
  readonly path: string;
  directory(name: string): string;
}

function place(): Place {
  const path = mkdtempSync(join(tmpdir(), "private-root-"));
  return {
    path,
    directory(name) {
      mkdirSync(join(path, name), { recursive: true });
      return join(path, name);
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/**
 * Runs a script in a private root and returns its output. Returns undefined and skips the test if namespaces are not permitted.
 */
async function run(t: TestContext, root: PrivateRoot, script: string, ...args: readonly string[]) {
  try {
    const [program = "", ...words] = await inPrivateRoot(root, ["/bin/sh", "-c", script, "sh", ...args]);
    return execFileSync(program, words, { env: { PATH: systemPath }, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    if (!isCoded(error, "NamespaceUnavailable")) throw error;
    t.skip("this process may not create a mount namespace");
    return undefined;
  }
}

test("a command sees the entries of its root, and writes only where it may", async (t) => {
  using here = place();
  writeFileSync(join(here.directory("volume"), "file"), "content\n");
  const root = {
    mountPoint: here.directory("mount"),
    base: here.directory("base"),
    workDirectory: "/work",
    entries: [
      ...hostEntries({ names: system, readOnly: true }),
      ...hostEntries({ names: ["dev", "proc"] }),
      { path: "/data", source: here.directory("volume") },
      { path: "/data/fixed", source: here.directory("fixed"), readOnly: true },
    ],
  };
  const output = await run(
    t,
    root,
    `cat /data/file; pwd; echo more > /data/more; echo own > own; touch /data/fixed/x /usr/x 2>/dev/null || echo refused
     test -e "$1" || echo hidden`,
    here.path,
  );
  if (output === undefined) return;
  assert.equal(output, "content\n/work\nrefused\nhidden\n");
  assert.equal(readFileSync(join(here.path, "volume", "more"), "utf8"), "more\n");
  assert.equal(readFileSync(join(here.path, "base", "work", "own"), "utf8"), "own\n");
  // The mounts disappear when the process exits.
  assert.deepEqual(readdirSync(root.mountPoint), []);
});

test("directories on top of the host's hide those, and an empty one hides its content", async (t) => {
  using here = place();
  writeFileSync(join(here.directory("secret"), "key"), "secret");
  const root = {
    mountPoint: here.directory("mount"),
    workDirectory: "/output",
    entries: [
      ...hostEntries({}),
      { path: here.directory("secret"), isEmpty: true as const },
      { path: "/.private-root-test", source: here.directory("own") },
    ],
  };
  const output = await run(
    t,
    root,
    `ls -A "$1"; touch /.private-root-test/x; test -r /etc/passwd && echo host`,
    join(here.path, "secret"),
  );
  if (output === undefined) return;
  assert.equal(output, "host\n");
  assert.deepEqual(readdirSync(join(here.path, "own")), ["x"]);
  assert.ok(!existsSync("/.private-root-test"));
});

test("variables reach the command only, with their exact values", async (t) => {
  using here = place();
  const environment = { TEXT: 'a\'b\n"$HOME" `x` \\', LD_PRELOAD: "/none.so", work: "w", "not.a.name": "x" };
  const environmentFile = join(here.path, "environment");
  writeFileSync(environmentFile, shellExports(environment));
  const root = {
    mountPoint: here.directory("mount"),
    workDirectory: "/",
    entries: hostEntries({}),
    environmentFile,
  };
  const output = await run(t, root, 'printf "%s|%s|%s" "$TEXT" "$LD_PRELOAD" "$work"');
  if (output === undefined) return;
  assert.equal(output, `${environment.TEXT}|/none.so|w`);
});

test("a command keeps its exit code", async (t) => {
  using here = place();
  const root = { mountPoint: here.directory("mount"), workDirectory: "/", entries: hostEntries({}) };
  let status: unknown = 7;
  try {
    if ((await run(t, root, "exit 7")) !== undefined) status = 0;
  } catch (error) {
    status = Reflect.get(Object(error), "status");
  }
  assert.equal(status, 7);
});

test("shells read exported values exactly", () => {
  using here = place();
  const file = join(here.path, "exports");
  const text = fc.string({ unit: "binary" }).filter((each) => !each.includes("\0") && each.isWellFormed());
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (values) => {
      const names = values.map((_, index) => `V${index}`);
      writeFileSync(
        file,
        shellExports(Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]))),
      );
      const print = names.map((name) => `"$${name}"`).join(" ");
      const script = `. "$1"\nprintf '%s\\0' ${print}`;
      const output = execFileSync("/bin/sh", ["-c", script, "sh", file], { encoding: "utf8" });
      assert.deepEqual(output.split("\0").slice(0, -1), values);
    }),
    { numRuns: 20 },
  );
});
