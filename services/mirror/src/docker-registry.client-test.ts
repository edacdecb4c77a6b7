import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { issueCertificate, reserveFreePort, systemClock } from "@keelson/base";
import { UploadSession } from "./copy/upload-session.ts";
import { Registry } from "./registry/registry.ts";
import { Repository } from "./registry/repository.ts";
import { testAuthority } from "./testing/https-server.ts";
import { quickAttempts } from "./testing/mirror-setup.ts";
import { RegistryStore } from "./testing/registry-store.ts";

const signal = AbortSignal.timeout(900_000);
const directory = mkdtempSync(join(tmpdir(), "keelson-registries-"));
const main = new URL("../../../cmd/keelson/src/main.ts", import.meta.url).pathname;
const sizes = [40_000_000, 25_000_000, 9_000_000, 300_000, 70_000];
let source: RunningRegistry;
let target: RunningRegistry;

interface RunningRegistry {
  readonly host: string;
  readonly data: string;
  readonly process: ChildProcess;
}

before(async () => {
  const authority = await testAuthority();
  const pair = await issueCertificate(authority, {
    commonName: "localhost",
    usage: "server",
    validDays: 1,
    dnsNames: ["localhost"],
  });
  writeFileSync(join(directory, "ca.pem"), authority.certificatePem);
  writeFileSync(join(directory, "tls.pem"), pair.certificatePem);
  writeFileSync(join(directory, "tls-key.pem"), pair.privateKeyPem);
  [source, target] = await Promise.all([startRegistry("source"), startRegistry("target")]);
  await fill();
});
after(async () => {
  for (const { process: child } of [source, target]) {
    if (child.exitCode !== null) continue;
    child.kill();
    await once(child, "exit");
  }
  rmSync(directory, { recursive: true, force: true });
});

/** Starts Debian's docker-registry (distribution) over HTTPS. */
async function startRegistry(name: string): Promise<RunningRegistry> {
  const data = join(directory, name);
  mkdirSync(data);
  const reservation = await reserveFreePort();
  const { port } = reservation;
  await reservation[Symbol.asyncDispose]();
  const config = join(directory, `${name}.yml`);
  writeFileSync(
    config,
    `version: 0.1
log: { level: error }
storage: { filesystem: { rootdirectory: ${data} }, delete: { enabled: true } }
http:
  addr: 127.0.0.1:${port}
  tls: { certificate: ${join(directory, "tls.pem")}, key: ${join(directory, "tls-key.pem")} }
`,
  );
  const child = spawn("docker-registry", ["serve", config], { stdio: ["ignore", "ignore", "ignore"] });
  const host = `localhost:${port}`;
  await using registry = await connect(host);
  for (;;) {
    try {
      await new Repository(registry, "none", "pull").hasBlob(`sha256:${"0".repeat(64)}`, signal);
      return { host, data, process: child };
    } catch (error) {
      assert.equal(child.exitCode, null, String(error));
      await delay(50, undefined, { signal });
    }
  }
}

async function connect(registry: string): Promise<Registry> {
  const { certificatePem: caPem } = await testAuthority();
  return new Registry({
    registry,
    authHosts: [],
    redirectHosts: [],
    credential: { kind: "anonymous" },
    caPem,
    attempts: quickAttempts,
    clock: systemClock,
    userAgent: "test",
  });
}

/** Creates two images that share their largest layer, in two repositories. */
async function fill(): Promise<void> {
  const store = new RegistryStore();
  const layers = sizes.map((size) => randomBytes(size));
  store.addImage("team/one", layers, "v1");
  store.addImage("team/two", layers.slice(0, 2), "v1");
  await using registry = await connect(source.host);
  for (const [name, content] of store.blobs) {
    const [repository = "", digest = ""] = name.split("@");
    const start = await UploadSession.start(
      new Repository(registry, repository, "pull,push"),
      digest,
      undefined,
      signal,
    );
    assert.ok(start.kind === "session");
    await start.session.finish(digest, content, signal);
  }
  for (const [name, { mediaType, content }] of store.manifests) {
    const [repository = "", tag] = name.split(":");
    if (name.includes("@") || tag === undefined) continue;
    const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
    const manifest = { mediaType, content, digest, manifests: [], blobs: [], layers: [] };
    await new Repository(registry, repository, "pull,push").putManifest(tag, manifest, signal);
  }
}

function mirror(...more: readonly string[]) {
  const config = join(directory, "mirror.json");
  writeFileSync(
    config,
    JSON.stringify({
      destination: target.host,
      images: ["one", "two"].map((name) => `${source.host}/team/${name}:v1`),
      registries: { [source.host]: { caFile: "ca.pem" }, [target.host]: { caFile: "ca.pem" } },
      chunkBytes: 1_000_000,
      attempts: 3,
      firstDelayMs: 10,
    }),
  );
  const args = [
    "--disable-warning=ExperimentalWarning",
    main,
    "mirror",
    "--only",
    "images",
    "--config",
    config,
    "--state",
    directory,
    ...more,
  ];
  return spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
}

async function ended(child: ReturnType<typeof mirror>) {
  const [stdout, stderr] = await Promise.all(
    [child.stdout, child.stderr].map(async (stream) => (await Array.fromAsync(stream)).join("")),
  );
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return { code: child.exitCode, stdout: stdout ?? "", stderr: stderr ?? "" };
}

/** Returns the blobs and links in a registry's directory, but not the unfinished uploads. */
function contents({ data }: RunningRegistry): Readonly<Record<string, string>> {
  const files = globSync("**/{data,link}", { cwd: data }).filter((path) => !path.includes("_uploads"));
  return Object.fromEntries(
    files.sort().map((path) => [
      path,
      createHash("sha256")
        .update(readFileSync(join(data, path)))
        .digest("hex"),
    ]),
  );
}

test("killed at 20 random moments and resumed, the destination ends as the source is", async () => {
  let killed = 0;
  for (let round = 0; round < 20; round++) {
    const child = mirror();
    const result = ended(child);
    await delay(400 + Math.random() * 900);
    child.kill("SIGKILL");
    if ((await result).code === null) killed++;
  }
  assert.ok(killed > 0);
  const last = await ended(mirror("-o", "json"));
  assert.equal(last.code, 0, last.stderr);
  assert.deepEqual(contents(target), contents(source));
  const { images } = JSON.parse(last.stdout);
  assert.equal(images.length, 2);
  const again = await ended(mirror("-o", "json"));
  assert.equal(JSON.parse(again.stdout).sentBytes, 0);
});

test("a blob that is altered in the source's storage is reported, and does not arrive", async () => {
  rmSync(join(target.data, "docker"), { recursive: true });
  const saved = join(directory, "saved");
  const blob = globSync("docker/registry/v2/blobs/**/data", { cwd: source.data }).find(
    (path) => readFileSync(join(source.data, path)).length === sizes[3],
  );
  assert.ok(blob);
  const path = join(source.data, blob);
  cpSync(path, saved);
  for (const content of [readFileSync(saved).fill(0, 10, 20), readFileSync(saved).subarray(0, 1_000)]) {
    writeFileSync(path, content);
    const { code, stderr } = await ended(mirror());
    assert.equal(code, 1);
    assert.match(stderr, /team\/one:v1: (?:DigestMismatch|BlobTruncated): blob sha256:/);
    assert.ok(!existsSync(join(target.data, blob)));
  }
  cpSync(saved, path);
  assert.equal((await ended(mirror())).code, 0);
  assert.deepEqual(contents(target), contents(source));
});

/** Mounts a small in-memory file system at `place`. Returns false if mounting fails. */
function mount(place: string, size: string): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", place]).status === 0;
}

function unmount(place: string): void {
  assert.equal(spawnSync("umount", ["--lazy", place]).status, 0);
}

/** True if mounting is permitted. On some machines, even root may not mount file systems. */
function canMount(): boolean {
  const place = mkdtempSync(join(directory, "mount-"));
  if (!mount(place, "64k")) return false;
  unmount(place);
  return true;
}

test("full disks of the registry and of the state are reported with the original error", {
  skip: canMount() ? false : "needs root, and leave to mount",
}, async () => {
  const storage = join(target.data, "docker");
  rmSync(storage, { recursive: true, force: true });
  mkdirSync(storage);
  assert.ok(mount(storage, "20m"));
  try {
    const { code, stderr } = await ended(mirror());
    assert.equal(code, 1);
    assert.match(stderr, /team\/one:v1: RegistryUnavailable: .*no space left on device/);
  } finally {
    unmount(storage);
  }
  const state = mkdtempSync(join(directory, "state-"));
  assert.ok(mount(state, "64k"));
  try {
    spawnSync("sh", ["-c", "cat /dev/zero > ballast"], { cwd: state });
    const { code, stderr } = await ended(mirror("--state", state));
    assert.equal(code, 1);
    assert.match(stderr, /ENOSPC|no space left|disk is full/);
  } finally {
    unmount(state);
  }
});
