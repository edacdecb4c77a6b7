import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { connectKube, type KubeClient, resources } from "@keelson/kube";
import {
  type ClusterApplication,
  exampleRequest,
  registerApplication,
  variablesFor,
} from "../../e2e/support/cluster-request.ts";
import type { Endpoints } from "../../e2e/support/endpoints.ts";
import {
  createIdentities,
  createIdentity,
  type IdentityPlace,
} from "../../e2e/support/managed-identities.ts";
import { pollDelayMs } from "../../e2e/support/poll-delay.ts";
import { Program, StateDirectory } from "../../e2e/support/program.ts";
import { WorldClient } from "../../e2e/support/world-client.ts";
import { ArmCaller, type Response, type Served } from "./arm-caller.ts";
import { DocumentCheck } from "./document-check.ts";
import { type CollectedSpan, TraceCollector } from "./trace-collector.ts";

export const newest = "2025-07-25";
export const firstVersion = "2019-12-31-preview";

/** Recursive changes to a request body. `undefined` removes a property. Arrays are replaced completely. */
export type Changes = { readonly [name: string]: unknown };

/** Number of registered applications. It must be at least the number of clusters that one service creates. */
const applicationCount = 64;

/** Time limit in milliseconds. It is sufficient for a busy machine. */
const settleLimitMs = 900_000;

/**
 * Service as a separate process. The simulation runs in a second process. Callers authenticate with client certificates. Every
 * response is validated against the API documents.
 */
export class Service implements AsyncDisposable {
  readonly #stack = new AsyncDisposableStack();
  readonly state = this.#stack.use(new StateDirectory());
  /**
   * Validates all responses against the API documents. The variable `KEELSON_PUBLISHED_DOCUMENTS` optionally names a directory
   * with the published documents.
   */
  readonly documents = new DocumentCheck(process.env.KEELSON_PUBLISHED_DOCUMENTS);
  /** All responses so far. Checks search them for secrets. */
  readonly served: Served[] = [];
  readonly #collector = this.#stack.use(new TraceCollector());
  #program: Program | undefined;
  #openSubscription: WorldClient | undefined;
  /** Registered applications without a cluster. */
  readonly #applications: ClusterApplication[] = [];
  #callers: { arm: ArmCaller; admin: ArmCaller; stranger: ArmCaller } | undefined;

  /** Returns an unused application with roles on the network. */
  takeApplication(): ClusterApplication {
    const taken = this.#applications.shift();
    if (!taken) throw new Error("more requests are made than applications are registered for");
    return taken;
  }

  registerWithoutRoles(): Promise<ClusterApplication> {
    return registerApplication(this.endpoints, this.#world.agent, "none");
  }

  /** Starts the service. Creates subnets for clusters with these names. */
  async start(names: readonly string[]): Promise<void> {
    const sim = ["sim", "--state", this.state.path, "--ports", "auto", "--log-level", "warn"];
    await this.#stack.use(Program.start(...sim, "--subnets-for", ...names)).says(/clusters/);
    this.#openSubscription = this.#stack.use(new WorldClient(this.state.path));
    const { endpoints, agent } = this.#openSubscription;
    for (let i = 0; i < applicationCount; i++) {
      this.#applications.push(await registerApplication(endpoints, agent));
    }
    const authority = await createCertificateAuthority("callers", 2);
    const issue = (commonName: string) =>
      issueCertificate(authority, { commonName, usage: "client", validDays: 1 });
    const admin = await issue("admin.example.org");
    const text = (name: string) => readFileSync(this.state.file(name), "utf8");
    const arm = { certificatePem: text("arm.pem"), privateKeyPem: text("arm-key.pem") };
    writeFileSync(this.state.file("callers.pem"), authority.certificatePem);
    const config = JSON.parse(readFileSync(this.state.file("service.json"), "utf8"));
    config.serveOnMs = 3_000;
    config.telemetry = { traces: { url: await this.#collector.start(), sampleRatio: 1 } };
    config.callers = {
      kind: "verified",
      arm: { certificates: { kind: "listed", file: this.state.file("arm.pem") } },
      admin: {
        certificates: {
          kind: "named",
          commonName: "admin.example.org",
          authoritiesFile: this.state.file("callers.pem"),
        },
      },
    };
    writeFileSync(this.state.file("verified.json"), JSON.stringify(config), { mode: 0o600 });
    const flags = ["--config", this.state.file("verified.json"), "--metrics-port", "0", "--with-maintenance"];
    this.#program = this.#stack.use(Program.start("rp", ...flags));
    const { rp }: { rp: string } = JSON.parse(await this.#program.says(/"rp"/));
    const caPem = readFileSync(this.endpoints.caFile, "utf8");
    const connect = (certificate?: typeof arm) =>
      this.#stack.use(
        new ArmCaller({
          origin: rp,
          caPem,
          certificate,
          onServed: (served) => {
            this.served.push(served);
            this.documents.look(served);
          },
        }),
      );
    this.#callers = { arm: connect(arm), admin: connect(admin), stranger: connect() };
  }

  /** Spans that the service has exported so far. */
  get spans(): readonly CollectedSpan[] {
    return this.#collector.spans;
  }

  get program(): Program {
    if (!this.#program) throw new Error("the service is not started");
    return this.#program;
  }

  /** Client of the service's simulation. */
  get #world(): WorldClient {
    if (!this.#openSubscription) throw new Error("the service is not started");
    return this.#openSubscription;
  }

  get endpoints(): Endpoints {
    return this.#world.endpoints;
  }

  get subscriptionId(): string {
    return this.endpoints.subscriptionId;
  }

  /** Client with the certificate of Azure Resource Manager. */
  get arm(): ArmCaller {
    return this.#caller("arm");
  }

  /** Client with an administrator's certificate. */
  get admin(): ArmCaller {
    return this.#caller("admin");
  }

  /** Client without a certificate. */
  get stranger(): ArmCaller {
    return this.#caller("stranger");
  }

  #caller(kind: "arm" | "admin" | "stranger"): ArmCaller {
    if (!this.#callers) throw new Error("the service is not started");
    return this.#callers[kind];
  }

  /** Returns the path and query of a cluster. `suffix` is appended to the path. */
  cluster(name: string, version = newest, suffix = ""): string {
    return `${this.id(name)}${suffix}?api-version=${version}`;
  }

  /** Returns the resource ID of a cluster in the letter case that the requests of the checks use. */
  id(name: string): string {
    return `/subscriptions/${this.subscriptionId}/resourceGroups/${name}/providers/Microsoft.RedHatOpenShift/openShiftClusters/${name}`;
  }

  /** Returns the path and query of a regional resource. */
  regional(path: string, version = newest): string {
    return `/subscriptions/${this.subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/eastus/${path}?api-version=${version}`;
  }

  /** Returns the request body that creates a cluster with its own application. */
  request(
    name: string,
    changes: Changes = {},
    example: "20191231" | "20250725" = "20250725",
    application: ClusterApplication = this.takeApplication(),
  ): Changes {
    const body = exampleRequest(example, variablesFor(name, this.subscriptionId, application));
    return changed({ ...body }, changes);
  }

  /** Returns the request body that creates a cluster with managed identities. Call `makeIdentities` first. */
  identityRequest(name: string): Response["body"] {
    return exampleRequest("20250725-identities", variablesFor(name, this.subscriptionId));
  }

  /** Creates the managed identities for a cluster. */
  makeIdentities(name: string): Promise<void> {
    return createIdentities(this.#identityPlace, name);
  }

  /**
   * Creates a managed identity and returns its resource ID. The role of an operator is assigned on the network. The role of the
   * cluster is assigned on the resource group.
   */
  makeIdentity(name: string, role: string): Promise<string> {
    return createIdentity(this.#identityPlace, name, role);
  }

  get #identityPlace(): IdentityPlace {
    const azure: WorldClient["azure"] = (...asked) => this.azure(...asked);
    return { azure, subscriptionId: this.subscriptionId, serviceFile: this.state.file("service.json") };
  }

  /** Waits until the operation in a response's headers has completed. */
  async settle(response: Response): Promise<Response["body"]> {
    const url = response.headers["azure-asyncoperation"];
    if (typeof url !== "string") throw new Error(`no operation in ${response.status} ${response.text}`);
    const startedMs = performance.now();
    for (;;) {
      const { body, text } = await this.#onOperation(url);
      if (body?.status === "Succeeded" || body?.status === "Failed") return body;
      if (performance.now() > startedMs + settleLimitMs) throw new Error(`still ${text}`);
      await delay(pollDelayMs(startedMs));
    }
  }

  #onOperation(url: string): Promise<Response> {
    const caller = url.includes("api-version=admin") ? this.admin : this.arm;
    return caller.get(url, { prefer: "keelson-progress" });
  }

  /** Sends a PATCH request and waits until its operation has completed. Returns both responses. */
  async update(
    name: string,
    body: object,
    version = newest,
  ): Promise<{ response: Response; operation: Response["body"] }> {
    const response = await this.arm.patch(this.cluster(name, version), body);
    return { response, operation: response.status === 200 ? await this.settle(response) : undefined };
  }

  /** Changes permissions and faults of the simulated Azure. */
  changeAzure(settings: object): Promise<void> {
    return this.#world.change(settings);
  }

  /** Returns the active faults of the simulated Azure with their injection counts. */
  azureFaults() {
    return this.#world.faults();
  }

  /** Sends a request to the simulated ARM with the service's application. */
  azure(...asked: Parameters<WorldClient["azure"]>): Promise<Response["body"]> {
    return this.#world.azure(...asked);
  }

  /** Returns the current usage of a quota. */
  async azureUsage(provider: string, quota: string): Promise<number> {
    const path = `/subscriptions/${this.subscriptionId}/providers/${provider}/locations/eastus/usages`;
    const { value }: { value: { name: { value: string }; currentValue: number }[] } = await this.azure(
      "GET",
      path,
    );
    return value.find(({ name }) => name.value === quota)?.currentValue ?? 0;
  }

  /** Sends a request to the simulation's administration API, for example to inject faults. */
  simulation(method: "POST" | "DELETE", path: string, body?: object): Promise<Response["body"]> {
    return this.#world.clusters(method, path, body);
  }

  /** Resource ID of the DNS zone of managed clusters. */
  get domainZone(): string {
    const { subscriptionId, resourceGroup, domain } = JSON.parse(
      readFileSync(this.state.file("service.json"), "utf8"),
    );
    return `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.Network/dnsZones/${domain}`;
  }

  /** Returns the DNS addresses of a name below the domain of managed clusters. */
  async addressesOf(name: string): Promise<readonly string[]> {
    const path = `${this.domainZone}/A/${encodeURIComponent(name)}`;
    const { properties } = await this.azure("GET", path, "2018-05-01");
    return properties.ARecords.map((record: { ipv4Address: string }) => record.ipv4Address);
  }

  /** Connects to a cluster's API server with the administrator's kubeconfig. */
  async connectKube(name: string): Promise<KubeClient> {
    const { body } = await this.arm.post(this.cluster(name, newest, "/listAdminCredentials"));
    const kubeconfig = Buffer.from(body.kubeconfig, "base64").toString();
    return connectKube({ kubeconfig, userAgent: "conformance", fieldManager: "conformance" });
  }

  /** Returns the number of nodes in the cluster of a kubeconfig. */
  async nodeCount(kubeconfig: string): Promise<number> {
    await using client = connectKube({ kubeconfig, userAgent: "conformance", fieldManager: "conformance" });
    return (await client.list(resources.nodes, {}, AbortSignal.timeout(900_000))).items.length;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

export function changed(value: Changes, changes: Changes): Changes {
  const result: Record<string, unknown> = { ...value };
  for (const [name, change] of Object.entries(changes)) {
    const current = result[name];
    if (change === undefined) delete result[name];
    else if (isChanges(change) && isChanges(current)) result[name] = changed(current, change);
    else result[name] = change;
  }
  return result;
}

function isChanges(value: unknown): value is Changes {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** ID of an unregistered subscription. */
export const unknownSubscription = randomUUID();
