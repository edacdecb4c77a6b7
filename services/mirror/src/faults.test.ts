import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Secret } from "@keelson/base";
import type { MirrorOptions } from "./mirror-options.ts";
import { type Failure, failuresOf } from "./report.ts";
import { respond, serveHttps } from "./testing/https-server.ts";
import { mirror, temporaryDirectory, testSettings } from "./testing/mirror-setup.ts";
import { sendBlob, TestRegistry, type TestRegistryOptions } from "./testing/test-registry.ts";

interface Outcome {
  readonly failures: readonly Failure[];
  readonly source: TestRegistry;
  readonly target: TestRegistry;
  readonly sleeps: readonly number[];
}

/** Mirrors one image with three layers and injects the given faults at the source and at the destination. */
async function mirrorWith(
  {
    source = {},
    target = {},
    options = {},
  }: {
    readonly source?: TestRegistryOptions;
    readonly target?: TestRegistryOptions;
    readonly options?: Partial<MirrorOptions>;
  },
  use: (outcome: Outcome) => void | Promise<void>,
): Promise<void> {
  await using from = await TestRegistry.start(source);
  await using to = await TestRegistry.start(target);
  using directory = temporaryDirectory();
  from.store.addImage("a/b", [100, 150_000, 70_000], "v1");
  const sleeps: number[] = [];
  const clock = {
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    sleep: async (ms: number) => void sleeps.push(ms),
  };
  const report = await mirror({
    destination: to.host,
    registries: { [from.host]: await testSettings(), [to.host]: await testSettings() },
    images: [`${from.host}/a/b:v1`],
    stateDirectory: directory.path,
    clock,
    ...options,
  });
  await use({ failures: failuresOf(report), source: from, target: to, sleeps });
}

/** Returns a function that returns `fault` for the first `times` matching requests. */
function first<T>(times: number, matches: (line: string) => boolean, fault: T) {
  let left = times;
  return ({ method, url }: { readonly method?: string | undefined; readonly url?: string | undefined }) =>
    matches(`${method} ${url}`) && left-- > 0 ? fault : undefined;
}

const arrived = ({ failures, source, target }: Outcome) => {
  assert.deepEqual(failures, []);
  assert.deepEqual(target.store.contents(), source.store.contents());
};

test("a 429 is retried after the registry's Retry-After", () => {
  const limited = { status: 429, headers: { "retry-after": "7" } };
  const fault = first(2, (line) => line.includes("/blobs/sha256"), limited);
  return mirrorWith({ source: { fault } }, (outcome) => {
    arrived(outcome);
    assert.deepEqual(outcome.sleeps.slice(0, 2), [7_000, 7_000]);
  });
});

test("500 of source and destination is retried", () =>
  mirrorWith(
    {
      source: { fault: first(3, () => true, { status: 500 }) },
      target: { fault: first(3, () => true, { status: 503 }) },
    },
    arrived,
  ));

test("a permanent 500 fails with the registry's message", () =>
  mirrorWith(
    {
      source: {
        fault: first(1_000, (line) => line.startsWith("GET") && line.includes("/blobs/"), {
          status: 500,
          message: "storage is down",
        }),
      },
    },
    ({ failures, target }) => {
      assert.equal(failures.length, 1);
      assert.equal(failures[0]?.code, "RegistryUnavailable");
      assert.match(
        failures[0]?.message ?? "",
        /^GET localhost:\d+\/v2\/a\/b\/blobs\/sha256:\w+ was answered with 500: UNKNOWN: storage is down$/,
      );
      assert.equal(target.store.manifests.size, 0);
    },
  ));

test("a full disk of the destination fails with the registry's message", () =>
  mirrorWith(
    {
      target: {
        fault: first(1_000, (line) => line.startsWith("PATCH"), {
          status: 500,
          message: "no space left on device",
        }),
      },
    },
    ({ failures, target }) => {
      assert.match(failures[0]?.message ?? "", /no space left on device/);
      assert.equal(target.store.manifests.size, 0);
    },
  ));

test("broken transfers resume at the last byte", () =>
  mirrorWith(
    {
      source: {
        fault: first(6, (line) => line.startsWith("GET") && line.includes("/blobs/"), { breakAfter: 66_000 }),
      },
    },
    (outcome) => {
      arrived(outcome);
      assert.equal(
        outcome.target.uploads.taken,
        [...outcome.source.store.blobs.values()].reduce((sum, { length }) => sum + length, 0),
      );
    },
  ));

test("a truncated blob is not accepted", () =>
  mirrorWith(
    {
      source: {
        fault: first(1_000, (line) => line.startsWith("GET") && line.includes("/blobs/"), { endAfter: 50 }),
      },
    },
    ({ failures, target }) => {
      assert.equal(failures[0]?.code, "BlobTruncated");
      assert.match(failures[0]?.message ?? "", /ended after 50 of \d+ bytes|cannot be read from byte 50 on/);
      assert.equal(target.store.blobs.size, 0);
    },
  ));

test("altered content is rejected and not stored at the destination", () =>
  mirrorWith(
    {
      source: {
        fault: first(1_000, (line) => line.startsWith("GET") && line.includes("/blobs/"), { corrupt: true }),
      },
    },
    ({ failures, target }) => {
      assert.equal(failures[0]?.code, "DigestMismatch");
      assert.match(failures[0]?.message ?? "", /has the digest sha256:\w+: the registry gave something else/);
      assert.equal(target.store.blobs.size, 0);
    },
  ));

test("altered content is fetched again", () =>
  mirrorWith(
    {
      source: {
        fault: first(2, (line) => line.startsWith("GET") && line.includes("/blobs/"), { corrupt: true }),
      },
    },
    arrived,
  ));

test("an upload that the registry has dropped starts again", () =>
  mirrorWith({ target: { fault: first(2, (line) => line.startsWith("PATCH"), { status: 404 }) } }, arrived));

test("403 is final, and named", () =>
  mirrorWith(
    { target: { fault: first(1, (line) => line.startsWith("POST"), { status: 403, message: "quota" }) } },
    ({ failures, sleeps }) => {
      assert.equal(failures[0]?.code, "RegistryRefused");
      assert.deepEqual(sleeps, []);
    },
  ));

test("an unresponsive destination is named", () =>
  mirrorWith({ options: { destination: "localhost:1", registries: {} } }, ({ failures }) => {
    assert.equal(failures[0]?.code, "HostNotAllowed");
    assert.match(failures[0]?.message ?? "", /registry localhost:\d+ is not one of the configuration/);
  }));

test("a read-only state directory is named before anything is copied", async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "file");
  writeFileSync(file, "");
  const run = mirrorWith({ options: { stateDirectory: join(file, "state") } }, () => assert.fail());
  await assert.rejects(run, { code: "StateUnusable", message: /file\/state cannot be written: ENOTDIR/ });
});

test("downloads are redirected only to listed hosts, without credentials", async () => {
  const seen: (string | undefined)[] = [];
  const access = { kind: "basic", username: "u", password: "p" } as const;
  let from: TestRegistry | undefined;
  await using storage = await serveHttps(async (request, response) => {
    seen.push(request.headers.authorization);
    const content = from?.store.blobs.get((request.url ?? "").slice(1));
    return content ? sendBlob(request, response, content, undefined) : respond(response, 404);
  });
  await using source = await TestRegistry.start({ access, redirectBlobs: `https://${storage.host}/` });
  from = source;
  await using target = await TestRegistry.start();
  using directory = temporaryDirectory();
  source.store.addImage("a", [1_000, 70_000], "v1");
  const credential = { kind: "password", username: "u", password: new Secret("p") } as const;
  const run = async (redirectHosts: readonly string[]) =>
    mirror({
      destination: target.host,
      registries: {
        [source.host]: await testSettings({ credential, redirectHosts }),
        [target.host]: await testSettings(),
      },
      images: [`${source.host}/a:v1`],
      stateDirectory: directory.path,
    });
  const [refused] = failuresOf(await run([]));
  assert.equal(refused?.code, "HostNotAllowed");
  assert.match(refused?.message ?? "", /registries\["localhost:\d+"\]\.redirectHosts/);
  assert.deepEqual(seen, []);
  assert.deepEqual(failuresOf(await run([storage.host])), []);
  assert.deepEqual(new Set(seen), new Set([undefined]));
  assert.deepEqual(target.store.contents(), source.store.contents());
});
