import { exampleForms, exampleOutcome, exampleRequest } from "./example-actions.ts";
import { exampleAlerts } from "./example-alerts.ts";
import { exampleAzureResources, exampleConsole, exampleRoutes } from "./example-azure.ts";
import { exampleClusters } from "./example-clusters.ts";
import { exampleDetail } from "./example-detail.ts";
import {
  exampleActions,
  exampleActivity,
  exampleInfo,
  exampleMaintenance,
  exampleOperations,
  exampleRecordings,
  exampleRegions,
  exampleSessions,
} from "./example-history.ts";
import {
  exampleClusterOperators,
  exampleMachineSets,
  exampleMachines,
  exampleNodes,
  exampleStatistics,
} from "./example-inside.ts";
import {
  exampleCustomKinds,
  exampleEvents,
  exampleLog,
  exampleObject,
  exampleObjects,
  examplePods,
} from "./example-objects.ts";
import { exampleStepDurations, exampleStepLogs } from "./example-steps.ts";

const responses: Readonly<Record<string, unknown>> = {
  info: exampleInfo,
  regions: exampleRegions,
  clusters: exampleClusters,
  cluster: exampleDetail,
  clusterOperators: exampleClusterOperators,
  nodes: exampleNodes,
  machines: exampleMachines,
  machineSets: exampleMachineSets,
  statistics: exampleStatistics("kubeapicpu", Date.parse("2026-11-27T01:00:00Z"), 3_600_000),
  operations: { operations: exampleOperations },
  stepLogs: exampleStepLogs,
  stepDurations: exampleStepDurations,
  maintenance: exampleMaintenance,
  actions: exampleActions,
  activity: exampleActivity,
  alerts: exampleAlerts,
  clusterEvents: exampleEvents,
  pods: examplePods,
  containerLog: exampleLog,
  customKinds: exampleCustomKinds,
  objects: exampleObjects,
  object: exampleObject,
  azureResources: exampleAzureResources,
  serialConsole: exampleConsole,
  effectiveRoutes: exampleRoutes,
  sessions: exampleSessions,
  personSessions: exampleSessions,
  recordings: exampleRecordings,
  actionForms: exampleForms,
  actionRequests: { requests: [exampleRequest] },
  newActionRequest: exampleRequest,
  actionRequest: exampleRequest,
  confirmActionRequest: exampleRequest,
  decideActionRequest: exampleRequest,
  runActionRequest: exampleRequest,
  adminRead: exampleOutcome,
  elevate: { until: "2026-11-27T02:00:00Z" },
  newSsh: { command: "ssh sre@portal.example", password: "9f9a4a0e-0000-4000-8000-000000000001" },
};

/** Returns the example response of a portal route by the route's name. */
export const exampleResponse = (route: string): unknown => responses[route];
