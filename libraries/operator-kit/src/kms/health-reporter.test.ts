import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { listAt, silentLogger, stringAt, systemClock } from "@keelson/base";
import { resources } from "@keelson/kube";
import { operatorKey } from "../operator/operator-resource.ts";
import { type KitCluster, kitServers } from "../testing/index.ts";
import { startKmsPlugin } from "../testing/kms-plugin.ts";
import { reportPluginHealth } from "./health-reporter.ts";
import { connectKms } from "./kms-client.ts";

const { kubeApiServers } = resources;
const socketOf = (id: number) => `unix:///var/run/kmsplugin/kms-${id}.sock`;

for (const { name, start } of kitServers) {
  let cluster: KitCluster;
  let directory: string;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), "kms-"));
    cluster = await start({ kinds: [kubeApiServers], featureSet: "TechPreviewNoUpgrade" });
    await cluster.put(kubeApiServers, { metadata: operatorKey, spec: { managementState: "Managed" } });
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });

  const pathOf = (socket: string) => join(directory, socket.split("/").at(-1) ?? "");
  const report = (node: string, ids: readonly number[], signal: AbortSignal) =>
    reportPluginHealth(
      { sockets: ids.map(socketOf), node, everyMs: 20, writeTimeoutMs: 10_000, operator: kubeApiServers },
      {
        api: cluster.api,
        connect: (socket) => connectKms(pathOf(socket), 2_000),
        clock: systemClock,
        logger: silentLogger,
      },
      signal,
    );
  const reports = async () => {
    const live = await cluster.api.get(kubeApiServers, operatorKey, cluster.signal);
    return listAt(live, "status", "encryptionStatus", "healthReports")
      .map((each) =>
        ["nodeName", "keyID", "status", "remoteKeyID", "detail"]
          .map((name) => stringAt(each, name) ?? "-")
          .join(" "),
      )
      .toSorted();
  };

  test(`each node reports the health of its plugins and their last remote key (${name})`, async () => {
    const stop = new AbortController();
    await using one = await startKmsPlugin(pathOf(socketOf(1)));
    const running = [report("master-0", [2, 1], stop.signal), report("master-1.example", [1], stop.signal)];
    try {
      await cluster.eventually(async () => {
        const [first, second = "", third] = await reports();
        assert.equal(first, "master-0 1 Healthy remote-1 -");
        assert.match(second, /^master-0 2 Error unknown .*ENOENT/);
        assert.equal(third, "master-1.example 1 Healthy remote-1 -");
      });
      await using _two = await startKmsPlugin(pathOf(socketOf(2)), { keyId: "remote-2" });
      one.faults.healthz = "sealed\u0007";
      await cluster.eventually(async () =>
        assert.deepEqual(await reports(), [
          "master-0 1 Unhealthy remote-1 sealed ",
          "master-0 2 Healthy remote-2 -",
          "master-1.example 1 Unhealthy remote-1 sealed ",
        ]),
      );
      one.faults.refuses = ["status"];
      await cluster.eventually(async () =>
        assert.match((await reports())[0] ?? "", /^master-0 1 Error remote-1 .*permission denied/),
      );
    } finally {
      stop.abort();
      await Promise.all(running);
    }
    // After the node's plugins change, the reporter removes the reports of the previous plugins.
    const later = new AbortController();
    const again = report("master-0", [1], later.signal);
    try {
      await cluster.eventually(async () =>
        assert.deepEqual(
          (await reports()).map((each) => each.split(" ").slice(0, 2).join(" ")),
          ["master-0 1", "master-1.example 1"],
        ),
      );
    } finally {
      later.abort();
      await again;
    }
  });
}
