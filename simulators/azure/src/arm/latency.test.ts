import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Clock, type JsonValue, systemClock } from "@keelson/base";
import { nonEmptyStringAt } from "../base/json.ts";
import { clientId, location, startTestAzure, subscriptionId, type TestAzure } from "../testing/test-azure.ts";
import { startTestProvider } from "../testing/testing-provider.ts";
import { recordedTimings } from "./recorded-timings.ts";

const group = `/subscriptions/${subscriptionId}/resourceGroups/paced`;
const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/operator`;
const cluster = `${group}/providers/Microsoft.RedHatOpenShift/openShiftClusters/one`;
const reader = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7`;
const factor = 0.02;
const second = 1_000 * factor;
const timings = recordedTimings(factor);

/** Clock that records sleeps of less than a second. Longer sleeps are time limits and are not recorded. */
class ListingClock implements Clock {
  readonly sleptMs: number[] = [];
  now = () => systemClock.now();
  monotonicMs = () => systemClock.monotonicMs();

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (ms < 1_000) this.sleptMs.push(ms);
    return systemClock.sleep(ms, signal);
  }
}

describe("at recorded pace", () => {
  const stack = new AsyncDisposableStack();
  const clock = new ListingClock();
  let azure: TestAzure;
  let clusterExists = false;

  before(async () => {
    const provider = stack.use(
      await startTestProvider(({ method }) => ({
        status: method === "GET" && !clusterExists ? 404 : 200,
        body: {},
      })),
    );
    azure = stack.use(
      await startTestAzure({
        clock,
        // This period is so long that a principal created by the test still counts as new on a slow machine.
        timings: { ...timings, latencies: { ...timings.latencies, freshMs: 3_600_000 } },
        resourceProvider: provider.options,
      }),
    );
    await azure.arm("PUT", `${group}?api-version=2024-11-01`, { location });
  });
  after(() => stack.disposeAsync());

  /**
   * Sends a request. Returns the response and its longest wait. This test runs 50 times faster than the recorded traffic. The
   * wait is therefore multiplied by 50 and returned in seconds.
   */
  const heldFor = async (method: string, path: string, body?: JsonValue) => {
    clock.sleptMs.length = 0;
    const response = await azure.arm(method, path, body);
    assert.ok(response.status < 300, response.text);
    return { response, seconds: Math.round(Math.max(...clock.sleptMs) / second) };
  };
  const assign = (principalId: string, name: string) =>
    heldFor(
      "PUT",
      `${group}/providers/Microsoft.Authorization/roleAssignments/${name}?api-version=2022-04-01`,
      {
        properties: { principalId, principalType: "ServicePrincipal", roleDefinitionId: reader },
      },
    );

  test("a role assignment to a new identity takes 15 to 17 seconds, to an old principal 2", async () => {
    const { response } = await heldFor("PUT", `${identity}?api-version=2024-11-30`, { location });
    const principalId = nonEmptyStringAt(response.json, "properties", "principalId") ?? "";
    const fresh = await assign(principalId, "11111111-1111-4111-8111-111111111111");
    assert.ok(fresh.seconds >= 15 && fresh.seconds <= 17, `${fresh.seconds}`);
    const old = await assign(azure.objectIdOf(clientId) ?? "", "22222222-2222-4222-8222-222222222222");
    assert.equal(old.seconds, 2);
  });

  test("the PUT of a new cluster takes the time of its validation, that of an existing one does not", async () => {
    const put = () => heldFor("PUT", `${cluster}?api-version=2025-07-25`, { location });
    const created = await put();
    assert.ok(created.seconds >= 25 && created.seconds <= 33, `${created.seconds}`);
    clusterExists = true;
    assert.equal((await put()).seconds, 1);
  });
});

test("durations are multiplied by the factor, and Retry-After is at least a second", () => {
  const [whole, tenth] = [recordedTimings(1), recordedTimings(0.1)];
  assert.deepEqual(whole.latencies.clusterValidationMs, { min: 25_000, max: 33_000 });
  assert.deepEqual(tenth.latencies.clusterValidationMs, { min: 2_500, max: 3_300 });
  assert.equal(whole.recordedPolls?.retryAfter["microsoft.resources/resourcegroups"], 15);
  assert.equal(recordedTimings(0.001).recordedPolls?.retryAfter["microsoft.resources/resourcegroups"], 1);
});
