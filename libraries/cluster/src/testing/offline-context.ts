import { randomUUID } from "node:crypto";
import { type Clock, silentLogger, systemClock } from "@keelson/base";
import type { OpenShiftCluster } from "@keelson/model";
import { testRoleSets } from "@keelson/model/testing";
import type { StepProgress } from "@keelson/workflow";
import type { ClusterContext } from "../context/context.ts";
import type { ClusterEnvironment } from "../context/environment.ts";

export interface OfflineContext {
  readonly cluster: OpenShiftCluster;
  readonly signal: AbortSignal;
  readonly documentId?: string;
  readonly clock?: Clock;
  readonly onReport?: (progress: StepProgress) => void;
  readonly change?: Partial<ClusterContext>;
}

const tenantId = "22222222-2222-4222-8222-222222222222";

/** Returns a step context with the cluster in memory. The context has neither Azure nor an API server. */
export function offlineContext(wanted: OfflineContext): ClusterContext {
  let current = wanted.cluster;
  const environment = {
    location: "eastus",
    domain: "eastus.example.org",
    environmentType: "test",
    operatorImage: "arosvc.example/keelson:1",
    network: { privateEndpointSubnetId: "/endpoints", serviceSubnetId: "/service" },
    azure: {
      armEndpoint: "https://arm.example",
      loginEndpoint: "https://login.example",
      audience: "https://arm",
    },
    tenantIdOf: () => tenantId,
    // The steps under test use no other properties of the environment.
  } as unknown as ClusterEnvironment;
  const subscriptionId = current.id.split("/")[2] ?? "";
  const context = {
    step: "test",
    attempt: 1,
    signal: wanted.signal,
    logger: silentLogger,
    clock: wanted.clock ?? systemClock,
    report: wanted.onReport ?? (() => {}),
    warn: () => {},
    documentId: wanted.documentId ?? randomUUID(),
    get cluster() {
      return current;
    },
    async update(change: (cluster: OpenShiftCluster) => OpenShiftCluster) {
      current = change(current);
      return current;
    },
    subscription: {
      id: subscriptionId,
      partitionKey: subscriptionId,
      deleting: false,
      subscription: { state: "Registered", properties: { tenantId } },
    },
    connection: { beforeRequest: () => {}, logger: silentLogger },
    roleSets: async () => testRoleSets,
    release: async () => ({
      openShiftPullspec: "quay.io/openshift-release-dev/ocp-release:4.19.24-x86_64",
      installerPullspec: "registry.example/aro-installer:4.19",
    }),
    correlation: {
      correlationId: "c",
      requestId: "r",
      operationId: "o",
      requestTime: "2026-01-01T00:00:00Z",
    },
    environment,
  } as unknown as ClusterContext;
  return Object.defineProperties(context, Object.getOwnPropertyDescriptors(wanted.change ?? {}));
}
