import type { IncomingHttpHeaders } from "node:http";
import { request as httpsRequest, type RequestOptions } from "node:https";
import { type ApiServer, type ClusterClient, type LogicalCluster, startApiServer } from "@keelson/apiserver";
import {
  createCertificateAuthority,
  issueCertificate,
  type KeyPair,
  silentLogger,
  systemClock,
} from "@keelson/base";
import type { Controller } from "@keelson/controller";
import { AzureAccess } from "../../azure/azure-access.ts";
import { ensureObject } from "../../base/objects.ts";
import { resources } from "../../base/resources.ts";
import { BootProblems } from "../../boot/boot-problems.ts";
import { machineNetwork } from "../../boot/machine-network.ts";
import { apiSeeds } from "../../bootstrap/seeds/apis.ts";
import { openShiftCrds } from "../../crds/openshift-crds.ts";
import type { FaultRequest } from "../../faults/fault.ts";
import { FaultRegistry } from "../../faults/fault-registry.ts";
import { ClusterPayload } from "../../payload/cluster-payload.ts";
import type { Cluster } from "../../runtime/cluster.ts";
import { startClusterCache } from "../../runtime/cluster-cache.ts";
import { startControllers } from "../../runtime/start-controllers.ts";
import { instantTimings } from "../../settings/timings.ts";
import { exampleSettings } from "../../testing/example-cluster.ts";
import { UpdateSource } from "../../updates/update-source.ts";
import { imageImports } from "../images/import-controller.ts";
import { namespaceDefaults } from "../namespaces/namespace-defaults.ts";
import { namespaces } from "../projects/project.ts";
import { router } from "../routes/router.ts";
import { resourceOf } from "../served/resource-names.ts";
import { serveApis } from "../served/serve-apis.ts";
import { serviceCa } from "../service-ca/service-ca.ts";
import { templateInstances } from "../template-instances/instantiate.ts";

/** Placeholder endpoint. This test environment boots no machines. */
const exampleCloud = { url: "https://localhost:8444", caPem: "" };

const controllers: readonly Controller<Cluster>[] = [
  imageImports,
  namespaceDefaults,
  router,
  ...serviceCa,
  templateInstances,
];

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface ApiCall {
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** Bearer token to send instead of the administrator's client certificate. */
  readonly token?: string;
  readonly user?: KeyPair | undefined;
}

/** API server with one OpenShift cluster without machines. For tests. */
export class ApiWorld implements AsyncDisposable {
  readonly cluster: LogicalCluster;
  readonly faults: FaultRegistry;
  readonly #authority: KeyPair;
  readonly #admin: KeyPair;
  readonly #end: () => Promise<void>;

  private constructor(parts: {
    readonly cluster: LogicalCluster;
    readonly faults: FaultRegistry;
    readonly authority: KeyPair;
    readonly admin: KeyPair;
    readonly end: () => Promise<void>;
  }) {
    this.cluster = parts.cluster;
    this.faults = parts.faults;
    this.#authority = parts.authority;
    this.#admin = parts.admin;
    this.#end = parts.end;
  }

  /** Starts a cluster with OpenShift's APIs, their controllers and the controllers in `others`. */
  static async start(
    others: readonly Controller<Cluster>[] = [],
    payload = new ClusterPayload(),
  ): Promise<ApiWorld> {
    const authority = await createCertificateAuthority("test", 2);
    const [tls, admin] = await Promise.all([
      issueCertificate(authority, {
        commonName: "localhost",
        dnsNames: ["localhost"],
        usage: "server",
        validDays: 1,
      }),
      issueCertificate(authority, { commonName: "system:admin", usage: "client", validDays: 1 }),
    ]);
    const server = await startApiServer({
      host: "localhost",
      port: 0,
      tls,
      storage: { kind: "memory" },
      logger: silentLogger,
      clock: systemClock,
    });
    try {
      return await ApiWorld.#install(server, { authority, admin, others, payload });
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  static async #install(
    server: ApiServer,
    {
      authority,
      admin,
      others,
      payload,
    }: {
      readonly authority: KeyPair;
      readonly admin: KeyPair;
      readonly others: readonly Controller<Cluster>[];
      readonly payload: ClusterPayload;
    },
  ): Promise<ApiWorld> {
    const settings = exampleSettings();
    const logical = await server.createCluster({
      name: settings.infraId,
      clientCertificateAuthorities: [authority.certificatePem],
    });
    const { client } = logical;
    const faults = new FaultRegistry(systemClock);
    const ofCluster = faults.ofCluster(settings.infraId);
    serveApis({ client, logical, domain: settings.domain, faults: ofCluster, clock: systemClock });
    for (const name of ["openshift", "openshift-service-ca"]) {
      await ensureObject(client, namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    }
    await Promise.all(
      openShiftCrds("Default").map((crd) => ensureObject(client, resources.customResourceDefinitions, crd)),
    );
    await Promise.all(
      apiSeeds(logical.url, "2026-01-01T00:00:00Z").map((each) =>
        ensureObject(client, resourceOf(each, []), each),
      ),
    );
    const deps = { clock: systemClock, logger: silentLogger };
    const parts = new AsyncDisposableStack();
    parts.use(server);
    const { cache } = parts.use(startClusterCache(client, deps));
    const context: Cluster = {
      client,
      cache,
      logical,
      settings,
      machines: { list: () => [], find: () => undefined, onChange: () => () => undefined },
      azure: new AzureAccess(exampleCloud, settings.platform.subscriptionId, silentLogger),
      fetch: machineNetwork(exampleCloud),
      bootProblems: new BootProblems(async () => undefined, silentLogger),
      faults: ofCluster,
      payload,
      updates: new UpdateSource(),
      timings: instantTimings,
      ...deps,
    };
    parts.use(await startControllers([...controllers, ...others], { cache, context, ...deps }));
    const end = () => parts.disposeAsync();
    return new ApiWorld({ cluster: logical, faults, authority, admin, end });
  }

  get client(): ClusterClient {
    return this.cluster.client;
  }

  fault(request: Omit<FaultRequest, "kind">): void {
    this.faults.set({ kind: "image-import", ...request });
  }

  user(commonName: string, organizations: readonly string[] = []): Promise<KeyPair> {
    return issueCertificate(this.#authority, { commonName, organizations, usage: "client", validDays: 1 });
  }

  async call(method: string, path: string, call: ApiCall = {}): Promise<ApiResponse> {
    const { status, text } = await this.#send(method, path, call);
    const body: unknown = JSON.parse(text);
    return { status, body };
  }

  /** Sends a GET request and returns the response body. */
  async read(path: string): Promise<string> {
    return (await this.#send("GET", path, {})).text;
  }

  /** Administrator kubeconfig for `kubectl`. */
  get kubeconfig(): object {
    const encode = (text: string) => Buffer.from(text).toString("base64");
    const cluster = {
      server: this.cluster.url,
      "certificate-authority-data": encode(this.#authority.certificatePem),
    };
    const user = {
      "client-certificate-data": encode(this.#admin.certificatePem),
      "client-key-data": encode(this.#admin.privateKeyPem),
    };
    return {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    };
  }

  /** Sends a request without a client certificate and returns the complete response. */
  raw(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<RawResponse> {
    return this.#request(method, path, { headers }, body);
  }

  #send(method: string, path: string, call: ApiCall): Promise<RawResponse> {
    const pair = call.user ?? (call.token ? undefined : this.#admin);
    const options = {
      ...(pair ? { cert: pair.certificatePem, key: pair.privateKeyPem } : {}),
      headers: {
        "content-type": call.contentType ?? "application/json",
        ...(call.accept ? { accept: call.accept } : {}),
        ...(call.token ? { authorization: `Bearer ${call.token}` } : {}),
      },
    };
    return this.#request(
      method,
      path,
      options,
      call.body === undefined ? undefined : JSON.stringify(call.body),
    );
  }

  #request(
    method: string,
    path: string,
    options: RequestOptions,
    body: string | undefined,
  ): Promise<RawResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
    const all = { method, ca: this.#authority.certificatePem, agent: false, ...options };
    const outgoing = httpsRequest(`${this.cluster.url}${path}`, all, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    outgoing.on("error", reject).end(body);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
  }
}
