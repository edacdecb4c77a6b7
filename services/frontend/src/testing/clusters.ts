import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { ServiceDatabase } from "@keelson/model";
import { type ClusterAddress, clusterAddress, clusterBody } from "./cluster-request.ts";
import { succeed } from "./fake-worker.ts";
import type { TestResponse } from "./test-client.ts";
import type { TestFrontend } from "./test-frontend.ts";

export async function setSubscription(
  { client }: TestFrontend,
  subscriptionId: string,
  state: string,
): Promise<void> {
  const { status, text } = await client.put(`/subscriptions/${subscriptionId}`, { state });
  assert.ok(status === 200 || status === 201, text);
}

/** Returns the address of a cluster in a new, registered subscription. */
export async function newAddress(frontend: TestFrontend, name?: string): Promise<ClusterAddress> {
  const address = clusterAddress(randomUUID(), name);
  await setSubscription(frontend, address.subscriptionId, "Registered");
  return address;
}

export async function createCluster(
  { client }: TestFrontend,
  address: ClusterAddress,
  clientId = randomUUID(),
): Promise<TestResponse> {
  const response = await client.put(address.url, clusterBody(address, clientId));
  assert.equal(response.status, 201, response.text);
  return response;
}

/** Creates a cluster and completes its creation like a worker. */
export async function newCluster(frontend: TestFrontend, name?: string): Promise<ClusterAddress> {
  const address = await newAddress(frontend, name);
  await createCluster(frontend, address);
  await succeed(frontend.database, address);
  return address;
}

export function assertError(
  response: TestResponse,
  status: number,
  code: string,
  message?: string,
  target?: string,
): void {
  const { error } = response;
  assert.deepEqual([response.status, error.code], [status, code], response.text);
  if (message !== undefined) assert.equal(error.message, message);
  if (target !== undefined) assert.equal(error.target, target);
}

/**
 * Asserts that the error's `details` have the codes and targets in `expected`. Asserts that the error itself equals the first
 * element of its `details`.
 */
export function assertDetails(
  error: TestResponse["error"],
  expected: readonly (readonly [code: string, target: string | undefined])[],
): void {
  const details: readonly unknown[] = Array.isArray(error.details) ? error.details : [];
  assert.deepEqual(
    details.map((each) => [Object(each).code, Object(each).target]),
    expected,
  );
  const { details: _, ...itself } = error;
  assert.deepEqual(itself, details[0]);
}

/**
 * Returns helpers for tests of write conflicts. `through` wraps the frontend's database, so that a test can write between the
 * reads and the commit of a request.
 */
export function interferingCommits() {
  let action: (() => Promise<void>) | undefined;
  return {
    /** Calls `interfere` once, before the frontend's next commit. */
    beforeNextCommit(interfere: () => Promise<void>): void {
      action = interfere;
    },
    through: (database: ServiceDatabase): ServiceDatabase => ({
      ...database,
      async commit(...args) {
        const interfere = action;
        action = undefined;
        await interfere?.();
        return database.commit(...args);
      },
    }),
  };
}
