/** Uses Debian's promtool to evaluate the operator's alerts. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkRules, type InputSeries, type RuleGroups, testAlerts } from "@keelson/operator-kit/testing";
import { severalMastersCpuAlerts, singleMasterCpuAlerts } from "../high-cpu-alert/cpu-alerts.ts";
import { alertRules } from "./alerts.ts";
import { basicErrorBudget, extendedErrorBudget } from "./error-budget.ts";

const nextMinor = 33;
const ruleOf = (name: string) => {
  const found = alertRules(nextMinor).find(({ metadata }) => metadata.name === name);
  assert.ok(found, name);
  return found.spec as RuleGroups;
};
const several = severalMastersCpuAlerts.spec as RuleGroups;
const single = singleMasterCpuAlerts(4).spec as RuleGroups;
const basic = basicErrorBudget.spec as RuleGroups;
/**
 * Basic and extended rules together, because the extended rules use rates that the basic rules record. The prefix `slow` makes
 * the group names unique.
 */
const extended: RuleGroups = {
  groups: [
    ...basic.groups,
    ...(extendedErrorBudget.spec as RuleGroups).groups.map((group) => ({
      ...group,
      name: `slow ${group.name}`,
    })),
  ],
};

const masters = ["a", "b", "c"];
const roles = masters.map((node) => ({
  series: `kube_node_role{node="${node}",role="master"}`,
  values: "1x400",
}));
/** Returns the idle series of two CPUs per node. Each CPU is idle for the given seconds per minute. */
const idle = (perMinute: Readonly<Record<string, number>>): readonly InputSeries[] =>
  Object.entries(perMinute).flatMap(([instance, seconds]) =>
    ["0", "1"].map((cpu) => ({
      series: `node_cpu_seconds_total{instance="${instance}",cpu="${cpu}",mode="idle"}`,
      values: `0+${seconds}x400`,
    })),
  );
const usage = (cpuSeconds: number): readonly InputSeries[] => [
  {
    series: 'container_cpu_usage_seconds_total{namespace="openshift-etcd",image="i",pod="p"}',
    values: `0+${cpuSeconds}x400`,
  },
  {
    series: 'container_cpu_usage_seconds_total{namespace="mine",image="i",pod="p"}',
    values: "0+10000x400",
  },
];
/** Returns series of requests per minute. `slow` is the number of requests that exceed the latency limit of their class. */
const requests = (perMinute: number, { failed = 0, slow = 0 } = {}): readonly InputSeries[] => {
  const bucket = (scope: string, le: string, count: number) => ({
    series: `apiserver_request_sli_duration_seconds_bucket{job="apiserver",verb="GET",scope="${scope}",le="${le}"}`,
    values: `0+${count}x6000`,
  });
  return [
    {
      series: 'apiserver_request_total{job="apiserver",verb="GET",code="200"}',
      values: `0+${perMinute - failed}x6000`,
    },
    { series: 'apiserver_request_total{job="apiserver",verb="GET",code="500"}', values: `0+${failed}x6000` },
    bucket("resource", "60", perMinute),
    bucket("resource", "1", perMinute - slow),
    bucket("namespace", "60", 0),
    bucket("namespace", "5", 0),
    bucket("cluster", "60", 0),
    bucket("cluster", "30", 0),
  ];
};
const deprecated = (release: string): readonly InputSeries[] => [
  {
    series: `apiserver_requested_deprecated_apis{group="g",version="v1beta1",resource="things",removed_release="${release}"}`,
    values: "1x400",
  },
  {
    series: 'apiserver_request_total{group="g",version="v1beta1",resource="things",system_client=""}',
    values: "0+1x400",
  },
];

interface Case {
  readonly name: string;
  readonly rules: RuleGroups;
  readonly series: readonly InputSeries[];
  /** Names of the alerts that must fire, by time. */
  readonly firing: Readonly<Record<string, readonly string[]>>;
}

const overall = "HighOverallControlPlaneCPU";
const individual = "ExtremelyHighIndividualControlPlaneCPU";
const budget = "KubeAPIErrorBudgetBurn";

const cases: readonly Case[] = [
  {
    name: "masters that use half of their CPU",
    rules: several,
    series: [...roles, ...idle({ a: 30, b: 30, c: 30 })],
    firing: { "2h": [] },
  },
  {
    name: "masters that could not carry the load of a third",
    rules: several,
    series: [...roles, ...idle({ a: 18, b: 18, c: 18 })],
    firing: { "9m": [], "15m": [overall] },
  },
  {
    name: "one master and one worker without idle CPU",
    rules: several,
    series: [...roles, ...idle({ a: 3, b: 58, c: 58, worker: 0 })],
    firing: { "4m": [], "10m": [individual], "2h": [individual, individual] },
  },
  {
    name: "a single master of four CPUs, of which the platform uses two",
    rules: single,
    series: usage(120),
    firing: { "2h": [] },
  },
  {
    name: "a single master of four CPUs, of which the platform uses three",
    rules: single,
    series: usage(180),
    firing: { "12m": [], "20m": [overall], "2h": [overall] },
  },
  {
    name: "a single master of four CPUs, all of which the platform uses",
    rules: single,
    series: usage(240),
    firing: { "30m": [overall], "2h": [overall, individual] },
  },
  {
    name: "an API that the next release does not have",
    rules: ruleOf("api-usage"),
    series: deprecated("1.33"),
    firing: { "30m": [], "2h": ["APIRemovedInNextReleaseInUse", "APIRemovedInNextEUSReleaseInUse"] },
  },
  {
    name: "an API that the release after the next does not have",
    rules: ruleOf("api-usage"),
    series: deprecated("1.34"),
    firing: { "2h": ["APIRemovedInNextEUSReleaseInUse"] },
  },
  {
    name: "an API that later releases do not have",
    rules: ruleOf("api-usage"),
    series: deprecated("1.35"),
    firing: { "2h": [] },
  },
  {
    name: "an audit log that cannot be written",
    rules: ruleOf("audit-errors"),
    series: [
      { series: 'apiserver_audit_error_total{apiserver="kube-apiserver",instance="a"}', values: "0+1x60" },
      { series: 'apiserver_audit_event_total{apiserver="kube-apiserver",instance="a"}', values: "0+9x60" },
    ],
    firing: { "10m": ["AuditLogError"] },
  },
  {
    name: "API servers that are scraped, and serve",
    rules: ruleOf("kubernetes-system-apiserver"),
    series: [
      { series: 'up{job="apiserver",instance="a"}', values: "1x60" },
      { series: 'aggregator_unavailable_apiservice{job="apiserver",name="v1.g"}', values: "0x60" },
      { series: 'apiserver_request_total{job="apiserver"}', values: "0+90x60" },
      { series: 'apiserver_request_terminations_total{job="apiserver"}', values: "0+10x60" },
    ],
    firing: { "50m": [] },
  },
  {
    name: "no API server, an aggregated API that is down, and terminated requests",
    rules: ruleOf("kubernetes-system-apiserver"),
    series: [
      { series: 'up{job="apiserver",instance="a"}', values: "0x60" },
      { series: 'aggregator_unavailable_apiservice{job="apiserver",name="v1.g"}', values: "1x60" },
      {
        series:
          'aggregator_unavailable_apiservice_total{job="apiserver",instance="a",name="v1.g",reason="r"}',
        values: "0+1x240",
      },
      { series: 'apiserver_request_total{job="apiserver"}', values: "0+70x60" },
      { series: 'apiserver_request_terminations_total{job="apiserver"}', values: "0+30x60" },
    ],
    firing: {
      "9m": ["KubeAPITerminatedRequests"],
      "45m": ["KubeAPIDown", "KubeAggregatedAPIDown", "KubeAggregatedAPIErrors", "KubeAPITerminatedRequests"],
    },
  },
  {
    name: "workloads of users that violate the profile of their namespace",
    rules: ruleOf("podsecurity"),
    series: [
      {
        series:
          'pod_security_evaluations_total{decision="deny",mode="audit",resource="pod",policy_level="restricted",ocp_namespace=""}',
        values: "0+1x60",
      },
    ],
    firing: { "30m": ["PodSecurityViolation"] },
  },
  {
    name: "all requests with a timely response",
    rules: basic,
    series: requests(100),
    firing: { "2h": [] },
  },
  {
    name: "one request in a hundred failed",
    rules: basic,
    series: requests(100, { failed: 1 }),
    firing: { "8h": [] },
  },
  {
    name: "a tenth of the requests failed",
    rules: basic,
    series: requests(100, { failed: 10 }),
    firing: { "8h": [budget] },
  },
  {
    name: "a fifth of the requests slow",
    rules: basic,
    series: requests(100, { slow: 20 }),
    firing: { "2h": [budget, budget] },
  },
  {
    name: "two requests in a hundred failed, for days",
    rules: extended,
    series: requests(100, { failed: 2 }),
    firing: { "3h": [], "6h": [budget] },
  },
];

// Two pod security alerts have the same name. promtool accepts both, but prints a warning.
test("promtool accepts all rules", async () => {
  const all = [...alertRules(nextMinor), basicErrorBudget, extendedErrorBudget, severalMastersCpuAlerts];
  for (const { metadata, spec } of [...all, singleMasterCpuAlerts(8)])
    assert.match(await checkRules(spec as RuleGroups), /^Checking /, metadata.name);
});

for (const { name, rules, series, firing } of cases)
  describe(name, () => {
    for (const [at, alerts] of Object.entries(firing))
      test(`after ${at}: ${alerts.join(", ") || "no alert"}`, () =>
        testAlerts({ rules, interval: "1m", series, firing: [{ at, alerts }] }));
  });
