import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { systemClock } from "@keelson/base";
import type { WorkloadContext } from "../../workload-context/workload-context.ts";
import { ContainerFiles } from "../containers/container-files.ts";
import { startupMonitorOf } from "./startup-monitor.ts";

const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "m", namespace: "openshift-kube-apiserver" } };

const cases = [
  { name: "removes its own manifest", monitorOnDisk: 30, remains: false },
  { name: "keeps the manifest of its successor", monitorOnDisk: 31, remains: true },
];
for (const { name, monitorOnDisk, remains } of cases)
  test(`a monitor of a superseded revision ${name}`, async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "startup-monitor-"));
    t.after(() => rm(directory, { recursive: true }));
    const manifests = join(directory, "manifests");
    await mkdir(manifests);
    const manifest = (revision: number) =>
      JSON.stringify({ metadata: { labels: { revision: `${revision}` } } });
    await writeFile(join(manifests, "kube-apiserver-pod.yaml"), manifest(31));
    const monitor = "kube-apiserver-startup-monitor-pod.yaml";
    await writeFile(join(manifests, monitor), manifest(monitorOnDisk));
    const log: string[] = [];
    // A superseded monitor ends before it uses its context.
    const program = startupMonitorOf({ context: {} as WorkloadContext, pod: () => pod });
    const exitCode = await program({
      args: [
        "cluster-kube-apiserver-operator",
        "startup-monitor",
        "--fallback-timeout-duration=5m",
        "--target-name=kube-apiserver",
        "--manifests-dir=/manifests",
        "--resource-dir=/resources",
        "--revision=30",
        "--node-name=master-0",
      ],
      env: {},
      stdin: Readable.from([]),
      stdout: () => undefined,
      stderr: (chunk) => void log.push(`${chunk}`),
      files: new ContainerFiles(join(directory, "root"), [
        { path: "/manifests", directory: manifests, readOnly: false },
      ]),
      clock: systemClock,
      tty: false,
      signal: new AbortController().signal,
    });
    assert.equal(exitCode, 0);
    assert.deepEqual(log, ["revision 30: superseded\n"]);
    assert.equal((await readdir(manifests)).includes(monitor), remains);
  });
