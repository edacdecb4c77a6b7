import { randomBytes } from "node:crypto";
import type { ConnectCluster } from "@keelson/admin-actions";
import { CloudError } from "@keelson/arm";
import { type Authorizer, acceptAll } from "@keelson/auth";
import {
  type Clock,
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  type Logger,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { createKeyring, generateKey, type Keyring, openDatabase } from "@keelson/database";
import { memoryDriver } from "@keelson/database/testing";
import { definitions, type ServiceDatabase } from "@keelson/model";
import type { AzureChecks } from "../azure-checks/azure-checks.ts";
import { type Frontend, type FrontendOptions, startFrontend } from "../start-frontend.ts";
import { location } from "./cluster-request.ts";
import { addVersion } from "./fake-worker.ts";
import { TestClient } from "./test-client.ts";

export const defaultVersion = "4.19.2";
export const retryAfterSeconds = 7;

export interface TestFrontend extends AsyncDisposable {
  readonly database: ServiceDatabase;
  readonly authority: KeyPair;
  readonly url: string;
  /** Client that presents no certificate. */
  readonly client: TestClient;
  /**
   * Returns a new client with separate connections. The client authenticates with `certificate`, if it is given. The frontend's
   * disposal closes the client.
   */
  connect(certificate?: KeyPair): TestClient;
  readonly callersChanged: Frontend["callersChanged"];
  /** Stops only the frontend. The database continues to run. */
  stop(): Promise<void>;
}

export interface TestFrontendOptions
  extends Partial<
    Pick<
      FrontendOptions,
      | "port"
      | "drainMs"
      | "inFlightMs"
      | "metrics"
      | "actionLeaseMs"
      | "adminActions"
      | "actionHeartbeatMs"
      | "actionTurnMs"
      | "connectCluster"
      | "portal"
      | "requireReason"
      | "governance"
      | "hive"
      | "operationsPerSubscription"
      | "requestLimits"
    >
  > {
  /** Azure region. The frontend's domain is below `aroapp.io`. */
  readonly location?: string;
  readonly authorizer?: (authority: KeyPair) => Promise<Authorizer>;
  /** Checks of Azure resources that the frontend runs before it creates a cluster. Default: all checks succeed. */
  readonly azureChecks?: AzureChecks;
  readonly logger?: Logger | undefined;
  readonly clock?: Clock;
  readonly keyring?: Keyring;
  /** Wraps the database before the frontend uses it. */
  readonly through?: (database: ServiceDatabase) => ServiceDatabase;
}

/** Starts the real service over HTTPS on a free port, with a database in memory and one OpenShift version. */
export async function startTestFrontend(options: TestFrontendOptions = {}): Promise<TestFrontend> {
  await using stack = new AsyncDisposableStack();
  const signal = AbortSignal.timeout(900_000);
  const { drainMs, inFlightMs, metrics, logger = silentLogger, clock = systemClock } = options;
  const { location: region = location } = options;
  const { actionLeaseMs, actionHeartbeatMs, adminActions, connectCluster = noClusters } = options;
  const authority = await createCertificateAuthority("test authority", 1);
  const database = stack.use(
    await openDatabase({
      driver: await memoryDriver(),
      definitions,
      keyring: options.keyring ?? createKeyring({ current: "k1", keys: { k1: generateKey() } }),
      logger,
      signal,
    }),
  );
  await addVersion(database, defaultVersion, { default: true });
  const frontend = stack.use(
    await startFrontend({
      database: options.through?.(database) ?? database,
      azureChecks: options.azureChecks ?? { find: async () => [] },
      authorizer: options.authorizer ? await options.authorizer(authority) : acceptAll(),
      tls: await issueCertificate(authority, {
        commonName: "localhost",
        dnsNames: ["localhost"],
        ipAddresses: ["127.0.0.1"],
        usage: "server",
        validDays: 1,
      }),
      host: "127.0.0.1",
      port: options.port ?? 0,
      location: region,
      domain: `${region}.aroapp.io`,
      managedIdentities: { hostSuffix: "identity.example" },
      skipTokenKeys: [randomBytes(32)],
      retryAfterSeconds,
      buildId: "test",
      clock,
      logger,
      connectCluster,
      adminActions,
      portal: options.portal,
      requireReason: options.requireReason,
      governance: options.governance,
      hive: options.hive,
      actionLeaseMs,
      actionHeartbeatMs,
      actionTurnMs: options.actionTurnMs ?? 0,
      drainMs,
      inFlightMs,
      metrics,
      requestLimits: options.requestLimits,
      operationsPerSubscription: options.operationsPerSubscription,
    }),
  );
  const connect = (certificate?: KeyPair) =>
    stack.use(new TestClient(frontend.port, authority.certificatePem, certificate));
  const client = connect();
  const kept = stack.move();
  return {
    database,
    authority,
    url: frontend.url,
    client,
    connect: (certificate) => kept.use(new TestClient(frontend.port, authority.certificatePem, certificate)),
    callersChanged: (isRemoved) => frontend.callersChanged(isRemoved),
    stop: async () => frontend[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const noClusters: ConnectCluster = ({ openShiftCluster }) => {
  throw new CloudError(
    "ServiceUnavailable",
    `${openShiftCluster.name} cannot be reached: this test gave its frontend no connectCluster.`,
  );
};
