import { randomBytes, randomUUID } from "node:crypto";
import {
  type Clock,
  createLogger,
  issueCertificate,
  type KeyPair,
  reserveFreePort,
  Secret,
  systemClock,
} from "@keelson/base";
import { openStore } from "@keelson/cluster/testing";
import type { ServiceDatabase } from "@keelson/model";
import { seededGroupId } from "@keelson/sim-azure/seed-directory";
import {
  localCertificates,
  operatorRoles,
  startTestAzure,
  type TestAzure,
  tenantId,
  clientId as testClientId,
  clientSecret as testClientSecret,
} from "@keelson/sim-azure/testing";
import type { PortalOptions } from "../portal-options.ts";
import { type Portal, startPortal } from "../start-portal.ts";
import { startTestAdminApi, type TestAdminApi } from "./admin-api.ts";
import { Browser } from "./browser.ts";
import { EventStream } from "./event-stream.ts";

/** Portal with a simulated Entra ID and an empty database. */
export interface TestPortal extends AsyncDisposable {
  readonly portal: Portal;
  readonly azure: TestAzure;
  /** Admin API that verifies access tokens. Tests set its responses. */
  readonly adminApi: TestAdminApi;
  readonly database: ServiceDatabase;
  readonly tls: KeyPair;
  /** Client certificate of the portal's application in Entra ID. */
  readonly certificate: KeyPair;
  readonly caPem: string;
  /** Log lines of the portal. */
  readonly lines: Readonly<Record<string, unknown>>[];
  /**
   * Starts a second portal process. Both portals share the database, the keys and the people. The second portal has a separate
   * address.
   */
  readonly startAnother: () => Promise<Portal>;
  readonly newBrowser: () => Browser;
  readonly events: (person: Person, headers?: Readonly<Record<string, string>>) => Promise<EventStream>;
  /** Signs in a user of the directory. Returns the browser, and the CSRF token of the sign-in. */
  readonly signedIn: (user: UserName) => Promise<Person>;
}

export type UserName = "administrator" | "operator" | "reader";

export interface Person {
  readonly browser: Browser;
  readonly csrf: string;
}

const clientId = randomUUID();

/** Scope for which test portals request tokens. */
export const testScope = "api://test-admin/.default";

export async function startTestPortal({
  withAdminApi = false,
  ...change
}: Partial<PortalOptions> & {
  readonly clock?: Clock;
  /** True if the portal uses `TestPortal.adminApi`. */
  readonly withAdminApi?: boolean;
} = {}): Promise<TestPortal> {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await openStore());
  const { caPem, tls } = await localCertificates();
  const lines: Record<string, unknown>[] = [];
  const certificate = await issueCertificate(undefined, {
    commonName: "portal-client",
    usage: "client",
    validDays: 1,
  });
  const reservation = await reserveFreePort();
  const url = `https://localhost:${reservation.port}`;
  const azure = stack.use(
    await startTestAzure({
      principals: [
        // Application of the tests, in addition to the portal's application.
        {
          clientId: testClientId,
          clientSecret: testClientSecret,
          displayName: "test",
          firstParty: true,
          roles: operatorRoles,
        },
        {
          clientId,
          clientSecret: new Secret(randomUUID()),
          displayName: "portal",
          redirectUris: [`${url}/callback`],
          certificatePem: certificate.certificatePem,
        },
      ],
    }),
  );
  await reservation[Symbol.asyncDispose]();
  const adminApi = stack.use(
    await startTestAdminApi({
      tls,
      issuer: `${azure.url}/${tenantId}/v2.0`,
      keysUrl: `${azure.url}/${tenantId}/discovery/v2.0/keys`,
      caPem,
      audience: testScope.replace("/.default", ""),
      application: clientId,
      groups: {
        reader: [seededGroupId(tenantId, "Readers")],
        operator: [seededGroupId(tenantId, "Operators")],
        elevated: [seededGroupId(tenantId, "Administrators")],
      },
    }),
  );
  const options: PortalOptions = {
    database,
    tls,
    host: "127.0.0.1",
    port: reservation.port,
    url,
    location: "eastus",
    version: "test",
    banner: { text: "test", link: { text: "Help", url: "https://help.example" } },
    signIn: {
      loginEndpoint: azure.url,
      tenantId,
      clientId,
      credential: { certificate },
      graphEndpoint: azure.url,
      caPem,
      ...(withAdminApi ? { scope: testScope } : {}),
      sessionKeys: [new Secret(randomBytes(32).toString("base64"))],
      groups: {
        access: [seededGroupId(tenantId, "Readers")],
        operator: [seededGroupId(tenantId, "Operators")],
        elevated: [seededGroupId(tenantId, "Administrators")],
      },
    },
    ...(withAdminApi ? { adminApi: { url: adminApi.url, caPem } } : {}),
    clock: systemClock,
    logger: createLogger({
      level: "info",
      destination: { write: (line) => void lines.push(JSON.parse(line)) },
    }),
    ...change,
  };
  const portal = stack.use(await startPortal(options));
  // People sign in only at the first portal, so all further portals have no public URL.
  const { url: _, ...others } = options;
  const kept = stack.move();
  const newBrowser = () => new Browser(caPem);
  return {
    portal,
    azure,
    adminApi,
    database,
    tls,
    certificate,
    caPem,
    lines,
    startAnother: () => startPortal({ ...others, port: 0 }),
    newBrowser,
    events({ browser }, headers = {}) {
      const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
      return EventStream.open(portal.url, { ...headers, cookie }, caPem);
    },
    async signedIn(user) {
      const browser = newBrowser();
      await browser.signIn(portal.url, `${user}@keelson.local`);
      const info = await browser.send(portal.url, "/api/info");
      const { csrf } = JSON.parse(info.text);
      return { browser, csrf };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
