/** Evaluates recorded scrapes with the shipped rules. Requires promtool of Debian. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Evaluation, evaluateAlerts, metricsOfRules } from "./evaluate-alerts.ts";

const scrapes = 30;
const values = (value: (at: number) => string | undefined) =>
  Array.from({ length: scrapes }, (_, at) => value(at));
const heartbeat = ['monitor_heartbeat{job="keelson-monitor",instance="a"}', values(() => "1")] as const;
type Series = readonly [string, readonly (string | undefined)[]];
const evaluation = (...series: readonly Series[]) =>
  evaluateAlerts({ startSeconds: 1_000_000, scrapes, series: new Map([heartbeat, ...series]) });
const evaluate = async (...series: readonly Series[]) => namesOf(await evaluation(...series));
const namesOf = ({ fired }: Evaluation) => fired.map(({ alert, afterSeconds }) => ({ alert, afterSeconds }));

test("the shipped rules use metrics of processes and of Prometheus", async () => {
  const metrics = await metricsOfRules();
  for (const name of ["up", "database_writes_blocked", "cluster_apiserver_healthz_code"])
    assert.equal(metrics.has(name), name !== "up", name);
});

test("alerts fire after their waiting time, each scrape counts as 15 s", async () => {
  assert.deepEqual(
    await evaluate(
      ['up{job="keelson-rp",instance="a"}', values((at) => (at < 5 ? "1" : "0"))],
      ['database_writes_blocked{cause="refused",instance="a"}', values((at) => (at < 11 ? "0" : "1"))],
    ),
    [
      { alert: "KeelsonDatabaseWritesBlocked", afterSeconds: 165 },
      { alert: "KeelsonProcessDown", afterSeconds: 255 },
    ],
  );
});

test("the last evaluation names pending and firing alerts with their labels", async () => {
  const { fired, active } = await evaluation(
    ['up{job="keelson-rp",instance="a"}', values((at) => (at < 25 ? "1" : "0"))],
    ['database_writes_blocked{cause="refused",instance="a"}', values((at) => (at < 20 ? "0" : "1"))],
    ['database_writes_blocked{cause="timeout",instance="a"}', values((at) => (at < 20 ? "1" : "0"))],
  );
  assert.deepEqual(
    fired.map(({ alert, labels }) => [alert, /cause="(\w+)"/.exec(labels)?.[1]]),
    [["KeelsonDatabaseWritesBlocked", "timeout"]],
  );
  assert.deepEqual(active.map((each) => /^\w+ \(\w+/.exec(each)?.[0]).sort(), [
    "KeelsonDatabaseWritesBlocked (firing",
    "KeelsonProcessDown (pending",
  ]);
  assert.match(active.join(), /KeelsonDatabaseWritesBlocked[^)]*cause="refused"/);
});

test("times since 1970 are compared with the time of the recording", async () => {
  const expiry = (days: number) =>
    [
      'service_certificate_expiry_seconds{certificate="tls",instance="a"}',
      values(() => `${1_000_000 + days * 86_400}`),
    ] as const;
  assert.deepEqual(await evaluate(expiry(20)), []);
  assert.deepEqual(await evaluate(expiry(1)), [
    { alert: "KeelsonServiceCertificateExpired", afterSeconds: 300 },
  ]);
});

test("a process that is gone from the targets leaves no series", async () => {
  assert.deepEqual(
    await evaluate(['up{job="keelson-rp",instance="a"}', values((at) => (at < 5 ? "1" : undefined))]),
    [],
  );
});

test("a heartbeat that is updated once a minute may be missing for a recorded minute", async () => {
  const evaluateHeartbeat = (scrapes: number) =>
    evaluateAlerts({
      startSeconds: 1_000_000,
      scrapes,
      series: new Map<string, readonly (string | undefined)[]>([
        [heartbeat[0], Array.from({ length: scrapes }, (_, at) => (at < 5 ? "1" : undefined))],
        ['up{job="keelson-monitor",instance="a"}', Array.from({ length: scrapes }, () => "1")],
      ]),
    });
  assert.deepEqual((await evaluateHeartbeat(60)).fired, []);
  const { fired } = await evaluateHeartbeat(90);
  assert.deepEqual(
    fired.map(({ alert }) => alert),
    ["KeelsonMonitorAbsent"],
  );
});
