import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { type Clock, issueCertificate, systemClock } from "@keelson/base";
import { request } from "undici";
import { WorldClient } from "../e2e/support/world-client.ts";
import { nameOf, queued, type Region } from "./region.ts";
import type { ScrapeRecorder } from "./scrape-recorder.ts";

/** Rehearsal of a drill of docs/runbooks.md. */
export interface Rehearsal {
  /** Name of the drill in docs/runbooks.md. */
  readonly fault: string;
  /** Cause of the fault in the rehearsal. */
  readonly cause: string;
  /** Alert that must fire. Undefined if no alert of the service may fire. */
  readonly alert?: string;
  /** Further alerts that the fault may cause. */
  readonly alsoAllowed?: readonly string[];
  /** Expected finding of `keelson doctor` during the fault. Undefined if doctor reports nothing about it. */
  readonly doctor?: {
    readonly check: string;
    readonly status: "failed" | "warning";
    readonly summary: RegExp;
  };
  /** Clock of `keelson doctor` in this rehearsal. Default: the system's clock. */
  readonly doctorClock?: Clock;
  /** Causes the fault. Resolves when it is in effect. */
  readonly begin: (region: Region, recorder: ScrapeRecorder) => Promise<void>;
  /** Repairs the fault as the drill describes. Resolves when the service has recovered. */
  readonly end: (region: Region) => Promise<void>;
}

const until = async (isSo: () => Promise<boolean>, what: string) => {
  for (const endMs = performance.now() + 300_000; !(await isSo().catch(() => false)); await delay(200))
    if (performance.now() > endMs) throw new Error(`never: ${what}`);
};

const acceptsWrites = (region: Region) =>
  until(async () => {
    const paths = ["/healthz/ready", "/healthz/ready/write"];
    const responses = await Promise.all(
      region.providers.flatMap(({ client }) => paths.map((path) => client.call("GET", path))),
    );
    return responses.every(({ status }) => status === 200);
  }, "every rp accepts reads and writes");

/** Alerts that a failed database can cause: all alerts about requests and workers. */
const databaseAlerts = [
  "KeelsonApiErrorsBurnFast",
  "KeelsonApiErrorsBurnSlow",
  "KeelsonApiLatencyBurnFast",
  "KeelsonApiLatencyBurnSlow",
  "KeelsonDatabaseUnreachable",
  "KeelsonDatabasePoolExhausted",
  "KeelsonDatabaseSlow",
  "KeelsonDatabaseWritesBlocked",
  "KeelsonGatewayStale",
  "KeelsonLeasesLost",
  "KeelsonMonitorAbsent",
  "KeelsonPassesLate",
];

const hourAhead: Clock = {
  ...systemClock,
  now: () => new Date(systemClock.now().getTime() + 3_600_000),
  monotonicMs: () => systemClock.monotonicMs(),
  lateMs: () => systemClock.lateMs(),
  sleep: (ms, signal) => systemClock.sleep(ms, signal),
};

/** Rehearsals in the order in which they run. */
export const rehearsals: readonly Rehearsal[] = [
  {
    fault: "Database down",
    cause: "PostgreSQL is stopped",
    alert: "KeelsonDatabaseUnreachable",
    alsoAllowed: databaseAlerts,
    doctor: { check: "database", status: "failed", summary: /127\.0\.0\.1/ },
    begin: ({ fleet }) => fleet.postgres.stop(),
    async end(region) {
      await region.fleet.postgres.start();
      await region.fleet.reconnect();
      await acceptsWrites(region);
    },
  },
  {
    fault: "Synchronous standby lost",
    cause: "`synchronous_standby_names` names a standby that does not exist",
    alert: "KeelsonDatabaseWritesBlocked",
    alsoAllowed: databaseAlerts,
    doctor: { check: "database writes", status: "failed", summary: /none of "nosuch" confirms/ },
    begin: (region) => region.setStandbys("nosuch"),
    async end(region) {
      await region.setStandbys("");
      await acceptsWrites(region);
    },
  },
  {
    fault: "Full disk of PostgreSQL",
    cause: "the file system of the data directory is filled",
    alert: "KeelsonDatabaseWritesBlocked",
    alsoAllowed: databaseAlerts,
    doctor: { check: "disk of the database", status: "failed", summary: /No space left on device/ },
    async begin({ disk, fleet }) {
      disk.fill();
      // Verifies that the disk is full. The statement creates a table, because the space of the WAL is preallocated.
      await fleet.database.query("create table rehearsal as select generate_series(1, 100000)").then(
        () => assert.fail("the disk is not full"),
        () => undefined,
      );
    },
    async end(region) {
      region.disk.free();
      await region.fleet.reconnect();
      await acceptsWrites(region);
    },
  },
  {
    fault: "Queue growing",
    cause: `one worker for each \`rp\`, slow Azure, ${queued} creations`,
    alert: "KeelsonQueueGrowing",
    async begin({ fleet, providers: [provider] }) {
      assert.ok(provider);
      const { client } = provider;
      const names = Array.from({ length: queued }, (_, at) => nameOf(at));
      const requests = await Promise.all(names.map((name) => client.clusterRequest(name)));
      await using world = new WorldClient(fleet.state.path);
      // Only writes are slow, so that they occupy the workers. Reads stay fast, because the validation of new requests needs
      // reads.
      const slow = { kind: "slow", delayMs: 30_000, verb: "write", except: "Microsoft.RedHatOpenShift/*" };
      await world.change({ faults: { slow } });
      await Promise.all(
        names.map(async (name, at) => {
          const path = `${client.cluster(name)}?api-version=2025-07-25`;
          const { status, body } = await client.call("PUT", path, requests[at] ?? {});
          assert.equal(status, 201, JSON.stringify(body));
        }),
      );
    },
    async end(region) {
      const [provider] = region.providers;
      assert.ok(provider);
      await using world = new WorldClient(region.fleet.state.path);
      await world.change({ faults: null });
      await using _ = await region.furtherProvider(queued);
      for (let at = 0; at < queued; at++)
        assert.equal(await provider.client.terminal(nameOf(at)), "Succeeded", nameOf(at));
    },
  },
  {
    fault: "One process hung",
    cause: "SIGSTOP of one `rp`",
    alert: "KeelsonProcessDown",
    begin: async ({ providers: [, second] }) => {
      second?.program.child.kill("SIGSTOP");
    },
    async end(region) {
      region.providers[1]?.program.child.kill("SIGCONT");
      await acceptsWrites(region);
    },
  },
  {
    fault: "Certificate expired",
    cause: "`tls` is replaced with a certificate that is valid for one day",
    alert: "KeelsonServiceCertificateExpired",
    alsoAllowed: ["KeelsonServiceCertificateExpiring"],
    doctor: { check: "certificate tls", status: "warning", summary: /ends in [01] days/ },
    async begin(region) {
      const { certificateFile, keyFile } = tlsFiles(region);
      const ca = (name: string) => readFileSync(region.fleet.state.file(name), "utf8");
      const authority = { certificatePem: ca("ca.pem"), privateKeyPem: ca("ca-key.pem") };
      const pair = await issueCertificate(authority, {
        commonName: "localhost",
        dnsNames: ["localhost"],
        ipAddresses: ["127.0.0.1"],
        usage: "server",
        validDays: 1,
      });
      for (const file of [certificateFile, keyFile]) copyFileSync(file, `${file}.before`);
      writeFileSync(certificateFile, pair.certificatePem);
      writeFileSync(keyFile, pair.privateKeyPem);
    },
    async end(region) {
      const { certificateFile, keyFile } = tlsFiles(region);
      for (const file of [certificateFile, keyFile]) copyFileSync(`${file}.before`, file);
      // Waits because processes read the certificate files once a minute.
      await until(async () => (await soonestExpiryDays(region)) > 14, "every process uses the certificate");
    },
  },
  {
    fault: "Cluster unreachable",
    cause: "the process with the clusters' API servers is suspended",
    alert: "KeelsonApiServerUnreachable",
    alsoAllowed: ["KeelsonCollectorFailing", "KeelsonPassesTimeOut", "KeelsonPassesLate"],
    begin: async ({ fleet }) => {
      fleet.world.child.kill("SIGSTOP");
    },
    async end(region) {
      region.fleet.world.child.kill("SIGCONT");
      await until(() => reachesClusters(region), "the monitor reaches every cluster");
    },
  },
  {
    fault: "Clock jump",
    cause: "`keelson doctor` with a clock that is one hour ahead",
    doctor: { check: "clock against the database", status: "failed", summary: /./ },
    doctorClock: hourAhead,
    begin: async () => undefined,
    end: async () => undefined,
  },
  {
    fault: "Session keys of the portal replaced without an overlap",
    cause: "one new key in `portal.signIn.sessionKeys`",
    async begin(region) {
      const sessionKey = Buffer.alloc(32, 7).toString("base64");
      region.change((config: Record<string, object>) => {
        const portal = Object(config.portal);
        return { ...config, portal: { ...portal, signIn: { ...portal.signIn, sessionKeys: [sessionKey] } } };
      });
      await region
        .program("keelson-portal")
        .reports(/"fields":\["portal"\][^\n]*"msg":"using changed fields of the configuration"/);
    },
    end: async () => undefined,
  },
  {
    fault: "Drain of old machines",
    cause: "SIGTERM of one `rp`, which then leaves the scrape configuration",
    async begin(region, recorder) {
      const [, old] = region.providers;
      assert.equal(await old?.program.signal("SIGTERM"), 0);
      const gone = region.targets().filter(({ job }) => job === "keelson-rp")[1];
      recorder.use(region.targets().filter(({ instance }) => instance !== gone?.instance));
    },
    end: async () => undefined,
  },
];

/** True if the monitor has reached every cluster in its last collection. */
async function reachesClusters(region: Region): Promise<boolean> {
  const url = region.targets().find(({ job }) => job === "keelson-monitor")?.url ?? "";
  const text = await (await request(url)).body.text();
  const codes = [...text.matchAll(/^cluster_apiserver_healthz_code\{.*\bcode="(\d+)".*\} 1$/gm)];
  return codes.length > 0 && codes.every(([, code]) => code === "200");
}

/** Returns the days until the first certificate of a process expires. */
async function soonestExpiryDays(region: Region): Promise<number> {
  const texts = await Promise.all(region.targets().map(async ({ url }) => (await request(url)).body.text()));
  const times = texts.flatMap((text) =>
    [...text.matchAll(/^service_certificate_expiry_seconds\{.*\} (\S+)$/gm)].map(([, seconds]) =>
      Number(seconds),
    ),
  );
  return (Math.min(...times) - Date.now() / 1_000) / 86_400;
}

function tlsFiles(region: Region): { readonly certificateFile: string; readonly keyFile: string } {
  return JSON.parse(readFileSync(region.configFile, "utf8")).tls;
}
