import type { TSchema } from "typebox";
import { sshAccessSchema } from "./access.ts";
import {
  actionFormsSchema,
  actionOutcomeSchema,
  actionRequestSchema,
  actionRequestsSchema,
  elevationSchema,
} from "./admin-actions.ts";
import { clusterAlertsSchema } from "./alerts.ts";
import { azureResourcesSchema, effectiveRoutesSchema } from "./azure-resources.ts";
import { clusterOperatorsSchema } from "./cluster-operators.ts";
import { clusterDetailSchema, clusterListSchema } from "./clusters.ts";
import { actionsSchema, activitySchema, maintenanceSchema, sessionsSchema } from "./history.ts";
import { infoSchema, regionsSchema } from "./info.ts";
import {
  clusterEventsSchema,
  clusterObjectSchema,
  containerLogSchema,
  customKindsSchema,
  objectListSchema,
  podsSchema,
} from "./inside.ts";
import { machineSetsSchema, machinesSchema } from "./machines.ts";
import { nodesSchema } from "./nodes.ts";
import { operationsSchema, stepDurationsSchema, stepLogsSchema } from "./operations.ts";
import { recordingsSchema } from "./recordings.ts";
import { statisticsSchema } from "./statistics.ts";

export interface PortalRoute {
  readonly method: "GET" | "POST" | "DELETE";
  /**
   * Path of the route. `{C}` stands for `/api/{subscriptionId}/{resourceGroup}/{clusterName}`, `{R}` for the cluster's resource
   * ID.
   */
  readonly path: string;
  /** Schema of the JSON response. Undefined for responses that are not JSON. */
  readonly response?: TSchema;
}

/** All routes that the portal's pages use. */
export const portalRoutes = {
  info: { method: "GET", path: "/api/info", response: infoSchema },
  regions: { method: "GET", path: "/api/regions", response: regionsSchema },
  clusters: { method: "GET", path: "/api/clusters", response: clusterListSchema },
  events: { method: "GET", path: "/api/events" },
  cluster: { method: "GET", path: "{C}", response: clusterDetailSchema },
  clusterOperators: { method: "GET", path: "{C}/clusteroperators", response: clusterOperatorsSchema },
  nodes: { method: "GET", path: "{C}/nodes", response: nodesSchema },
  machines: { method: "GET", path: "{C}/machines", response: machinesSchema },
  machineSets: { method: "GET", path: "{C}/machine-sets", response: machineSetsSchema },
  clusterEvents: { method: "GET", path: "{C}/events", response: clusterEventsSchema },
  pods: { method: "GET", path: "{C}/pods", response: podsSchema },
  /** Returns the last lines of the log. The query parameter `lines` sets their number (default: 1,000). */
  containerLog: {
    method: "GET",
    path: "{C}/pods/{namespace}/{pod}/{container}/log",
    response: containerLogSchema,
  },
  /** Returns the last lines of the log as a file. The query parameter `lines` sets their number. */
  containerLogFile: { method: "GET", path: "{C}/pods/{namespace}/{pod}/{container}/log-file" },
  /** Streams new lines as server-sent events. Each event contains an array of lines. */
  containerLogStream: { method: "GET", path: "{C}/pods/{namespace}/{pod}/{container}/log-stream" },
  customKinds: { method: "GET", path: "{C}/custom-kinds", response: customKindsSchema },
  /**
   * Lists the objects of `kind` in `namespace`. Without a namespace, it lists the objects in all namespaces that the person may
   * see.
   */
  objects: { method: "GET", path: "{C}/objects", response: objectListSchema },
  object: { method: "GET", path: "{C}/object", response: clusterObjectSchema },
  azureResources: { method: "GET", path: "{C}/azure-resources", response: azureResourcesSchema },
  /** Returns the last lines of the serial console of the virtual machine `vmName`. */
  serialConsole: { method: "GET", path: "{C}/serial-console", response: containerLogSchema },
  /** Returns the last lines of the virtual machine's serial console as a file. */
  serialConsoleFile: { method: "GET", path: "{C}/serial-console-file" },
  /** Returns the effective routes of the network interface `nic`. */
  effectiveRoutes: { method: "GET", path: "{C}/effective-routes", response: effectiveRoutesSchema },
  /** Lists the firing alerts from the cluster's Prometheus. */
  alerts: { method: "GET", path: "{C}/alerts", response: clusterAlertsSchema },
  statistics: { method: "GET", path: "{C}/statistics/{type}", response: statisticsSchema },
  operations: { method: "GET", path: "{C}/operations", response: operationsSchema },
  /** Returns the log lines of an operation's steps. */
  stepLogs: { method: "GET", path: "{C}/operations/{operationId}/logs", response: stepLogsSchema },
  /** Returns the median duration of each step, over all clusters. */
  stepDurations: { method: "GET", path: "/api/step-durations", response: stepDurationsSchema },
  maintenance: { method: "GET", path: "{C}/maintenance", response: maintenanceSchema },
  actions: { method: "GET", path: "{C}/actions", response: actionsSchema },
  activity: { method: "GET", path: "{C}/activity", response: activitySchema },
  sessions: { method: "GET", path: "{C}/sessions", response: sessionsSchema },
  personSessions: { method: "GET", path: "/api/sessions", response: sessionsSchema },
  endSession: { method: "DELETE", path: "/api/sessions/{sessionId}" },
  revokeSession: { method: "DELETE", path: "{C}/sessions/{sessionId}" },
  recordings: { method: "GET", path: "{C}/recordings", response: recordingsSchema },
  /** Returns a recording in the format asciicast version 2. */
  recording: { method: "GET", path: "{C}/recordings/{recordingId}" },
  actionForms: { method: "GET", path: "/api/action-forms", response: actionFormsSchema },
  actionRequests: { method: "GET", path: "{C}/action-requests", response: actionRequestsSchema },
  newActionRequest: { method: "POST", path: "{C}/action-requests", response: actionRequestSchema },
  actionRequest: { method: "GET", path: "{C}/action-requests/{requestId}", response: actionRequestSchema },
  confirmActionRequest: {
    method: "POST",
    path: "{C}/action-requests/{requestId}/confirmation",
    response: actionRequestSchema,
  },
  decideActionRequest: {
    method: "POST",
    path: "{C}/action-requests/{requestId}/decision",
    response: actionRequestSchema,
  },
  runActionRequest: {
    method: "POST",
    path: "{C}/action-requests/{requestId}/run",
    response: actionRequestSchema,
  },
  adminRead: { method: "POST", path: "{C}/admin-reads", response: actionOutcomeSchema },
  elevate: { method: "POST", path: "/api/elevation", response: elevationSchema },
  endElevation: { method: "DELETE", path: "/api/elevation" },
  newKubeconfig: { method: "POST", path: "{R}/kubeconfig/new" },
  newSsh: { method: "POST", path: "{R}/ssh/new", response: sshAccessSchema },
  login: { method: "GET", path: "/api/login" },
  signOuts: { method: "POST", path: "/api/sign-outs" },
  logout: { method: "POST", path: "/api/logout" },
} as const satisfies Readonly<Record<string, PortalRoute>>;
