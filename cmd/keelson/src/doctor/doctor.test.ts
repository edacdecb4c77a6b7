import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { resourceKey } from "@keelson/arm";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { create, createKeyring, generateKey, openDatabase, postgresDriver } from "@keelson/database";
import { type PostgresServer, startPostgres } from "@keelson/database/testing";
import { configSchemaVersion } from "@keelson/env";
import { definitions } from "@keelson/model";
import { newCluster } from "@keelson/model/testing";
import { startSimulatedCosmos } from "@keelson/sim-azure/cosmos";
import {
  clientId,
  clientSecret,
  localCertificates,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  tenantId,
} from "@keelson/sim-azure/testing";
import { loadOrCreateIdentity } from "../state/identity.ts";
import { acquireState } from "../state/state-lock.ts";
import type { Finding } from "./finding.ts";
import { examineInstallation } from "./run-doctor.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-doctor-"));
const signal = AbortSignal.timeout(900_000);
const key = generateKey();
let authority: KeyPair;
let azure: TestAzure;
let postgres: PostgresServer;
const group = "service";
const zone = "eastus.example.org";

before(async () => {
  [authority, azure, postgres] = await Promise.all([
    createCertificateAuthority("doctor", 30),
    startTestAzure(),
    startPostgres(),
  ]);
  await azure.clients.resources.resourceGroups.createOrUpdate(group, { location: "eastus" });
  await azure.clients.dns.zones.createOrUpdate(group, zone, { location: "global" });
  writeFileSync(join(directory, "azure.pem"), azure.caPem);
  writeFileSync(join(directory, "graph.key"), Buffer.alloc(64).toString("base64"));
  await writePair("tls", 100);
  await writePair("ca", 3_000);
});
after(async () => {
  rmSync(directory, { recursive: true, force: true });
  await Promise.all([azure[Symbol.asyncDispose](), postgres[Symbol.asyncDispose]()]);
});

async function writePair(name: string, validDays: number): Promise<void> {
  const pair = await issueCertificate(authority, { commonName: "localhost", usage: "server", validDays });
  writeFileSync(join(directory, `${name}.pem`), pair.certificatePem);
  writeFileSync(join(directory, `${name}-key.pem`), pair.privateKeyPem);
}

/** Valid production configuration, with `change` applied. */
function configuration(database: object, change: object = {}): string {
  const file = join(directory, "production.json");
  const path = (name: string) => join(directory, name);
  const config = {
    location: "eastus",
    domain: zone,
    tenantId,
    subscriptionId,
    resourceGroup: group,
    port: 0,
    metricsPort: 0,
    tls: { certificateFile: path("tls.pem"), keyFile: path("tls-key.pem") },
    callers: { kind: "anyone" },
    azure: {
      armEndpoint: azure.url,
      loginEndpoint: azure.url,
      audience: "https://management.azure.com/",
      caFile: path("azure.pem"),
    },
    firstParty: { clientId, clientSecret: clientSecret.reveal() },
    database,
    encryption: { current: "k", keys: { k: Buffer.from(key).toString("base64") } },
    skipTokenKey: Buffer.from(generateKey()).toString("base64"),
    installer: {
      kind: "aro-installer",
      command: [process.execPath],
      workingFolder: directory,
      graphKeyFile: path("graph.key"),
    },
    operatorImage: "registry.example.com/keelson:v1",
    certificateIssuer: { kind: "local", caFile: path("ca.pem"), caKeyFile: path("ca-key.pem") },
    ...change,
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

/**
 * Names of checks with results that depend on the test environment. The simulated Azure's CA expires within a day, and the
 * Node.js release varies.
 */
const ofEnvironment: ReadonlySet<string> = new Set(["certificate azure.caFile", "node"]);

/** Returns the findings with a status other than `ok`, by check name. */
async function illnesses(config: string, clock = systemClock, lowDiskBytes = 1) {
  const findings = await examineInstallation({ state: directory, config }, { clock, lowDiskBytes, signal });
  const ill = findings.filter(({ status, check }) => status !== "ok" && !ofEnvironment.has(check));
  return Object.fromEntries(ill.map((each) => [each.check, each]));
}

/** Matches suggested commands that start with an expected program. */
const nextCommand =
  /^(?:keelson|az|chmod|curl|du|fuser|ls|node|openssl|pg_isready|ps|psql|ss|tail|timedatectl|\.\/keelson) /;

function assertFinding(
  finding: Finding | undefined,
  status: Finding["status"],
  summary: RegExp,
  remedy: RegExp,
): void {
  assert.equal(finding?.status, status, JSON.stringify(finding));
  assert.match(finding?.summary ?? "", summary);
  assert.match(finding?.remedy ?? "", remedy);
  assert.match(finding?.command ?? "", nextCommand);
}

/** Creates a database for one test and applies all migrations. */
async function migrated(): Promise<{ readonly kind: "postgres"; readonly url: string }> {
  const url = await postgres.createDatabase();
  const keyring = createKeyring({ current: "k", keys: { k: key } });
  const driver = postgresDriver({ url });
  await using _ = await openDatabase({ driver, definitions, keyring, logger: silentLogger, signal });
  return { kind: "postgres", url };
}

describe("a configuration of production", () => {
  test("of one command needs only its fields, and only its certificates are checked", async () => {
    const file = configuration(await migrated(), {
      tls: undefined,
      callers: undefined,
      skipTokenKey: undefined,
    });
    const checksOf = async (role: "portal" | "monitor" | undefined) =>
      (await examineInstallation({ state: directory, config: file }, { clock: systemClock, role, signal }))
        .filter(({ status }) => status !== "skipped")
        .map(({ check, status }) => `${check} ${status}`);
    for (const role of ["portal", "monitor"] as const) {
      const checks = await checksOf(role);
      assert.ok(checks.includes("configuration ok") && checks.includes("database ok"), checks.join());
      assert.ok(
        checks.every((each) => !/^certificate (?:tls|callers)|failed$/.test(each)),
        checks.join(),
      );
    }
    assert.deepEqual(await checksOf(undefined), ["configuration failed"]);
  });

  test("whose first-party certificate is missing names the file", async () => {
    const firstParty = { clientId, certificateFile: "/no/fp.pem", keyFile: "/no/fp.key" };
    const { keyring } = await illnesses(configuration(await migrated(), { firstParty }));
    assertFinding(keyring, "failed", /\/no\/fp/, /field or file that the message names/);
  });

  test("that is well has no finding", async () => {
    assert.deepEqual(await illnesses(configuration(await migrated())), {});
  });

  test("that is not valid names its members", async () => {
    const found = await illnesses(configuration({ kind: "postgres" }, { location: 7 }));
    assertFinding(found.configuration, "failed", /\/location .*/, /members named/);
  });

  test("whose file has fields of a newer release is a warning only if the file declares a newer schema version", async () => {
    const database = await migrated();
    const schemaVersion = configSchemaVersion + 1;
    const found = await illnesses(configuration(database, { schemaVersion, colour: 1 }));
    assert.deepEqual(Object.keys(found), ["configuration"]);
    assertFinding(found.configuration, "warning", /ignored fields: \/colour is unknown/, /rollback/);
    const strict = await illnesses(configuration(database, { colour: 1 }));
    assertFinding(strict.configuration, "failed", /\/colour is unknown/, /members named/);
  });

  test("without a database, or with one that lacks migrations", async () => {
    const absent = await illnesses(
      configuration({ kind: "postgres", url: "postgres://nobody@127.0.0.1:1/none" }),
    );
    assertFinding(absent.database, "failed", /./, /server runs and can be reached/);
    const empty = await illnesses(configuration({ kind: "postgres", url: await postgres.createDatabase() }));
    assertFinding(empty.migrations, "failed", /\d+ are missing: 1, 2/, /keelson migrate/);
  });

  test("whose clock is wrong, against the database and Azure", async () => {
    const clock = { ...systemClock, now: () => new Date(Date.now() + 600_000) };
    const found = await illnesses(configuration(await migrated()), clock);
    for (const check of ["clock against the database", "clock against Azure"])
      assertFinding(found[check], "failed", /(?:599|600|601)\.\d s ahead/, /time server/);
  });

  test("with certificates that expire soon, are expired, or do not match their keys", async () => {
    const database = await migrated();
    await writePair("soon", 20);
    const files = (name: string, keyName = name) => ({
      tls: {
        certificateFile: join(directory, `${name}.pem`),
        keyFile: join(directory, `${keyName}-key.pem`),
      },
    });
    const soon = await illnesses(configuration(database, files("soon")));
    assertFinding(soon["certificate tls"], "warning", /ends in (?:19|20) days/, /new certificate/);
    const clock = { ...systemClock, now: () => new Date(Date.now() + 25 * 86_400_000) };
    const ended = await illnesses(configuration(database, files("soon")), clock);
    assertFinding(ended["certificate tls"], "failed", /ended on/, /new certificate/);
    const foreign = await illnesses(configuration(database, files("soon", "tls")));
    assertFinding(foreign["certificate tls"], "failed", /is not the key of/, /its key/);
    const absent = await illnesses(configuration(database, files("absent")));
    assertFinding(absent["certificate tls"], "failed", /ENOENT/, /new certificate/);
  });

  test("whose application's secret expires soon", async () => {
    const { clientId: own, clientSecret: secret } = await azure.register();
    const database = await migrated();
    const change = {
      firstParty: { clientId: own, clientSecret: secret.reveal() },
      azure: {
        armEndpoint: azure.url,
        loginEndpoint: azure.url,
        audience: "https://management.azure.com/",
        graphEndpoint: azure.url,
        caFile: join(directory, "azure.pem"),
      },
    };
    const well = await illnesses(configuration(database, change));
    assert.equal(well["secret of firstParty"], undefined);
    const inDays = (days: number) => ({
      ...systemClock,
      now: () => new Date(Date.now() + days * 86_400_000),
    });
    const found = await illnesses(configuration(database, change), inDays(710));
    assertFinding(
      found["secret of firstParty"],
      "warning",
      /ends in \d+ days/,
      /az ad app credential reset --append/,
    );
    const ended = await illnesses(configuration(database, change), inDays(800));
    assertFinding(ended["secret of firstParty"], "failed", /ended on/, /firstParty\.clientSecret/);
  });

  test("whose callers' certificates and database password expire soon", async () => {
    const url = await postgres.createDatabase();
    const name = `soon_${new URL(url).pathname.slice(1)}`;
    const driver = postgresDriver({ url });
    await using connection = await driver.open({ logger: silentLogger, signal });
    const until = new Date(Date.now() + 10.5 * 86_400_000).toISOString();
    await connection.session(
      ({ execute }) => execute(`create role ${name} login superuser password 'p' valid until '${until}'`),
      signal,
    );
    const own = new URL(url);
    [own.username, own.password] = [name, "p"];
    await writePair("caller", 20);
    await writePair("lasting", 100);
    writeFileSync(
      join(directory, "callers.pem"),
      ["lasting", "caller"].map((each) => readFileSync(join(directory, `${each}.pem`), "utf8")).join(""),
    );
    const listed = { kind: "listed", file: join(directory, "callers.pem") };
    const callers = { kind: "verified", arm: { certificates: listed }, admin: { certificates: listed } };
    const found = await illnesses(configuration({ kind: "postgres", url: own.href }, { callers }));
    assertFinding(
      found["certificate callers.arm"],
      "warning",
      /callers\.pem ends in (?:19|20) days/,
      /new certificate/,
    );
    assertFinding(
      found["database password"],
      "warning",
      /refuses the password of soon_.*in 10 days/,
      /alter role soon_/,
    );
  });

  test("whose processes open more connections than the database accepts", async () => {
    const found = await illnesses(configuration({ ...(await migrated()), maxConnections: 96 }));
    assertFinding(
      found["connections of the database"],
      "warning",
      /^\d+ of 97 are in use, and one process opens up to 98$/,
      /increase max_connections/,
    );
  });

  test("whose database accepts no writes", async () => {
    const database = await migrated();
    const driver = postgresDriver(database);
    await using connection = await driver.open({ logger: silentLogger, signal });
    const setStandbys = (names: string) =>
      connection.session(async ({ execute }) => {
        await execute(`alter system set synchronous_standby_names = '${names}'`);
        await execute("select pg_reload_conf()");
      }, signal);
    await setStandbys("nosuch");
    try {
      const found = await illnesses(configuration(database));
      assertFinding(
        found["database writes"],
        "failed",
        /none of "nosuch" confirms/,
        /KeelsonDatabaseWritesBlocked/,
      );
    } finally {
      await setStandbys("");
    }
  });

  test("whose write probe fails for a different reason", async () => {
    const database = await migrated();
    const driver = postgresDriver(database);
    await using connection = await driver.open({ logger: silentLogger, signal });
    const name = `unprobed_${new URL(database.url).pathname.slice(1)}`;
    await connection.session(
      ({ execute }) =>
        execute(`create role ${name} login password 'p'; grant pg_read_all_data to ${name};
          revoke execute on all functions in schema pg_catalog from public;
          grant execute on all functions in schema pg_catalog to ${name};
          revoke execute on function pg_logical_emit_message(boolean, text, text, boolean) from ${name}`),
      signal,
    );
    const own = new URL(database.url);
    [own.username, own.password] = [name, "p"];
    const found = await illnesses(configuration({ kind: "postgres", url: own.href }));
    assertFinding(
      found["database writes"],
      "warning",
      /could not be tested: permission denied for function pg_logical_emit_message/,
      /fix the error/,
    );
  });

  test("whose Cosmos DB accepts no writes", async () => {
    const accountKey = new Secret(randomBytes(64).toString("base64"));
    await using account = await startSimulatedCosmos({
      host: "127.0.0.1",
      port: 0,
      tls: (await localCertificates()).tls,
      key: accountKey,
      clock: systemClock,
      logger: silentLogger,
      consistency: "Strong",
    });
    const endpoint = account.url;
    const database = { kind: "cosmos", endpoint, databaseName: "doctor", key: accountKey.reveal() };
    const well = await illnesses(configuration(database));
    assert.deepEqual(
      [well.configuration, well.database, well["database writes"]],
      [undefined, undefined, undefined],
    );
    const opened = new Set<string>();
    account.injectFaults(({ method, path, isQuery }) => {
      if (method !== "POST" || isQuery || !path.endsWith("/colls/control/docs")) return undefined;
      // The first write to an opened database creates its tables. The second write is the write probe, and it fails here.
      if (opened.has(path)) return { kind: "write-forbidden" };
      opened.add(path);
      return undefined;
    });
    const found = await illnesses(configuration(database));
    assertFinding(
      found["database writes"],
      "failed",
      /Cosmos DB refuses writes\..*403/,
      /KeelsonDatabaseWritesBlocked/,
    );
  });

  test("whose port is taken names the process", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      const found = await illnesses(configuration(await migrated(), { metricsPort: port }));
      const finding = found[`port ${port} (metrics)`];
      assertFinding(finding, "failed", new RegExp(`process ${process.pid} `), /metricsPort/);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });

  test("without rights, with a wrong secret, without Azure", async () => {
    const database = await migrated();
    const { clientId: poor, clientSecret: secret } = await azure.register();
    const lacking = await illnesses(
      configuration(database, { firstParty: { clientId: poor, clientSecret: secret.reveal() } }),
    );
    assertFinding(lacking[`rights on the DNS zone ${zone}`], "failed", /./, /role/);
    const wrong = await illnesses(
      configuration(database, { firstParty: { clientId, clientSecret: "wrong" } }),
    );
    assertFinding(
      wrong[`rights on the DNS zone ${zone}`],
      "failed",
      /AADSTS7000215/,
      /secret may have ended/,
    );
    const armEndpoint = "https://localhost:1";
    const gone = await illnesses(
      configuration(database, { azure: { armEndpoint, loginEndpoint: armEndpoint, audience: armEndpoint } }),
    );
    assertFinding(gone.azure, "failed", /does not answer/, /reached from here/);
  });

  test("whose keys are not all there", async () => {
    const database = await migrated();
    {
      const keyring = createKeyring({ current: "old", keys: { old: generateKey() } });
      await using opened = await openDatabase({
        driver: postgresDriver(database),
        definitions,
        keyring,
        logger: silentLogger,
        signal,
      });
      const principal = { clientId, clientSecret: new Secret("sealed") };
      const cluster = newCluster({ name: "c", subscriptionId, principal });
      const document = {
        id: "c",
        partitionKey: subscriptionId,
        key: resourceKey(cluster.id),
        clusterResourceGroupIdKey: "/g",
        clientIdKey: "x",
        bucket: 1,
        openShiftCluster: cluster,
      };
      const result = await opened.commit(subscriptionId, [create(opened.collections.clusters, document)], {
        signal,
      });
      assert.equal(result.kind, "committed");
    }
    const found = await illnesses(configuration(database));
    assertFinding(
      found.keyring,
      "failed",
      /secrets of 1 clusters cannot be opened: Key old is needed/,
      /add the keys/,
    );
    const short = await illnesses(
      configuration(database, { encryption: { current: "k", keys: { k: "AAAA" } } }),
    );
    assertFinding(short.keyring, "failed", /3 bytes/, /32 bytes/);
  });

  test("on a disk that is full", async () => {
    const found = await illnesses(configuration(await migrated()), systemClock, Number.MAX_SAFE_INTEGER);
    assertFinding(found[`disk of ${directory}`], "failed", /GB free/, /make room/);
  });
});

test("keelson doctor exits with 1, and prints what it found", async () => {
  const absent = join(directory, "absent");
  const main = join(import.meta.dirname, "..", "main.ts");
  const flags = ["--disable-warning=ExperimentalWarning", main, "doctor", "--state", absent, "-o", "json"];
  const { code, stdout, stderr } = await new Promise<{ code: number | null; stdout: string; stderr: string }>(
    (resolve) => {
      const child = execFile(process.execPath, flags, (_, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
    },
  );
  assert.deepEqual([code, stderr], [1, "keelson: one check failed\n"]);
  assert.equal(JSON.parse(stdout).findings[0].summary, `there is no state directory ${absent}`);
});

describe("a state directory", () => {
  test("that is not there", async () => {
    const [finding] = await examineInstallation(
      { state: join(directory, "absent") },
      { clock: systemClock, signal },
    );
    assertFinding(finding, "failed", /there is no state directory/, /keelson up --state/);
  });

  test("that is in use, with secrets that others can read, or that are damaged", async () => {
    const state = mkdtempSync(join(directory, "state-"));
    loadOrCreateIdentity(state);
    const examine = async () =>
      Object.fromEntries(
        (await examineInstallation({ state }, { clock: systemClock, signal })).map((each) => [
          each.check,
          each,
        ]),
      );
    {
      using _ = acquireState(state);
      const held = await examine();
      assert.equal(held["state lock"]?.summary, `process ${process.pid} runs from ${state}`);
      assertFinding(held.configuration, "failed", /service\.json/, /start again/);
      writeFileSync(join(state, "pid"), "");
      assertFinding((await examine())["state lock"], "failed", /does not say by which process/, /fuser/);
    }
    chmodSync(join(state, "secrets.json"), 0o644);
    assertFinding(
      (await examine())["state files"],
      "warning",
      /others of this machine can read/,
      /chmod 600/,
    );
    writeFileSync(join(state, "secrets.json"), "{");
    assertFinding((await examine())["state files"], "failed", /secrets\.json cannot be used/, /./);
  });
});
