import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import { ManualClock } from "@keelson/base/testing";
import fc from "fast-check";
import { ArmError } from "../arm/arm-error.ts";
import type { ArmResponse } from "../arm/exchange.ts";
import { handle } from "../arm/router.ts";
import { nonEmptyStringAt, objectsAt } from "../base/json.ts";
import { openSubscription } from "../open-subscription.ts";
import { BlobFiles } from "../storage/blob-files.ts";
import { Store } from "../store/store.ts";
import { location, subscriptionId, tenantId } from "../testing/test-azure.ts";
import { contains, formatAddress, lowestFree, overlap, parseAddress, parsePrefix } from "./cidr.ts";

const group = `/subscriptions/${subscriptionId}/resourceGroups/g`;
const provider = `${group}/providers/Microsoft.Network`;
const subnet = { id: `${provider}/virtualNetworks/vnet/subnets/s` };

/**
 * Creates a subscription with a subnet of eight addresses, three of which (.4, .5, .6) are usable. Tests call the request handler
 * directly, without HTTP.
 */
function smallWorld(prefix: string) {
  const clock = new ManualClock();
  const subscription = openSubscription(Store.inMemory(), new BlobFiles(), {
    tenantId,
    subscriptionId,
    locations: [location],
    clock,
    logger: silentLogger,
  });
  subscription.store.transaction(() => void subscription.settings.change({ rights: { c: "everything" } }));
  const call = (method: string, path: string, body?: ArmResponse["body"]): ArmResponse => {
    try {
      return handle(subscription, {
        method,
        segments: path.split("/").filter((each) => each !== ""),
        query: new URLSearchParams({ "api-version": "2024-05-01" }),
        ifMatch: undefined,
        ifNoneMatch: undefined,
        body,
        baseUrl: "https://localhost",
        principal: { clientId: "c", objectId: "o" },
      });
    } catch (error) {
      if (error instanceof ArmError) return { status: error.status, body: error.body() };
      throw error;
    }
  };
  assert.equal(call("PUT", group, { location }).status, 201);
  const properties = {
    addressSpace: { addressPrefixes: [prefix] },
    subnets: [{ name: "s", properties: { addressPrefix: prefix } }],
  };
  assert.equal(call("PUT", `${provider}/virtualNetworks/vnet`, { location, properties }).status, 201);
  return call;
}

type Step =
  | {
      readonly kind: "put";
      readonly name: string;
      readonly count: number;
      readonly address: number | undefined;
    }
  | { readonly kind: "balancer"; readonly name: string }
  | { readonly kind: "delete"; readonly type: string; readonly name: string };

const name = fc.constantFrom("a", "b", "c", "d", "e");
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("put" as const),
    name,
    count: fc.integer({ min: 1, max: 3 }),
    address: fc.option(fc.integer({ min: 0, max: 15 }), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant("balancer" as const), name }),
  fc.record({
    kind: fc.constant("delete" as const),
    type: fc.constantFrom("networkInterfaces", "loadBalancers"),
    name,
  }),
);

test("addresses are unique and usable, and deleted ones are free again", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const call = smallWorld("10.0.0.0/28");
      for (const each of steps) {
        const response = run(call, each);
        assert.ok([200, 201, 204, 400].includes(response.status), JSON.stringify(response.body));
        const given = addresses(call);
        assert.equal(new Set(given).size, given.length, `given twice: ${given}`);
        for (const address of given) assert.match(address, /^10\.0\.0\.([4-9]|1[0-4])$/);
      }
      for (const type of ["networkInterfaces", "loadBalancers"]) {
        for (const each of "abcde") call("DELETE", `${provider}/${type}/${each}`);
      }
      const all = run(call, { kind: "put", name: "all", count: 11, address: undefined });
      assert.equal(all.status, 201, "all eleven addresses are free");
      assert.equal(
        nonEmptyStringAt(run(call, { kind: "balancer", name: "more" }).body, "error", "code"),
        "SubnetIsFull",
      );
    }),
    { numRuns: 150 },
  );
});

function run(call: ReturnType<typeof smallWorld>, each: Step): ArmResponse {
  switch (each.kind) {
    case "put": {
      const wanted =
        each.address === undefined
          ? {}
          : { privateIPAllocationMethod: "Static", privateIPAddress: `10.0.0.${each.address}` };
      const ipConfigurations = Array.from({ length: each.count }, (_, index) => ({
        name: `ip${index}`,
        properties: { subnet, ...(index === 0 ? wanted : {}) },
      }));
      return call("PUT", `${provider}/networkInterfaces/${each.name}`, {
        location,
        properties: { ipConfigurations },
      });
    }
    case "balancer": {
      const frontendIPConfigurations = [{ name: "f", properties: { subnet } }];
      return call("PUT", `${provider}/loadBalancers/${each.name}`, {
        location,
        properties: { frontendIPConfigurations },
      });
    }
    case "delete":
      return call("DELETE", `${provider}/${each.type}/${each.name}`);
  }
}

function addresses(call: ReturnType<typeof smallWorld>): readonly string[] {
  const found = (type: string, property: string) =>
    objectsAt(call("GET", `${provider}/${type}`).body, "value")
      .flatMap((each) => objectsAt(each, "properties", property))
      .map((each) => nonEmptyStringAt(each, "properties", "privateIPAddress") ?? "none");
  return [
    ...found("networkInterfaces", "ipConfigurations"),
    ...found("loadBalancers", "frontendIPConfigurations"),
  ];
}

test("addresses survive being written and read", () => {
  fc.assert(
    fc.property(fc.nat(2 ** 32 - 1), (address) =>
      assert.equal(parseAddress(formatAddress(address)), address),
    ),
  );
});

const texts = [
  ["10.0.0.0/8", true],
  ["0.0.0.0/0", true],
  ["10.0.0.1/32", true],
  ["10.0.0.1/31", false],
  ["10.0.0/8", false],
  ["10.0.0.0", false],
  ["10.0.0.0/33", false],
  ["10.0.0.0/8/8", false],
  ["010.0.0.0/8", false],
  ["256.0.0.0/8", false],
  ["fd00::/8", false],
] as const;

for (const [text, valid] of texts) {
  test(`${text} is ${valid ? "a valid" : "an invalid"} prefix`, () =>
    assert.equal(parsePrefix(text) !== undefined, valid));
}

test("ranges contain, overlap and fill up as sets do", () => {
  const range = fc
    .tuple(fc.nat(30), fc.nat(30))
    .map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));
  const set = ({ first, last }: { first: number; last: number }) =>
    new Set(Array.from({ length: last - first + 1 }, (_, index) => first + index));
  fc.assert(
    fc.property(range, range, (a, b) => {
      assert.equal(contains(a, b), set(b).isSubsetOf(set(a)));
      assert.equal(overlap(a, b), !set(a).isDisjointFrom(set(b)));
      assert.equal(lowestFree(a, set(b)), [...set(a).difference(set(b))][0]);
    }),
  );
});
