/** Evaluates the alerts about the service itself with Prometheus. Requires promtool of Debian. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkRules, type InputSeries, testAllAlerts } from "@keelson/operator-kit/testing";
import { dashboard } from "./dashboard.ts";
import { serviceAlertGroups } from "./service-alerts.ts";
import { serviceDashboard } from "./service-dashboard.ts";
import { serviceAlertRules } from "./service-rules.ts";

interface Play {
  /** Values in promtool notation, one value per minute. The keys are the series. */
  readonly series: Readonly<Record<string, string>>;
  readonly firing: Readonly<Record<string, readonly string[]>>;
}

const requests = (code: string, perMinute: string) => ({
  [`frontend_request_duration_seconds_count{code="${code}"}`]: perMinute,
});
const latency = (fast: string, all: string) => ({
  'frontend_request_duration_seconds_bucket{le="1",code="200"}': fast,
  'frontend_request_duration_seconds_count{code="200"}': all,
});
const creations = (result: string, values: string) => ({
  [`backend_operations_total{operation="Creating",result="${result}"}`]: values,
});

const plays: Readonly<Record<string, Play>> = {
  "2 % of requests fail: fast within the hour, slow after six hours": {
    series: { ...requests("200", "0+98x600"), ...requests("500", "0+2x600") },
    firing: {
      "70m": ["KeelsonApiErrorsBurnFast", "KeelsonApiErrorsBurnSlow"],
    },
  },
  "1 % of requests fail: only the slow alert": {
    series: { ...requests("200", "0+990x600"), ...requests("503", "0+10x600") },
    firing: { "7h": ["KeelsonApiErrorsBurnSlow"] },
  },
  "0.05 % of requests fail: within the budget": {
    series: { ...requests("200", "0+1999x600"), ...requests("500", "0+1x600") },
    firing: { "7h": [] },
  },
  "the fast alert ends soon after the fault": {
    series: {
      ...requests("200", "0+90x60 5400+100x300"),
      ...requests("500", "0+10x60 600x300"),
    },
    firing: {
      "60m": ["KeelsonApiErrorsBurnFast", "KeelsonApiErrorsBurnSlow"],
      "75m": ["KeelsonApiErrorsBurnSlow"],
      "3h": [],
    },
  },
  "20 % of requests take longer than a second": {
    series: latency("0+80x600", "0+100x600"),
    firing: { "70m": ["KeelsonApiLatencyBurnFast", "KeelsonApiLatencyBurnSlow"] },
  },
  "errors of customers are no failures of creations": {
    series: {
      ...creations("success", "0+1x600"),
      ...creations("user_error", "0+5x600"),
      ...creations("server_error", "0x600"),
    },
    firing: { "7h": [] },
  },
  "a third of the creations fail": {
    series: { ...creations("success", "0+2x600"), ...creations("server_error", "0+1x600") },
    firing: { "70m": ["KeelsonCreationBurnFast", "KeelsonCreationBurnSlow"] },
  },
  "blocked writes fire at the first evaluation and end with the block": {
    series: { 'database_writes_blocked{cause="synchronous_replication",instance="a"}': "0x10 1x20 0x20" },
    firing: { "9m": [], "11m": ["KeelsonDatabaseWritesBlocked"], "35m": [] },
  },
  "a database that refuses connections": {
    series: { 'database_connection_errors_total{instance="a"}': "0+20x60" },
    firing: { "10m": ["KeelsonDatabaseUnreachable"] },
  },
  "one lost connection calls nobody": {
    series: { 'database_connection_errors_total{instance="a"}': "0x10 1x60" },
    firing: { "12m": [], "30m": [] },
  },
  "statements wait for connections": {
    series: { 'database_pool_waiting{instance="a"}': "3x30" },
    firing: { "4m": [], "6m": ["KeelsonDatabasePoolExhausted"] },
  },
  "a slow statement": {
    series: {
      'database_statement_duration_seconds_bucket{statement="commit a",le="1"}': "0+1x60",
      'database_statement_duration_seconds_bucket{statement="commit a",le="5"}': "0+10x60",
      'database_statement_duration_seconds_bucket{statement="commit a",le="+Inf"}': "0+10x60",
    },
    firing: { "30m": ["KeelsonDatabaseSlow"] },
  },
  "keys that cannot be read": {
    series: { 'encryption_key_readings_total{outcome="failed"}': "0+1x60" },
    firing: { "20m": ["KeelsonEncryptionKeysUnread"] },
  },
  "a process that does not respond": {
    series: { 'up{job="keelson-rp",instance="a"}': "0x30", 'up{job="other",instance="a"}': "0x30" },
    firing: { "2m": [], "4m": ["KeelsonProcessDown"] },
  },
  "a growing queue": {
    series: { 'database_openshiftclusters_queue_length{instance="a"}': "20x60" },
    firing: { "10m": [], "20m": ["KeelsonQueueGrowing"] },
  },
  "an operation of five hours": {
    series: { 'backend_oldest_operation_seconds{instance="a"}': "18000x30" },
    firing: { "10m": ["KeelsonOperationStuck"] },
  },
  "lost leases, without an actuator": {
    series: { 'backend_lease_losses_total{collection="openshift_clusters"}': "0+1x60" },
    firing: { "30m": ["KeelsonLeasesLost"] },
  },
  "lost leases of an actuator alone": {
    series: { 'mimo_actuator_lease_losses_total{instance="a"}': "0+1x60" },
    firing: { "30m": ["KeelsonLeasesLost"] },
  },
  "a blocked event loop": {
    series: { 'process_event_loop_stalls_total{job="keelson-rp",instance="a"}': "0+1x60" },
    firing: { "30m": ["KeelsonEventLoopStalled"] },
  },
  "a certificate of ten days": {
    series: { 'service_certificate_expiry_seconds{certificate="tls"}': "864000x200" },
    firing: { "90m": ["KeelsonServiceCertificateExpiring"] },
  },
  "a certificate of one day": {
    series: { 'service_certificate_expiry_seconds{certificate="tls"}': "86400x200" },
    firing: { "90m": ["KeelsonServiceCertificateExpired", "KeelsonServiceCertificateExpiring"] },
  },
  "a gateway without its database": {
    series: { 'gateway_last_change_feed_seconds{instance="a"}': "0x60" },
    firing: { "20m": ["KeelsonGatewayStale"] },
  },
  "a mirror without a complete run": {
    series: { 'mirror_last_success_seconds{instance="a"}': "0x4000" },
    firing: { "47h": [], "50h": ["KeelsonMirrorStale"] },
  },
  "lost metrics": {
    series: { 'telemetry_samples_dropped_total{sink="otlp"}': "0+5x60" },
    firing: { "20m": ["KeelsonTelemetryLost"] },
  },
};

test("promtool accepts the rules", async () => {
  const count = serviceAlertGroups.flatMap(({ alerts }) => alerts).length;
  assert.match(await checkRules(serviceAlertRules()), new RegExp(`SUCCESS: ${count} rules found`));
});

test("promtool accepts every expression of both dashboards", async () => {
  const expressions = [dashboard(), serviceDashboard()].flatMap(expressionsIn);
  const rules = expressions.map((expr, at) => ({ record: `panel:${at}`, expr: withoutVariables(expr) }));
  const output = await checkRules({ groups: [{ name: "panels", rules }] });
  assert.match(output, new RegExp(`SUCCESS: ${expressions.length} rules found`));
});

/** Returns the expressions of a dashboard's panels, including panels inside rows. */
function expressionsIn({ panels = [] }: object & { readonly panels?: readonly object[] }): readonly string[] {
  return panels.flatMap((panel) => {
    const { targets = [] } = panel as { readonly targets?: readonly { readonly expr: string }[] };
    return [...targets.map(({ expr }) => expr), ...expressionsIn(panel)];
  });
}

/** Replaces the variables of Grafana. */
function withoutVariables(expression: string): string {
  return expression.replace(/\$\w+/g, ".*");
}

test("each alert fires in one of the plays", () => {
  const fired = new Set(Object.values(plays).flatMap(({ firing }) => Object.values(firing).flat()));
  assert.deepEqual(
    [...fired].sort(),
    serviceAlertGroups.flatMap(({ alerts }) => alerts.map(({ name }) => name)).sort(),
  );
});

test("each play fires its alerts at their times, and no others", async () => {
  const all = Object.entries(plays).map(([name, { series, firing }]) => ({
    name,
    interval: "1m" as const,
    series: Object.entries(series).map(([each, values]): InputSeries => ({ series: each, values })),
    firing: Object.entries(firing).map(([at, alerts]) => ({ at, alerts })),
  }));
  await testAllAlerts(serviceAlertRules(), all);
});
