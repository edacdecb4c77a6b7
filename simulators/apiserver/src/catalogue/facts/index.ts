import { appsFacts } from "./apps.ts";
import { autoscalingFacts } from "./autoscaling.ts";
import { batchFacts } from "./batch.ts";
import { capacityFacts } from "./capacities.ts";
import { clusterFacts } from "./cluster.ts";
import { coreFacts } from "./core.ts";
import { endpointFacts } from "./endpoints.ts";
import { flowControlFacts } from "./flow-control.ts";
import type { GroupFacts } from "./group-facts.ts";
import { metaFacts } from "./meta.ts";
import { networkingFacts } from "./networking.ts";
import { podSpecFacts } from "./pod-spec.ts";
import { rbacFacts } from "./rbac.ts";
import { resourceLimitFacts } from "./resource-limits.ts";
import { serviceFacts } from "./services.ts";
import { storageFacts } from "./storage.ts";

export const groupFacts: readonly GroupFacts[] = [
  metaFacts,
  podSpecFacts,
  coreFacts,
  capacityFacts,
  serviceFacts,
  endpointFacts,
  resourceLimitFacts,
  appsFacts,
  batchFacts,
  autoscalingFacts,
  networkingFacts,
  rbacFacts,
  storageFacts,
  clusterFacts,
  flowControlFacts,
];
