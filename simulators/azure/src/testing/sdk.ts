import assert from "node:assert/strict";
import { test } from "node:test";
import { ClientSecretCredential } from "@azure/identity";
import {
  clientId,
  clientSecret,
  location,
  subscriptionId,
  type TestAzure,
  type TestPrincipal,
  tenantId,
} from "./test-azure.ts";

/** Returns a credential with which the official SDKs sign in to a simulated Azure. */
export function testCredential(
  azure: TestAzure,
  as: Pick<TestPrincipal, "clientId" | "clientSecret"> = { clientId, clientSecret },
): ClientSecretCredential {
  return new ClientSecretCredential(tenantId, as.clientId, as.clientSecret.reveal(), {
    authorityHost: azure.url,
    disableInstanceDiscovery: true,
    tlsOptions: { ca: azure.caPem },
  });
}

/** Returns constructor arguments for ARM clients: credential, subscription and options. */
export function armArguments(azure: TestAzure) {
  const scopes = ["https://management.azure.com/.default"];
  const options = {
    endpoint: azure.url,
    credentials: { scopes },
    credentialScopes: scopes,
    tlsOptions: { ca: azure.caPem },
    retryOptions: { maxRetries: 0 },
  };
  return [testCredential(azure), subscriptionId, options] as const;
}

export async function makeGroup(azure: TestAzure, name: string): Promise<void> {
  const response = await azure.arm(
    "PUT",
    `/subscriptions/${subscriptionId}/resourcegroups/${name}?api-version=2021-04-01`,
    { location },
  );
  if (response.status >= 300) throw new Error(response.text);
}

/** Returns a predicate that is true for SDK errors with this status and code. */
export function refusal(statusCode: number, code: string): (error: unknown) => boolean {
  return (error) => {
    if (!(error instanceof Error)) return false;
    const found = "code" in error ? error.code : undefined;
    const status = "statusCode" in error ? error.statusCode : undefined;
    if (found === code && status === statusCode) return true;
    throw new Error(`expected ${statusCode} ${code}, not ${status} ${found}: ${error.message}`);
  };
}

interface Shown {
  readonly id?: string;
  readonly name?: string;
  readonly provisioningState?: string;
}

/** Client calls for testing one resource type. */
export interface LifeCycle {
  readonly name: string;
  create(): PromiseLike<Shown>;
  get(): PromiseLike<Shown>;
  list(): AsyncIterable<Shown>;
  remove(): PromiseLike<unknown>;
}

/** Runs one test per entry. Each test creates, reads, lists and deletes a resource. */
export function testLifeCycles(rows: readonly LifeCycle[]): void {
  for (const { name, create, get, list, remove } of rows) {
    test(`${name}: created, read, listed, deleted`, async () => {
      const made = await create();
      assert.ok(made.id && made.name);
      assert.equal(made.provisioningState ?? "Succeeded", "Succeeded");
      assert.equal((await get()).id, made.id);
      assert.ok(
        (await Array.fromAsync(list())).some(({ id }) => id === made.id),
        "it is listed",
      );
      await remove();
      await assert.rejects(async () => get(), { statusCode: 404 });
      assert.ok(!(await Array.fromAsync(list())).some(({ id }) => id === made.id), "it is listed no more");
      await remove();
    });
  }
}
