/** Checks that all files agree with the Node.js releases in cmd/keelson/src/process/node-versions.json. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFile(join(root, path), "utf8");
const list = "cmd/keelson/src/process/node-versions.json";
const versions: { readonly pinned: string; readonly supported: readonly number[] } = JSON.parse(
  await read(list),
);

test("package.json, its lock file, the image and the runtime of checkouts have the releases of the list", async () => {
  const range = versions.supported.map((major) => `^${major}.0.0`).join(" || ");
  assert.equal(JSON.parse(await read("package.json")).engines.node, range);
  assert.equal(JSON.parse(await read("package-lock.json")).packages[""].engines.node, range);
  assert.match(await read("deploy/Containerfile"), new RegExp(`/node:${versions.pinned}-trixie-slim`));
  const { optionalDependencies: runtime } = JSON.parse(await read("scripts/node-runtime/package.json"));
  for (const platform of ["linux-x64", "linux-arm64"])
    assert.equal(runtime[`node-${platform}`], versions.pinned);
  for (const release of Object.values(runtime))
    assert.ok(versions.supported.includes(Number(String(release).split(".")[0])), String(release));
});

for (const { major, isAccepted } of [
  { major: 22, isAccepted: false },
  { major: 24, isAccepted: true },
  { major: 25, isAccepted: false },
  { major: 26, isAccepted: true },
  { major: 246, isAccepted: false },
])
  test(`scripts/node.sh ${isAccepted ? "accepts" : "refuses"} a machine with Node ${major}`, async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), "keelson-node-"));
    const at = (path: string) => join(directory.path, path);
    for (const path of ["bin", "scripts", "cmd/keelson/src/process"])
      await mkdir(at(path), { recursive: true });
    for (const path of ["scripts/node.sh", list]) await copyFile(join(root, path), at(path));
    await writeFile(at("bin/node"), `#!/bin/sh\necho ${major}\n`, { mode: 0o755 });
    // The script installs Node if no supported version is available.
    await writeFile(at("bin/npm"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    await mkdir(at("scripts/node-runtime"));
    for (const name of ["package.json", "package-lock.json"])
      await writeFile(at(`scripts/node-runtime/${name}`), "{}");
    const env = { PATH: [at("bin"), process.env.PATH].join(delimiter) };
    const started = promisify(execFile)(at("scripts/node.sh"), { env });
    if (isAccepted) assert.equal((await started).stdout.trim(), at("bin/node"));
    else await assert.rejects(started, { stderr: `fetching Node ${versions.pinned} into .tools/node ...\n` });
  });
