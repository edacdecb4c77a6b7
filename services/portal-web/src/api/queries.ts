import type {
  ActionForms,
  ActionRequests,
  ActionRequestView,
  Actions,
  Activity,
  AzureResources,
  ClusterAlerts,
  ClusterDetail,
  ClusterEvents,
  ClusterObject,
  ClusterOperators,
  ClusterSummary,
  ContainerLog,
  CustomKinds,
  EffectiveRoutes,
  Info,
  MachineSets,
  Machines,
  Maintenance,
  Nodes,
  ObjectList,
  Operations,
  Pods,
  Recordings,
  Regions,
  Sessions,
  Statistics,
  StatisticsType,
  StepDurations,
  StepLogs,
} from "@keelson/portal-api";
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { apiPath, type ClusterRef, resourcePath } from "./cluster-path.ts";
import { readJson, send } from "./request.ts";

const read = <T>(path: string, ...key: readonly string[]) =>
  queryOptions({ queryKey: key, queryFn: ({ signal }) => readJson<T>(path, { signal }) });

/** Returns the prefix of all query keys for a cluster. */
export const clusterKey = (resourceId: string) => ["cluster", resourceId.toLowerCase()] as const;

const ofCluster =
  <T>(part: string) =>
  (cluster: ClusterRef) =>
    read<T>(`${apiPath(cluster)}${part && `/${part}`}`, ...clusterKey(resourcePath(cluster)), part);

/** Response of the Prometheus HTTP API. The cluster controls its content. */
export interface PromEnvelope {
  readonly data?: { readonly resultType?: string; readonly result?: unknown };
  readonly warnings?: readonly string[];
}

interface ObjectOf {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Queries of the pages, which read from the portal. */
export const queries = {
  info: read<Info>("/api/info", "info"),
  regions: read<Regions>("/api/regions", "regions"),
  clusters: read<readonly ClusterSummary[]>("/api/clusters", "clusters"),
  cluster: ofCluster<ClusterDetail>(""),
  clusterOperators: ofCluster<ClusterOperators>("clusteroperators"),
  nodes: ofCluster<Nodes>("nodes"),
  machines: ofCluster<Machines>("machines"),
  machineSets: ofCluster<MachineSets>("machine-sets"),
  operations: ofCluster<Operations>("operations"),
  stepLogs: (cluster: ClusterRef, operation: string) =>
    queryOptions({
      ...read<StepLogs>(
        `${apiPath(cluster)}/operations/${encodeURIComponent(operation)}/logs`,
        ...clusterKey(resourcePath(cluster)),
        "step-logs",
        operation,
      ),
      retry: false,
    }),
  /** Reads the median duration of each step over all clusters. The portal computes these durations every ten minutes. */
  stepDurations: queryOptions({
    ...read<StepDurations>("/api/step-durations", "step-durations"),
    staleTime: 600_000,
    retry: false,
  }),
  maintenance: ofCluster<Maintenance>("maintenance"),
  actions: ofCluster<Actions>("actions"),
  actionForms: read<ActionForms>("/api/action-forms", "action-forms"),
  actionRequests: ofCluster<ActionRequests>("action-requests"),
  /** Reads one action request with its outcome. The query is repeated until the action has ended. */
  actionRequest: (cluster: ClusterRef, id: string) => ({
    ...ofCluster<ActionRequestView>(`action-requests/${encodeURIComponent(id)}`)(cluster),
    refetchInterval: ({ state }: { readonly state: { readonly data?: ActionRequestView | undefined } }) =>
      state.data && isRunning(state.data) ? (state.data.outcome?.error ? busyMs : followedMs) : false,
  }),
  activity: ofCluster<Activity>("activity"),
  sessions: ofCluster<Sessions>("sessions"),
  /** Reads a person's open sessions. An empty name means the signed-in person. */
  personSessions: (username: string) =>
    read<Sessions>(
      `/api/sessions${username && `?${new URLSearchParams({ username })}`}`,
      "person-sessions",
      username,
    ),
  recordings: (cluster: ClusterRef) =>
    infiniteQueryOptions({
      queryKey: [...clusterKey(resourcePath(cluster)), "recordings"],
      initialPageParam: "",
      queryFn: ({ signal, pageParam }) => {
        const search = pageParam === "" ? "" : `?${new URLSearchParams({ continuation: pageParam })}`;
        return readJson<Recordings>(`${apiPath(cluster)}/recordings${search}`, { signal });
      },
      getNextPageParam: ({ continuation }) => continuation,
    }),
  /** Reads a recording in the format asciicast version 2. The recording is no longer cached after the person closes it. */
  recording: (cluster: ClusterRef, id: string) =>
    queryOptions({
      queryKey: [...clusterKey(resourcePath(cluster)), "recordings", id],
      gcTime: 0,
      queryFn: async ({ signal }) =>
        (await send(`${apiPath(cluster)}/recordings/${encodeURIComponent(id)}`, { signal })).text(),
    }),
  clusterEvents: ofCluster<ClusterEvents>("events"),
  pods: ofCluster<Pods>("pods"),
  customKinds: ofCluster<CustomKinds>("custom-kinds"),
  /** Reads a container log. `path` is the path of the container. */
  containerLog: (cluster: ClusterRef, path: string) =>
    read<ContainerLog>(`${path}/log?lines=10000`, ...clusterKey(resourcePath(cluster)), "log", path),
  objects: (cluster: ClusterRef, { kind, namespace }: ObjectOf) =>
    read<ObjectList>(
      `${apiPath(cluster)}/objects?${new URLSearchParams({ kind, namespace })}`,
      ...clusterKey(resourcePath(cluster)),
      "objects",
      kind,
      namespace,
    ),
  object: (cluster: ClusterRef, { kind, namespace, name }: ObjectOf) =>
    read<ClusterObject>(
      `${apiPath(cluster)}/object?${new URLSearchParams({ kind, namespace, name })}`,
      ...clusterKey(resourcePath(cluster)),
      "object",
      kind,
      namespace,
      name,
    ),
  azureResources: ofCluster<AzureResources>("azure-resources"),
  serialConsole: (cluster: ClusterRef, vmName: string) =>
    read<ContainerLog>(
      `${apiPath(cluster)}/serial-console?${new URLSearchParams({ vmName })}`,
      ...clusterKey(resourcePath(cluster)),
      "serial-console",
      vmName,
    ),
  effectiveRoutes: (cluster: ClusterRef, nic: string) =>
    read<EffectiveRoutes>(
      `${apiPath(cluster)}/effective-routes?${new URLSearchParams({ nic })}`,
      ...clusterKey(resourcePath(cluster)),
      "effective-routes",
      nic,
    ),
  alerts: ofCluster<ClusterAlerts>("alerts"),
  statistics: (cluster: ClusterRef, type: StatisticsType, duration: string, endTime: string) => {
    const search = new URLSearchParams({ duration, endtime: endTime });
    return read<Statistics>(
      `${apiPath(cluster)}/statistics/${type}?${search}`,
      ...clusterKey(resourcePath(cluster)),
      "statistics",
      type,
      duration,
      endTime,
    );
  },
  /** Queries the cluster's Prometheus. `target` is the path relative to `/prometheus`, including its parameters. */
  promQuery: (cluster: ClusterRef, target: string) =>
    queryOptions({
      queryKey: [...clusterKey(resourcePath(cluster)), "prometheus", target],
      queryFn: ({ signal }) =>
        readJson<PromEnvelope>(`${resourcePath(cluster)}/prometheus/${target}`, { signal }),
    }),
  metricNames: (cluster: ClusterRef) =>
    queryOptions({
      queryKey: [...clusterKey(resourcePath(cluster)), "metric-names"],
      staleTime: 300_000,
      queryFn: async ({ signal }) => {
        const path = `${resourcePath(cluster)}/prometheus/api/v1/label/__name__/values`;
        const { data = [] } = await readJson<{ readonly data?: readonly string[] }>(path, { signal });
        return data.slice(0, maxMetricNames);
      },
    }),
};

/** Interval in ms between two reads of a running action. */
const followedMs = 1_000;
/** Interval in ms between two reads while the admin API is busy. */
const busyMs = 5_000;
/**
 * Parts of a cluster's data that an administrator's action changes. Operations and the cluster itself are omitted, because events
 * update them.
 */
const actionParts: readonly string[] = [
  ...["action-requests", "actions", "activity", "maintenance", "sessions", "upgrade"],
];

/**
 * Invalidates the cached data that changes when an action is requested, when the request is approved or rejected, and when the
 * action runs.
 */
export function actionChanged(client: QueryClient, cluster: ClusterRef): Promise<void> {
  return client.invalidateQueries({
    queryKey: clusterKey(resourcePath(cluster)),
    predicate: ({ queryKey: [, , part] }) => actionParts.some((each) => `${part}`.split("/", 1)[0] === each),
  });
}

/** True if the action is running. */
export const isRunning = ({ state }: Pick<ActionRequestView, "state">): boolean => state === "Submitted";

/** Maximum number of metric names that the input field suggests. Browsers display longer lists slowly. */
const maxMetricNames = 5_000;
