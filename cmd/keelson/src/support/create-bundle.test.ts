import assert from "node:assert/strict";
import { once } from "node:events";
import {
  chmodSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { createGunzip } from "node:zlib";
import { spawnBound, systemClock } from "@keelson/base";
import { extract } from "tar-stream";
import { createDiagnosticsDirectory, diagnosticsDirectory } from "../process/diagnostics-signal.ts";
import { writeBundle } from "./bundle-file.ts";
import { collectDiagnostics } from "./collect-diagnostics.ts";
import { createBundle } from "./create-bundle.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-support-"));
const signal = AbortSignal.timeout(900_000);
after(() => rmSync(directory, { recursive: true, force: true }));

/** Starts a process that handles the diagnostics signal like a service process, but records only a short CPU profile. */
async function startProcess() {
  const module = new URL("../process/diagnostics-signal.ts", import.meta.url).href;
  const program = `
    import { createLogger } from "@keelson/base";
    import { writeDiagnosticsOnSignal } from ${JSON.stringify(module)};
    writeDiagnosticsOnSignal(createLogger({ level: "fatal" }), 200);
    setInterval(function worksAlways() { const end = performance.now() + 5; while (performance.now() < end); }, 10);
    console.log("ready");
  `;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module-typescript", "--eval", program];
  const child = spawnBound(process.execPath, args, {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  assert.ok(child.stdout && child.pid);
  await once(child.stdout, "data");
  return { pid: child.pid, [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

test("a bundle has configuration, versions, logs, metrics, heap and CPU profile, and no secret", async () => {
  using service = await startProcess();
  const metrics = createServer((_, response) => response.end("up 1\nleak hunter2-secret\n"));
  metrics.listen(0, "127.0.0.1");
  await once(metrics, "listening");
  const configFile = join(directory, "service.json");
  const log = join(directory, "service.log");
  writeFileSync(
    configFile,
    JSON.stringify({ location: "eastus", firstParty: { clientId: "c", clientSecret: "hunter2-secret" } }),
  );
  writeFileSync(log, `${"x".repeat(5_000_000)}\nlast line hunter2-secret\n`);
  try {
    const files = await createBundle({
      configFile,
      flags: { state: directory, config: configFile },
      logs: [log, join(directory, "absent.log")],
      metricsUrls: [`http://127.0.0.1:${Object(metrics.address()).port}/metrics`],
      pids: [service.pid],
      withProfile: true,
      report: () => undefined,
      clock: systemClock,
      signal,
    });
    const path = join(directory, "bundle.tar.gz");
    await writeBundle(path, files);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const found = await unpack(path);
    const of = (name: string) =>
      found.get(`keelson-support/${name}`) ?? assert.fail(`${name}: ${[...found.keys()]}`);
    assert.equal(JSON.parse(of("config.json")).firstParty.clientSecret, "[REDACTED]");
    assert.equal(JSON.parse(of("versions.json")).node.node, process.versions.node);
    assert.ok(JSON.parse(of("doctor.json")).length > 0);
    assert.match(of("logs/service.log"), /last line \[REDACTED\]\n$/);
    assert.ok(of("logs/service.log").length < 4_300_000);
    assert.match(of("metrics-0.txt"), /^up 1\n/);
    assert.ok(JSON.parse(of(`process-${service.pid}/heap.json`)).heap.used_heap_size > 0);
    const { nodes } = JSON.parse(of(`process-${service.pid}/cpu.cpuprofile`));
    assert.ok(
      nodes.some(
        ({ callFrame }: { callFrame: { functionName: string } }) => callFrame.functionName === "worksAlways",
      ),
    );
    assert.match(of("problems.txt"), /absent\.log: ENOENT/);
    for (const [name, text] of found) assert.ok(!text.includes("hunter2-secret"), name);
    assert.equal(existsSync(diagnosticsDirectory(service.pid)), false);
  } finally {
    metrics.close();
  }
});

test("a directory of diagnostics that a different user could have prepared is refused", () => {
  const uid = process.getuid?.() ?? 0;
  const own = mkdtempSync(join(directory, "own-"));
  createDiagnosticsDirectory(join(own, "1"), uid);
  assert.equal(statSync(join(own, "1")).mode & 0o777, 0o700);
  const open = mkdtempSync(join(directory, "open-"));
  chmodSync(open, 0o777);
  const link = join(directory, "link");
  symlinkSync(own, link);
  for (const parent of [open, link])
    assert.throws(() => createDiagnosticsDirectory(join(parent, "2"), uid), /is not a private directory/);
});

test("a process that would end by the signal is refused", async () => {
  const child = spawnBound("sleep", ["600"], { stdio: "ignore" });
  try {
    assert.ok(child.pid);
    const refused = collectDiagnostics(child.pid, false, { clock: systemClock, signal });
    await assert.rejects(refused, {
      code: "ProcessUnusable",
      message: /is no service process of this version/,
    });
    assert.equal(child.exitCode, null);
  } finally {
    child.kill("SIGKILL");
  }
});

async function unpack(path: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const archive = createReadStream(path).pipe(createGunzip()).pipe(extract());
  for await (const entry of archive) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) if (chunk instanceof Buffer) chunks.push(chunk);
    files.set(entry.header.name, Buffer.concat(chunks).toString("utf8"));
  }
  return files;
}
