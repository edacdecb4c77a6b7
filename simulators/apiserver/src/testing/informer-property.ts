import assert from "node:assert/strict";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  silentLogger,
  systemClock,
} from "@keelson/base";
import { until } from "@keelson/base/testing/eventually";
import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from "@kubernetes/client-node";
import fc from "fast-check";
import type { ApiServer } from "../api-server.ts";
import type { LogicalCluster } from "../cluster/logical-cluster.ts";
import { startApiServer } from "../start-api-server.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const namespace = "default";
const timeLimitMs = 40_000;
const restartInformerMs = 50;

/** Step of a test: a write, or a fault of the server or its connections. */
type Step =
  | { readonly kind: "write" | "delete"; readonly name: string }
  | { readonly kind: "restart" | "compact" | "drop" | "compact and drop" | "pause" };

const write: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("write" as const, "write" as const, "delete" as const),
  name: fc.constantFrom("a", "b", "c", "d", "e"),
});
const disturbance: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom("restart", "compact", "drop", "compact and drop", "pause"),
});
/** Test sequences. Each fault is placed between writes, where an informer could miss changes. */
const steps = fc
  .array(fc.tuple(fc.array(write, { minLength: 1, maxLength: 8 }), disturbance), {
    minLength: 1,
    maxLength: 3,
  })
  .map((rounds) => rounds.flatMap(([writes, disturbing]) => [...writes, disturbing, ...writes]));

/** Server that can restart at the same address. */
class RestartableServer implements AsyncDisposable {
  readonly #authority: KeyPair;
  readonly #tls: KeyPair;
  readonly #file: string;
  #server: ApiServer;

  constructor(authority: KeyPair, tls: KeyPair, file: string, server: ApiServer) {
    this.#authority = authority;
    this.#tls = tls;
    this.#file = file;
    this.#server = server;
  }

  static async start(file: string): Promise<RestartableServer> {
    const authority = await createCertificateAuthority("test", 2);
    const names = { commonName: "localhost", dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };
    const tls = await issueCertificate(authority, { ...names, usage: "server", validDays: 1 });
    const server = await serve(file, tls, 0);
    await server.createCluster({ name: "c", clientCertificateAuthorities: [authority.certificatePem] });
    return new RestartableServer(authority, tls, file, server);
  }

  get cluster(): LogicalCluster {
    const found = this.#server.findCluster("c");
    assert.ok(found);
    return found;
  }

  async restart(): Promise<void> {
    const { port } = this.#server;
    await this.#server[Symbol.asyncDispose]();
    this.#server = await serve(this.#file, this.#tls, port);
  }

  async clientConfig(): Promise<KubeConfig> {
    const admin = await issueCertificate(this.#authority, {
      commonName: "admin",
      organizations: ["system:masters"],
      usage: "client",
      validDays: 1,
    });
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const config = new KubeConfig();
    const { url } = this.cluster;
    const caData = base64(this.#authority.certificatePem);
    config.loadFromClusterAndUser(
      { name: "c", server: url, caData, skipTLSVerify: false },
      { name: "admin", certData: base64(admin.certificatePem), keyData: base64(admin.privateKeyPem) },
    );
    return config;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }
}

function serve(file: string, tls: KeyPair, port: number): Promise<ApiServer> {
  const storage = { kind: "file", path: file } as const;
  return startApiServer({ host: "127.0.0.1", port, tls, storage, logger: silentLogger, clock: systemClock });
}

async function perform(server: RestartableServer, step: Step, count: number): Promise<void> {
  const { client } = server.cluster;
  switch (step.kind) {
    case "write": {
      const { name } = step;
      const data = { count: String(count) };
      if (await client.find(configMaps, { namespace, name }))
        await client.mergePatch(configMaps, { namespace, name }, { data });
      else
        await client.create(configMaps, {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { name, namespace },
          data,
        });
      return;
    }
    case "delete":
      if (await client.find(configMaps, { namespace, name: step.name }))
        await client.delete(configMaps, { namespace, name: step.name });
      return;
    case "restart":
      return server.restart();
    case "compact":
      return server.cluster.forgetHistory();
    case "drop":
      return server.cluster.dropStreams();
    case "compact and drop":
      server.cluster.dropStreams();
      return server.cluster.forgetHistory();
    case "pause":
      await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const shown = (objects: readonly V1ConfigMap[]) =>
  objects
    .map(({ metadata, data }) => `${metadata?.name} ${metadata?.resourceVersion} ${data?.count ?? ""}`)
    .sort()
    .join("\n");

/** Runs up to `numRuns` random sequences of writes and faults. The official client's informer must not miss any change. */
export async function informerMissesNothing(numRuns: number): Promise<void> {
  await using directory = await mkdtempDisposable(join(tmpdir(), "informer-"));
  let run = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (wanted) => {
      await using server = await RestartableServer.start(join(directory.path, `${++run}.db`));
      const config = await server.clientConfig();
      const api = config.makeApiClient(CoreV1Api);
      const list = () => api.listNamespacedConfigMap({ namespace });
      const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
      /** Objects according to the informer's events. */
      const told = new Map<string, V1ConfigMap>();
      const learn = (object: V1ConfigMap) => told.set(object.metadata?.name ?? "", object);
      informer.on("add", learn);
      informer.on("update", learn);
      informer.on("delete", (object) => told.delete(object.metadata?.name ?? ""));
      let stopped = false;
      const start = async (): Promise<void> => {
        if (!stopped) await informer.start().catch(restart);
      };
      // The official informer stops after an error. The caller must start it again.
      const restart = () => void setTimeout(start, restartInformerMs);
      informer.on("error", restart);
      await start();
      try {
        for (const [at, step] of wanted.entries()) await perform(server, step, at);
        const truth = shown((await list()).items);
        await until(() => shown(informer.list()) === truth && shown([...told.values()]) === truth);
      } finally {
        stopped = true;
        await informer.stop();
      }
    }),
    { numRuns, interruptAfterTimeLimit: timeLimitMs, endOnFailure: true },
  );
  assert.ok(run >= 1, `no run within ${timeLimitMs} ms`);
}
