import assert from "node:assert/strict";
import { existsSync, mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { httpConnectTimeoutMs, Secret, silentLogger, systemClock } from "@keelson/base";
import { getFromAdmin } from "@keelson/sim-openshift";
import { Agent, request } from "undici";
import { openState, readInstanceState } from "./open-state.ts";
import { publishServiceConfig } from "./publish-service-config.ts";
import { startAzure } from "./start-azure.ts";
import { openClusters, startClusters } from "./start-clusters.ts";

test("two processes of clusters share the faults, and each has its ports and its database", {
  timeout: 900_000,
}, async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), "keelson-processes-"));
  const choice = { auto: true, asked: {} };
  using _state = await openState(directory.path, choice, { clusterProcesses: 2 });
  const state = await readInstanceState(directory.path);
  const deps = { ...state, clock: systemClock, logger: silentLogger };
  const settings = { operators: "none", unknownPrograms: "exit0" } as const;
  await using _azure = await startAzure(deps);
  const [first, second] = [
    { ...deps, processNumber: 1 },
    { ...deps, processNumber: 2 },
  ];
  await using firstServer = await openClusters(first, directory.path);
  await using secondServer = await openClusters(second, directory.path);
  await using _first = await startClusters(first, firstServer, settings);
  await using _second = await startClusters(second, secondServer, settings);

  const caPem = state.local.authority.certificatePem;
  const token = state.identity.adminToken;
  const agent = new Agent({ connect: { timeout: httpConnectTimeoutMs, ca: caPem } });
  const urls = state.clusterProcesses.map(({ clusters }) => `https://localhost:${clusters}`);
  for (const url of urls) {
    const response = await request(`${url}/livez`, { dispatcher: agent });
    await response.body.dump();
    assert.equal(response.statusCode, 200);
  }
  const { body } = await request(`https://localhost:${state.ports.admin}/faults`, {
    method: "POST",
    dispatcher: agent,
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ kind: "api-unhealthy" }),
  });
  const fault = await body.json();
  await agent.close();
  for (const { admin } of state.clusterProcesses) {
    const endpoint = { url: `https://localhost:${admin}`, caPem, token: new Secret(token) };
    assert.deepEqual(await getFromAdmin(endpoint, "/faults", AbortSignal.timeout(600_000)), {
      items: [fault],
    });
  }
  for (const file of ["clusters.sqlite", "clusters-2.sqlite"])
    assert.ok(existsSync(join(directory.path, file)), file);
  assert.partialDeepStrictEqual(publishServiceConfig(state).installer, {
    clustersUrl: urls[0],
    furtherClustersUrls: urls.slice(1),
  });
});
