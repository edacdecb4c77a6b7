import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger, isCoded } from "@keelson/base";
import { clientId, clientSecret, location, startTestAzure, tenantId } from "@keelson/sim-azure/testing";
import { signIn } from "./credential.ts";

const signal = AbortSignal.timeout(900_000);

test("a request that is forbidden is not sent, nor tried again", async () => {
  await using azure = await startTestAzure();
  let asked = 0;
  const clients = azure.connect({
    beforeRequest() {
      asked++;
      throw new Error("the lease is lost");
    },
  });
  const create = clients.resources.resourceGroups.createOrUpdate("g", { location }, clients.call(signal));
  await assert.rejects(create, /the lease is lost/);
  await assert.rejects(
    clients.dns.zones.get("g", "example.com", { abortSignal: signal }),
    /the lease is lost/,
  );
  assert.equal(asked, 2);
  const groups = azure.clients.resources.resourceGroups.list(azure.clients.call(signal));
  assert.deepEqual(await Array.fromAsync(groups), []);
});

test("a request waits for its turn, and gives up when its caller does", async () => {
  await using azure = await startTestAzure();
  const waits: { readonly signal: AbortSignal | undefined; go(): void }[] = [];
  let asked = Promise.withResolvers<void>();
  const clients = azure.connect({
    beforeRequest(given) {
      const turn = Promise.withResolvers<void>();
      given?.addEventListener("abort", () => turn.reject(given.reason));
      waits.push({ signal: given, go: turn.resolve });
      asked.resolve();
      return turn.promise;
    },
  });
  const stop = new AbortController();
  const exists = (abortSignal: AbortSignal) =>
    clients.resources.resourceGroups.checkExistence("g", { abortSignal });
  const sent = exists(signal);
  await asked.promise;
  waits[0]?.go();
  assert.equal((await sent).body, false);
  asked = Promise.withResolvers();
  const waiting = assert.rejects(exists(stop.signal));
  await asked.promise;
  stop.abort();
  await waiting;
  assert.equal(waits.length, 2);
});

test("polls of a long-running operation are forbidden too", async () => {
  await using azure = await startTestAzure({ timings: { groupDeleteMs: 60_000 } });
  let held = true;
  const clients = azure.connect({
    beforeRequest() {
      if (!held) throw new Error("the lease is lost");
    },
  });
  const call = clients.call(signal);
  await clients.resources.resourceGroups.createOrUpdate("g", { location }, call);
  const deletion = clients.resources.resourceGroups.delete("g", call);
  await deletion.submitted();
  held = false;
  await assert.rejects(deletion.pollUntilDone(call), /the lease is lost/);
});

test("abort ends the wait for an operation at once", async () => {
  await using azure = await startTestAzure({ timings: { groupDeleteMs: 60_000 } });
  const stop = new AbortController();
  const call = azure.clients.call(stop.signal);
  await azure.clients.resources.resourceGroups.createOrUpdate("g", { location }, call);
  const deletion = azure.clients.resources.resourceGroups.delete("g", call);
  await deletion.submitted();
  await deletion.poll(call);
  const startedAt = performance.now();
  setTimeout(() => stop.abort(), 20);
  await assert.rejects(deletion.pollUntilDone(call), { name: "AbortError" });
  assert.ok(performance.now() - startedAt < 30_000);
});

test("requests carry the correlation ID and are logged without tokens and secrets", async () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "trace", destination: { write: (line) => void lines.push(line) } });
  await using azure = await startTestAzure({ logger });
  const correlationId = "7d1a2b3c-0000-4000-8000-000000000001";
  const clients = azure.connect({ logger, correlationId });
  await clients.resources.resourceGroups.createOrUpdate("g", { location }, clients.call(signal));
  const token = await clients.getToken(signal);
  const text = lines.join("");
  assert.match(text, new RegExp(`"correlationId":"${correlationId}"`));
  assert.match(text, /"status":201/);
  assert.ok(!text.includes(token));
  assert.ok(!text.includes(clientSecret.reveal()));
});

test("an unreachable identity provider is distinguished from a refusal", async () => {
  await using azure = await startTestAzure();
  const nowhere = "https://127.0.0.1:1";
  const environment = {
    armEndpoint: nowhere,
    loginEndpoint: nowhere,
    audience: "https://management.azure.com/",
  };
  const clients = azure.connect({ environment });
  await assert.rejects(clients.getToken(signal), (error) => isCoded(error, "IdentityProviderUnavailable"));
});

test("no request is sent to an endpoint with an untrusted certificate", async () => {
  await using azure = await startTestAzure();
  const environment = {
    armEndpoint: azure.url,
    loginEndpoint: azure.url,
    audience: "https://management.azure.com/",
  };
  await assert.rejects(azure.connect({ environment }).getToken(signal), (error) =>
    isCoded(error, "IdentityProviderUnavailable"),
  );
});

test("connections of a principal that is signed in share its tokens", async () => {
  await using azure = await startTestAzure();
  let granted = 0;
  const tokens = signIn(
    { armEndpoint: azure.url, loginEndpoint: azure.url, audience: azure.url, caPem: azure.caPem },
    { tenantId, clientId, clientSecret },
  );
  const counting = {
    ...tokens,
    tokens: {
      getToken: (...asked: Parameters<typeof tokens.tokens.getToken>) => {
        granted++;
        return tokens.tokens.getToken(...asked);
      },
    },
  };
  const given = new Set<string>();
  for (let i = 0; i < 3; i++) given.add(await azure.connect({ credential: counting }).getToken(signal));
  assert.deepEqual([granted, given.size], [3, 1]);
});
