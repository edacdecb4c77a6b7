import type { KubeObject } from "@keelson/apiserver";
import { listAt, stringAt } from "@keelson/base";
import type { FaultInterval } from "../../faults/fault-registry.ts";
import type { Labels, Series } from "../promql/series.ts";
import type { FiringAlert } from "./alerts.ts";
import { type ClusterState, conditionsOf, isMaster } from "./cluster-state.ts";
import { counter, durationBuckets, flag, gauge } from "./counter.ts";
import { faultSeconds } from "./fault-times.ts";

export interface FiguresDeps {
  readonly state: ClusterState;
  readonly alerts: readonly FiringAlert[];
  readonly faults: readonly FaultInterval[];
  /** Cumulative number of requests that the simulated API server served, by verb and code. `at` returns the number at a time. */
  readonly served: readonly { readonly verb: string; readonly code: string; at(ms: number): number }[];
}

/**
 * Returns the series of the simulated Prometheus. Activity that the simulation does not perform is represented by generated
 * curves.
 */
export function clusterFigures(deps: FiguresDeps): readonly Series[] {
  const { state } = deps;
  const masters = state.nodes.filter(isMaster);
  return [
    ...masters.flatMap((node) => controlPlane(node, deps)),
    ...requestErrors(deps),
    ...state.nodes.flatMap((node) => [...kubelet(node, state), ...dns(node, deps)]),
    ...state.clusterOperators.flatMap((operator) => operatorFigures(operator, state)),
    ...state.ingressControllers.flatMap((controller) => ingressFigures(controller, state)),
    ...deps.alerts.map(({ labels, sinceMs }) => ({
      labels: { ...labels, __name__: "ALERTS", alertstate: "firing" },
      at: (ms: number) => (ms >= sinceMs ? 1 : undefined),
    })),
  ];
}

const megabyte = 2 ** 20;

function controlPlane(node: KubeObject, { state, served, faults }: FiguresDeps): readonly Series[] {
  const fromMs = state.createdMs;
  const server = target(node, "apiserver", "default", 6_443);
  const manager = target(node, "kube-controller-manager", "openshift-kube-controller-manager", 10_257);
  const isFirst = node === state.nodes.find(isMaster);
  const broken = faults.filter(({ fault }) => fault.parameters.operator === "kube-controller-manager");
  const requests = [
    ["GET", 9],
    ["LIST", 2.5],
    ["PATCH", 1.2],
    ["PUT", 4],
    ["WATCH", 0.8],
  ] as const;
  return [
    flag({ __name__: "up", ...server }, fromMs, isReady(node), readySince(node)),
    flag({ __name__: "up", ...manager }, fromMs, isReady(node), readySince(node)),
    counter({ labels: { __name__: "process_cpu_seconds_total", ...server }, fromMs, perSecond: 0.42 }),
    counter({ labels: { __name__: "process_cpu_seconds_total", ...manager }, fromMs, perSecond: 0.09 }),
    gauge({ __name__: "process_resident_memory_bytes", ...server }, fromMs, 1_900 * megabyte),
    gauge({ __name__: "process_resident_memory_bytes", ...manager }, fromMs, 420 * megabyte),
    ...requests.map(([verb, perSecond]) => {
      const real = isFirst ? served.find((each) => each.verb === verb && each.code === "200") : undefined;
      const labels = { __name__: "apiserver_request_total", ...server, verb, code: "200" };
      return counter({ labels, fromMs, perSecond, extra: real && ((ms: number) => real.at(ms)) });
    }),
    ...(
      [
        ["200", "GET", 3.4],
        ["201", "POST", 0.7],
        ["404", "GET", 0.02],
        ["409", "PUT", 0.01],
        ["500", "GET", 0],
      ] as const
    ).map(([code, method, perSecond]) =>
      counter({
        labels: { __name__: "rest_client_requests_total", ...manager, code, method },
        fromMs,
        perSecond,
        extra: code === "500" ? (ms: number) => faultSeconds(broken, ms, () => 0.5) : undefined,
      }),
    ),
  ];
}

const errorVerbs = ["GET", "LIST", "PATCH", "POST", "PUT", "DELETE", "WATCH"] as const;
const verbsOf: Readonly<Record<string, string>> = {
  create: "POST",
  update: "PUT",
  deletecollection: "DELETE",
};

/** Returns the API server's error responses: a low base rate, the served errors and the errors of injected faults. */
function requestErrors({ state, served, faults }: FiguresDeps): readonly Series[] {
  const [first] = state.nodes.filter(isMaster);
  if (!first) return [];
  const labels = { __name__: "apiserver_request_total", ...target(first, "apiserver", "default", 6_443) };
  const failing = faults.filter(({ fault }) => fault.kind === "api-error");
  const codes = new Set([
    "404",
    "409",
    ...served.map(({ code }) => code).filter((code) => /^[45]/.test(code)),
    ...failing.map(({ fault }) => String(fault.parameters.code ?? 500)),
  ]);
  return [...codes].flatMap((code) =>
    errorVerbs.flatMap((verb) => {
      const usual = code === "404" && verb === "GET" ? 0.15 : code === "409" && verb === "PUT" ? 0.03 : 0;
      const real = served.find((each) => each.verb === verb && each.code === code);
      const mine = failing.filter(({ fault: { parameters } }) => {
        const asked = parameters.verb === undefined ? undefined : String(parameters.verb);
        return (
          String(parameters.code ?? 500) === code &&
          (asked === undefined || (verbsOf[asked] ?? asked.toUpperCase()) === verb)
        );
      });
      if (usual === 0 && !real && mine.length === 0) return [];
      return [
        counter({
          labels: { ...labels, verb, code },
          fromMs: state.createdMs,
          perSecond: usual,
          extra: (ms) =>
            (real?.at(ms) ?? 0) +
            faultSeconds(mine, ms, ({ fault }) => (2 * Number(fault.parameters.percent ?? 100)) / 100),
        }),
      ];
    }),
  );
}

function kubelet(node: KubeObject, { createdMs }: ClusterState): readonly Series[] {
  const { name } = node.metadata;
  const labels = { ...target(node, "kubelet", "kube-system", 10_250), node: name };
  return [
    flag({ __name__: "up", ...labels }, createdMs, isReady(node), readySince(node)),
    ...conditionsOf(node).flatMap(({ type, status, sinceMs }) =>
      ["true", "false", "unknown"].map((each) =>
        flag(
          {
            __name__: "kube_node_status_condition",
            node: name,
            condition: type,
            status: each,
            job: "kube-state-metrics",
          },
          createdMs,
          status.toLowerCase() === each,
          // Only the current status has a start time because earlier statuses are unknown.
          status.toLowerCase() === each ? sinceMs : 0,
        ),
      ),
    ),
  ];
}

function dns(node: KubeObject, { state, faults }: FiguresDeps): readonly Series[] {
  const pod = `dns-default-${node.metadata.uid?.slice(-5) ?? node.metadata.name}`;
  const labels = { ...target(node, "dns-default", "openshift-dns", 9_154), pod };
  const fromMs = state.createdMs;
  const broken = faults.filter(({ fault }) => fault.parameters.operator === "dns");
  const responses = [
    ["NOERROR", 38],
    ["NXDOMAIN", 6],
    ["SERVFAIL", 0.004],
  ] as const;
  return [
    ...responses.map(([rcode, perSecond]) =>
      counter({
        labels: { __name__: "coredns_dns_responses_total", ...labels, rcode },
        fromMs,
        perSecond,
        extra: rcode === "SERVFAIL" ? (ms: number) => faultSeconds(broken, ms, () => 15) : undefined,
      }),
    ),
    ...durationBuckets("coredns_health_request_duration_seconds", { labels, fromMs, perSecond: 1 }, 0.0004),
    ...durationBuckets("coredns_forward_request_duration_seconds", { labels, fromMs, perSecond: 5 }, 0.003),
    ...durationBuckets("coredns_dns_request_duration_seconds", { labels, fromMs, perSecond: 44 }, 0.0007),
  ];
}

function operatorFigures(operator: KubeObject, { createdMs }: ClusterState): readonly Series[] {
  const { name } = operator.metadata;
  const conditions = conditionsOf(operator);
  const available = conditions.find(({ type }) => type === "Available");
  return [
    flag(
      { __name__: "cluster_operator_up", name, job: "cluster-version-operator" },
      createdMs,
      available?.status === "True",
      available?.sinceMs,
    ),
    ...conditions.map(({ type, status, reason, sinceMs }) =>
      flag(
        {
          __name__: "cluster_operator_conditions",
          name,
          condition: type,
          reason,
          job: "cluster-version-operator",
        },
        createdMs,
        status === "True",
        sinceMs,
      ),
    ),
  ];
}

function ingressFigures(controller: KubeObject, { createdMs }: ClusterState): readonly Series[] {
  return conditionsOf(controller).map(({ type, status, sinceMs }) =>
    flag(
      {
        __name__: "ingress_controller_conditions",
        name: controller.metadata.name,
        condition: type,
        job: "metrics",
      },
      createdMs,
      status === "True",
      sinceMs,
    ),
  );
}

function target(node: KubeObject, job: string, namespace: string, port: number): Labels {
  const address =
    listAt(node, "status", "addresses").find((each) => stringAt(each, "type") === "InternalIP") ?? undefined;
  return { job, namespace, instance: `${stringAt(address, "address") ?? node.metadata.name}:${port}` };
}

function isReady(node: KubeObject): boolean {
  return conditionsOf(node).some(({ type, status }) => type === "Ready" && status === "True");
}

function readySince(node: KubeObject): number {
  return conditionsOf(node).find(({ type }) => type === "Ready")?.sinceMs ?? 0;
}
