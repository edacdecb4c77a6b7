import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { systemClock } from "@keelson/base";
import { ContainerFiles } from "../containers/container-files.ts";
import type { Program } from "../containers/program.ts";
import { type ContainerRun, programOf, simulatedRun } from "./container-run.ts";

let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "container-run-"));
  await mkdir(join(directory, "config"));
  await writeFile(join(directory, "config", "invalid"), "kind: Other");
  const valid = {
    kind: "KubeAPIServerConfig",
    apiServerArguments: { "etcd-servers": ["https://10.0.0.4:2379"] },
    servingInfo: { bindAddress: "0.0.0.0:6443" },
  };
  await writeFile(join(directory, "config", "valid"), JSON.stringify(valid));
});
after(() => rm(directory, { recursive: true }));

/** Runs a script on a disk that delays the first access until `disk` resolves. */
function run(script: string, disk: Promise<void> = Promise.resolve(), stdin = false): ContainerRun {
  const words = ["/bin/bash", "-ec", script];
  const mounts = [{ path: "/config", directory: join(directory, "config"), readOnly: true }];
  return simulatedRun({
    words,
    program: programOf(words),
    env: {},
    files: new ContainerFiles(join(directory, "root"), mounts, () => disk),
    clock: systemClock,
    startedAt: systemClock.now(),
    stdin,
    tty: false,
  });
}

const apiServer = (config: string) =>
  `exec watch-termination -- hyperkube kube-apiserver --openshift-config=/config/${config}`;

/** True if the program has reported its startup. */
async function hasStarted({ started }: ContainerRun): Promise<boolean> {
  assert.ok(started);
  const pending = Symbol("pending");
  return (
    (await Promise.race([started, new Promise((resolve) => setImmediate(resolve, pending))])) !== pending
  );
}

describe("startup of a simulated container", () => {
  test("an API server has started when it has read its configuration", async () => {
    const disk = Promise.withResolvers<void>();
    const api = run(apiServer("valid"), disk.promise);
    assert.equal(await hasStarted(api), false);
    disk.resolve();
    await api.started;
    api.stop(0);
    assert.equal((await api.ended).exitCode, 0);
  });

  test("an API server with an invalid configuration never starts, no matter how slow the disk is", async () => {
    const disk = Promise.withResolvers<void>();
    const api = run(apiServer("invalid"), disk.promise);
    assert.equal(await hasStarted(api), false);
    disk.resolve();
    assert.equal((await api.ended).exitCode, 1);
    assert.equal(await hasStarted(api), false);
  });

  const scripts: readonly (readonly [name: string, script: string])[] = [
    ["sleeps", "echo a; sleep infinity"],
    ["waits for a background job", "sleep infinity & wait"],
    ["follows a file", "echo a > /tmp/a; tail -f /tmp/a"],
    ["runs an unknown program", "echo a; exec server"],
    ["loops", "while true; do true; done"],
    ["sleeps with a time limit", "timeout 1000 sleep 500"],
  ];
  for (const [name, script] of scripts)
    test(`a script that ${name} has started`, async () => {
      const waiting = run(script);
      await waiting.started;
      waiting.stop(0);
      await waiting.ended;
    });

  test("a script that reads the container's input does not report its startup", async () => {
    const reader = run("cat", undefined, true);
    assert.equal(reader.started, undefined);
    reader.stop(0);
    reader.input?.destroy();
  });
});

test("background jobs of a program stop when the program ends, and the exit code remains", async () => {
  const stopped = Promise.withResolvers<unknown>();
  const program: Program = async ({ signal }) => {
    signal.addEventListener("abort", () => stopped.resolve(signal.reason), { once: true });
    return 3;
  };
  const files = new ContainerFiles("/nonexistent", []);
  const run = simulatedRun({
    words: [],
    program,
    env: {},
    files,
    clock: systemClock,
    startedAt: systemClock.now(),
    stdin: false,
    tty: false,
  });
  assert.deepEqual(await run.ended, { exitCode: 3, reason: "Error" });
  assert.equal(await stopped.promise, "SIGKILL");
});
