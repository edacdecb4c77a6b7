import { http1Only, httpConnectTimeoutMs } from "@keelson/base";
import type { SimulatedAzure } from "@keelson/sim-azure";
import type { World } from "@keelson/sim-console";
import { Agent } from "undici";
import { RpClient } from "../../rp-client/rp-client.ts";
import { SimAzureClient } from "../../sim-client/sim-azure-client.ts";
import { auditWorld } from "../audit-world.ts";
import type { InstanceState } from "../open-state.ts";
import { endpointsOf } from "../publish-endpoints.ts";
import { faultControl } from "./fault-control.ts";
import { clusterPreparation } from "./prepare-cluster.ts";
import { applicationCalls, callsOf } from "./world-calls.ts";

/** Connects the console to the simulated Azure in this process. Clusters and service are reached over HTTPS. */
export async function connectWorld(
  state: InstanceState,
  azure: SimulatedAzure,
): Promise<World & AsyncDisposable> {
  const { identity, local } = state;
  const endpoints = endpointsOf(state);
  await using stack = new AsyncDisposableStack();
  const caPem = local.authority.certificatePem;
  const dispatcher = stack.adopt(
    new Agent({ ...http1Only, connect: { timeout: httpConnectTimeoutMs, ca: caPem } }),
    (each) => each.close(),
  );
  const faults = stack.use(faultControl(endpoints, identity.adminToken));
  const admin = stack.use(new SimAzureClient(endpoints, identity.adminToken));
  const service = stack.use(new RpClient(endpoints));
  const { tenantId, user } = identity;
  const asUser = (url: string, resource: string) =>
    applicationCalls({ url, resource, tenantId, ...user, dispatcher });
  const kept = stack.move();
  return {
    arm: asUser(endpoints.arm, "https://management.azure.com"),
    graph: asUser(endpoints.graph, "https://graph.microsoft.com"),
    service: callsOf(endpoints.rp, dispatcher),
    faults,
    clock: {
      time: () => admin.time(),
      async advance(ms) {
        await admin.advanceClock(ms);
      },
      async reset() {
        await admin.resetClock();
      },
      vaultExpiries: async () =>
        azure.vaultExpiries().map(({ kind, vault, name, expires }) => ({
          kind: kind === "secret" ? "key vault secret" : "key vault certificate",
          owner: vault,
          name,
          expires,
        })),
    },
    requests: {
      since: (after) => azure.requests?.since(after) ?? [],
      find: (sequence) => azure.requests?.find(sequence),
    },
    clusters: clusterPreparation(state, endpoints, dispatcher),
    orphans: (signal) => auditWorld(admin, service, signal),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
