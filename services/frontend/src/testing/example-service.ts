import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { isPlainObject, type JsonObject } from "@keelson/base";
import type { DocumentedExample } from "@keelson/openapi";
import { type ClusterAddress, clusterAddress, clusterBody } from "./cluster-request.ts";
import { setSubscription } from "./clusters.ts";
import { addVersion, finishDeletion, succeed } from "./fake-worker.ts";
import type { TestResponse } from "./test-client.ts";
import { startTestFrontend, type TestFrontend } from "./test-frontend.ts";

/** Identity headers that Azure Resource Manager sends for clusters with managed identities. */
const identityHeaders = {
  "x-ms-identity-url": "https://identity.example/credentials",
  "x-ms-home-tenant-id": randomUUID(),
};

/**
 * Test service that responds to the example requests in the OpenAPI documents. It also creates the resources that the examples
 * require.
 */
export class ExampleService implements AsyncDisposable {
  readonly #frontend: TestFrontend;
  readonly #location: string;
  readonly #subscriptions = new Set<string>();
  /** Example with which each cluster was created, by the cluster's resource ID. */
  readonly #clusters = new Map<string, DocumentedExample | undefined>();

  constructor(frontend: TestFrontend, location: string) {
    this.#frontend = frontend;
    this.#location = location;
  }

  /** Starts a service with these OpenShift versions. Each minor version has a role set for the given operators. */
  static async start(
    location: string,
    { versions, operators }: { readonly versions: readonly string[]; readonly operators: readonly string[] },
  ): Promise<ExampleService> {
    const frontend = await startTestFrontend({ location });
    const minors = new Set(versions.map((version) => version.split(".").slice(0, 2).join(".")));
    for (const version of versions) await addVersion(frontend.database, version);
    for (const openShiftVersion of minors) {
      const platformWorkloadIdentityRoles = operators.map((operatorName) => ({
        operatorName,
        roleDefinitionName: operatorName,
        roleDefinitionId: `/roles/${operatorName}`,
        serviceAccounts: [`system:serviceaccount:${operatorName}:${operatorName}`],
        secretLocation: { namespace: operatorName, name: operatorName },
      }));
      const properties = { openShiftVersion, platformWorkloadIdentityRoles };
      await frontend.client.put("/admin/platformworkloadidentityrolesets", { properties });
    }
    const service = new ExampleService(frontend, location);
    await service.#knows("openShiftVersions", versions);
    await service.#knows("platformWorkloadIdentityRoleSets", [...minors]);
    return service;
  }

  /**
   * Prepares an example request. Registers its subscription. Deletes the resource that the example creates. Creates the resources
   * that the example reads, changes or deletes. If `creation` is an example that creates the same cluster, the cluster is created
   * with the body of `creation`.
   */
  async prepare(example: DocumentedExample, creation: DocumentedExample | undefined): Promise<void> {
    const { subscriptionId } = example.parameters;
    if (typeof subscriptionId === "string" && !this.#subscriptions.has(subscriptionId)) {
      await setSubscription(this.#frontend, subscriptionId, "Registered");
      this.#subscriptions.add(subscriptionId);
    }
    const address = addressOf(example);
    if (!address) return;
    const own = creation && addressOf(creation)?.id === address.id ? creation : undefined;
    const isThere = this.#clusters.has(address.id);
    if (isThere && this.#clusters.get(address.id) === own && example.method !== "PUT") return;
    if (isThere) await this.#remove(address);
    if (example.method !== "PUT") await this.#create(address, own);
  }

  send({ method, url, body }: DocumentedExample): Promise<TestResponse> {
    const headers = identityHeaders;
    return this.#frontend.client.send(method, url, isPlainObject(body) ? { body, headers } : {});
  }

  /**
   * Sends a prepared example. If the response is asynchronous, completes the operation like a worker and sends the example again.
   */
  async carryOut(example: DocumentedExample): Promise<readonly TestResponse[]> {
    const first = await this.send(example);
    const address = addressOf(example);
    if (!address || first.status >= 300) return [first];
    if (example.method === "PATCH") await this.#succeed(address);
    if (example.method === "DELETE") {
      await finishDeletion(this.#frontend.database, address);
      this.#clusters.delete(address.id);
      return [first, await this.send(example)];
    }
    if (example.method !== "PUT") return [first];
    await this.#succeed(address);
    this.#clusters.set(address.id, example);
    const { json: shown } = await this.#frontend.client.get(example.url);
    const second = await this.send({ ...example, body: repeating(example.body, shown as JsonObject) });
    if (second.status < 300) await this.#succeed(address);
    return [first, second];
  }

  async #create(address: ClusterAddress, creation: DocumentedExample | undefined): Promise<void> {
    const created = creation
      ? await this.send(creation)
      : await this.#frontend.client.put(address.url, { ...clusterBody(address), location: this.#location });
    assert.equal(created.status, 201, created.text);
    await this.#succeed(address);
    this.#clusters.set(address.id, creation);
  }

  async #remove(address: ClusterAddress): Promise<void> {
    const { status, text } = await this.#frontend.client.delete(address.url);
    assert.equal(status, 202, text);
    await finishDeletion(this.#frontend.database, address);
    this.#clusters.delete(address.id);
  }

  async #succeed(address: ClusterAddress): Promise<void> {
    await succeed(this.#frontend.database, address);
  }

  /** Waits until the service has received the named documents through the change feed. */
  async #knows(collection: string, names: readonly string[]): Promise<void> {
    const subscriptionId = randomUUID();
    const path = `/subscriptions/${subscriptionId}/providers/Microsoft.RedHatOpenShift/locations/${this.#location}/${collection}?api-version=2025-07-25`;
    const deadline = performance.now() + 60_000;
    for (;;) {
      const { text } = await this.#frontend.client.get(path);
      if (names.every((name) => text.includes(`"name": "${name}"`))) return;
      assert.ok(performance.now() < deadline, `${collection}: ${text}`);
      await delay(10);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#frontend[Symbol.asyncDispose]();
  }
}

/**
 * Returns the body with the cluster's current properties, because an update must repeat all properties. Read-only properties are
 * omitted.
 */
function repeating(body: unknown, { systemData: _, ...shown }: JsonObject): JsonObject {
  return merged(objectOf(body), shown);
}

function merged(body: JsonObject, shown: JsonObject): JsonObject {
  const entries = Object.entries(shown).map(([name, value]) => [
    name,
    isPlainObject(value) ? merged(objectOf(body[name]), value as JsonObject) : value,
  ]);
  return { ...body, ...Object.fromEntries(entries) };
}

function objectOf(value: unknown): JsonObject {
  return isPlainObject(value) ? (value as JsonObject) : {};
}

/** Returns the cluster address of an example and stores its subscription. Undefined if the example has no cluster. */
function addressOf({ parameters }: DocumentedExample): ClusterAddress | undefined {
  const { subscriptionId, resourceGroupName, resourceName } = parameters;
  if (typeof resourceName !== "string") return undefined;
  return clusterAddress(String(subscriptionId).toLowerCase(), resourceName, String(resourceGroupName));
}
