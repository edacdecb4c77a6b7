import assert from "node:assert/strict";
import { test } from "node:test";
import { silentLogger } from "@keelson/base";
import type { KubeApi, KubeObject, KubeResource } from "@keelson/kube";
import { reachable, unreachable } from "../testing/samples-world.ts";
import { FirstStateCheck } from "./first-state.ts";
import type { RegistryAccess } from "./registry-access.ts";

const { signal } = new AbortController();

function check(registry: RegistryAccess, objects: Readonly<Record<string, object>> = {}) {
  const time = { now: Date.parse("2026-01-01T00:00:00Z"), lateMs: 0 };
  const find = async ({ kind }: KubeResource) => objects[kind] as KubeObject | undefined;
  const clock = {
    now: () => new Date(time.now),
    monotonicMs: () => time.now,
    lateMs: () => time.lateMs,
    sleep: async () => undefined,
  };
  const api = { find } as unknown as KubeApi;
  return { time, decide: () => new FirstStateCheck({ api, registry, clock, logger: silentLogger }) };
}

const proxy = { status: { httpsProxy: "http://proxy:3128" } };
const blocked = (name: string) => ({ spec: { registrySources: { blockedRegistries: [name] } } });
const rows: readonly (readonly [string, RegistryAccess, Readonly<Record<string, object>>, string])[] = [
  ["a registry that can be reached", reachable, {}, "Managed"],
  ["IPv6 alone", { ...reachable, isIpv6Only: () => true }, { Proxy: proxy }, "Removed"],
  ["registry.redhat.io blocked", reachable, { Image: blocked(" registry.redhat.io ") }, "Removed"],
  ["quay.io blocked", reachable, { Image: blocked("quay.io"), Proxy: proxy }, "Removed"],
  ["another registry blocked", reachable, { Image: blocked("docker.io") }, "Managed"],
  [
    "only others allowed",
    reachable,
    { Image: { spec: { allowedRegistriesForImport: [{ domainName: "mirror.io" }] } } },
    "Removed",
  ],
  ["acceptance 4: a proxy, through which nothing is tried", unreachable, { Proxy: proxy }, "Managed"],
];
for (const [name, registry, objects, state] of rows)
  test(`samples start ${state}: ${name}`, async () => {
    assert.deepEqual(await check(registry, objects).decide().decide(signal), { state });
  });

test("an unreachable registry is retried every 20 seconds for five minutes, and a reachable one counts immediately", async () => {
  const { time, decide } = check(unreachable);
  const first = decide();
  let tries = 0;
  for (;;) {
    tries++;
    const decided = await first.decide(signal);
    if ("state" in decided) {
      assert.equal(decided.state, "Unreachable");
      break;
    }
    assert.equal(decided.requeueAfterMs, 20_000);
    time.now += decided.requeueAfterMs;
  }
  assert.equal(tries, 16);
  let fails = true;
  const flaky = check({
    isIpv6Only: () => false,
    connect: () => (fails ? Promise.reject(new Error("later")) : Promise.resolve()),
  }).decide();
  assert.ok("requeueAfterMs" in (await flaky.decide(signal)));
  fails = false;
  assert.deepEqual(await flaky.decide(signal), { state: "Managed" });
});

test("the time for which the operator was suspended does not count as an unreachable registry", async () => {
  const { time, decide } = check(unreachable);
  const first = decide();
  assert.ok("requeueAfterMs" in (await first.decide(signal)));
  time.now += 3_600_000;
  time.lateMs += 3_600_000 - 20_000;
  assert.ok("requeueAfterMs" in (await first.decide(signal)));
});
