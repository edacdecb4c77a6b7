import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  Secret,
  silentLogger,
  systemClock,
} from "@keelson/base";
import type { NewLink } from "../api/info.ts";
import { startConsole } from "../start-console.ts";
import { type ExampleWorld, exampleFacts, exampleWorld } from "./example-world.ts";
import { TestBrowser } from "./test-browser.ts";

const controlToken = new Secret("open-sesame");

export interface TestConsole extends AsyncDisposable {
  readonly url: string;
  readonly caPem: string;
  readonly world: ExampleWorld;
  /** Number of connections that the console has opened to the simulation. */
  readonly connections: number;
  newLink(): Promise<string>;
  newBrowser(): TestBrowser;
  signedIn(): Promise<TestBrowser>;
}

let certificates: Promise<{ readonly caPem: string; readonly tls: KeyPair }> | undefined;

function localCertificates() {
  certificates ??= createCertificateAuthority("console test CA", 1).then(async (authority) => ({
    caPem: authority.certificatePem,
    tls: await issueCertificate(authority, {
      commonName: "localhost",
      dnsNames: ["localhost"],
      ipAddresses: ["127.0.0.1"],
      usage: "server",
      validDays: 1,
    }),
  }));
  return certificates;
}

/** Starts a console with an example simulation on a free port. */
export async function startTestConsole(): Promise<TestConsole> {
  const { caPem, tls } = await localCertificates();
  const world = exampleWorld();
  let connections = 0;
  const running = await startConsole({
    host: "127.0.0.1",
    port: 0,
    tls,
    controlToken,
    facts: exampleFacts,
    async connect() {
      connections++;
      return world;
    },
    clock: systemClock,
    logger: silentLogger,
  });
  const url = `https://localhost:${running.port}`;
  const newBrowser = () => new TestBrowser(url, caPem);
  const newLink = async () => {
    using program = newBrowser();
    const headers = { authorization: `Bearer ${controlToken.reveal()}`, origin: undefined };
    return ((await program.send("/api/links", { method: "POST", headers })).json as NewLink).url;
  };
  return {
    url,
    caPem,
    world,
    get connections() {
      return connections;
    },
    newLink,
    newBrowser,
    async signedIn() {
      const browser = newBrowser();
      await browser.open(await newLink());
      return browser;
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
