import assert from "node:assert/strict";
import { test } from "node:test";
import type { MirrorOptions } from "./mirror-options.ts";
import { failuresOf, type MirrorReport } from "./report.ts";
import { respond, serveHttps, testAuthority } from "./testing/https-server.ts";
import {
  mirror,
  quickAttempts,
  serveGraph,
  temporaryDirectory,
  testSettings,
} from "./testing/mirror-setup.ts";
import { TestRegistry } from "./testing/test-registry.ts";

interface Releases {
  readonly source: TestRegistry;
  readonly target: TestRegistry;
  readonly run: (versions: readonly string[], more?: Partial<MirrorOptions>) => Promise<MirrorReport>;
}

const payloads = "openshift-release-dev/ocp-release";
const parts = "openshift-release-dev/ocp-v4.0-art-dev";

/**
 * Creates two registries and a graph with one release per version. Each release has two images. All releases share one of their
 * images.
 */
async function withReleases(
  versions: readonly string[],
  use: (releases: Releases) => Promise<void>,
  {
    more = [],
    failing,
  }: { readonly more?: readonly object[]; readonly failing?: (path: string) => boolean } = {},
): Promise<void> {
  await using source = await TestRegistry.start({
    fault: ({ url = "" }) => (failing?.(url) ? { status: 403, message: "not for you" } : undefined),
  });
  await using target = await TestRegistry.start();
  using directory = temporaryDirectory();
  const shared = source.store.addImage(parts, [90_000]);
  const nodes: object[] = [];
  for (const [index, version] of versions.entries()) {
    const own = source.store.addImage(parts, [20_000]);
    const images = [shared, own].map(({ digest }) => `${source.host}/${parts}@${digest}`);
    const { digest } = await source.store.addPayload(payloads, images, index % 2 === 0);
    nodes.push({ version, payload: `registry.ci.openshift.org/ocp/release@${digest}`, metadata: {} });
  }
  await using graph = await serveGraph([...nodes, ...more]);
  const { certificatePem: caPem } = await testAuthority();
  const run = async (asked: readonly string[], options: Partial<MirrorOptions> = {}) =>
    mirror({
      destination: target.host,
      registries: { [source.host]: await testSettings(), [target.host]: await testSettings() },
      versions: asked,
      graph: {
        url: `https://${graph.host}/graph`,
        caPem,
        repositories: { "registry.ci.openshift.org/ocp/release": `${source.host}/${payloads}` },
      },
      stateDirectory: directory.path,
      ...options,
    });
  await use({ source, target, run });
}

test("final releases of major 4 in the graph are mirrored from the oldest supported one on", () =>
  withReleases(["4.11.9", "4.12.0", "4.13.0-rc.1", "5.0.0"], async ({ source, target, run }) => {
    const report = await run([]);
    assert.deepEqual(failuresOf(report), []);
    assert.deepEqual(
      report.releases.map(({ version, images }) => [version, images]),
      [["4.12.0", 3]],
    );
    const repositories = new Set([...target.store.manifests.keys()].map((name) => name.split(/[@:]/)[0]));
    assert.deepEqual(repositories, new Set([payloads, parts]));
    for (const [name, { content }] of target.store.manifests)
      assert.deepEqual(content, source.store.manifests.get(name)?.content);
  }));

test("an unsupported major is rejected before anything is read or copied", () =>
  withReleases(["4.12.0", "5.0.0"], async ({ source, target, run }) => {
    await assert.rejects(run(["4.12.0", "5.0.0"]), {
      code: "UnsupportedVersion",
      message: "refusing to mirror unsupported OpenShift major version 5",
    });
    assert.deepEqual([source.requests, target.requests], [[], []]);
    await assert.rejects(run(["4.8.8"]), { code: "UnsupportedVersion" });
    await assert.rejects(run(["four"]), { code: "UnknownVersion" });
    await assert.rejects(run(["4.99.0"]), {
      code: "UnknownVersion",
      message: "the release graph does not have 4.99.0",
    });
  }));

test("requested versions are found in the graph, including older ones, candidates and latest", () =>
  withReleases(["4.11.9", "4.13.0-rc.1", "4.19.24", "4.12.0"], async ({ run }) => {
    const report = await run(["4.13.0-rc.1", "LATEST", "4.11.9", "4.11.9"]);
    assert.deepEqual(failuresOf(report), []);
    assert.deepEqual(
      report.releases.map(({ version }) => version),
      ["4.11.9", "4.13.0-rc.1", "4.19.24"],
    );
    // Three payload images, one image that all releases share, and one further image of each release.
    assert.equal(report.images.length, 3 + 1 + 3);
  }));

test("releases that the rules leave out are reported with the reason, unless versions are named", () =>
  withReleases(["4.8.8", "4.11.9", "4.12.0", "4.13.0-rc.1", "5.0.0"], async ({ run }) => {
    const { skippedNodes } = await run([], { dryRun: true });
    assert.deepEqual(skippedNodes, [
      { version: "4.8.8", reason: 'it is on the list "deny"' },
      { version: "4.11.9", reason: "it is older than 4.12.0" },
      { version: "4.13.0-rc.1", reason: "it is a candidate" },
      { version: "5.0.0", reason: "major version 5 is not supported" },
    ]);
    assert.deepEqual((await run(["4.12.0"], { dryRun: true })).skippedNodes, []);
  }));

test("the graph is requested again after 503, 429 and a broken connection, six times as each registry", () =>
  withReleases(["4.12.0"], async ({ source, run }) => {
    const { certificatePem: caPem } = await testAuthority();
    const node = { version: "4.12.0", payload: `${source.host}/${payloads}@sha256:${"0".repeat(64)}` };
    let requests = 0;
    let failing = 3;
    await using graph = await serveHttps(async (request, response) => {
      requests++;
      if (requests > failing) {
        const type = { "content-type": "application/vnd.redhat.cincinnati.graph+json" };
        return respond(response, 200, type, JSON.stringify({ nodes: [node] }));
      }
      if (requests === 1) return respond(response, 503, { "retry-after": "0" });
      if (requests === 2) return respond(response, 429);
      request.socket.destroy();
    });
    const options = { graph: { url: `https://${graph.host}/graph`, caPem, repositories: {} } };
    const report = await run([], options);
    assert.equal(requests, 4);
    assert.deepEqual(
      report.releases.map(({ version }) => version),
      ["4.12.0"],
    );
    [requests, failing] = [0, 100];
    await assert.rejects(run([], options), { code: "RegistryUnavailable" });
    assert.equal(requests, quickAttempts.attempts);
  }));

test("a graph and a registry behind an unknown authority name the field for it", () =>
  withReleases(["4.12.0"], async ({ source, run }) => {
    await using graph = await serveGraph([]);
    const url = `https://${graph.host}/graph`;
    await assert.rejects(run([], { graph: { url, repositories: {} } }), /Set graph\.caFile to the PEM file/);
    const { caPem: _, ...settings } = await testSettings();
    const report = await run([], { registries: { [source.host]: settings } });
    const [failure] = failuresOf(report);
    assert.match(failure?.message ?? "", /Set registries\["localhost:\d+"\]\.caFile to the PEM file/);
  }));

test("latest alone is mirrored without the graph", () =>
  withReleases(["4.12.0"], async ({ source, target, run }) => {
    const image = source.store.addImage(parts, [20_000]);
    const { digest } = await source.store.addPayload(payloads, [`${source.host}/${parts}@${image.digest}`]);
    const report = await run(["latest"], {
      graph: { url: "https://localhost:1/graph", repositories: {} },
      latestPayload: `${source.host}/${payloads}@${digest}`,
    });
    assert.deepEqual(failuresOf(report), []);
    assert.deepEqual(
      report.releases.map(({ version }) => version),
      ["4.19.24"],
    );
    assert.ok(target.store.manifests.has(`${payloads}@${digest}`));
  }));

test("unusable nodes are reported, and the others are mirrored", () =>
  withReleases(
    ["4.12.0"],
    async ({ run }) => {
      const report = await run([]);
      assert.deepEqual(failuresOf(report), []);
      assert.deepEqual(
        report.skippedNodes.map(({ version }) => version),
        ["nightly", "4.12.1", "a node without version", "4.12.0", "4.12.2"],
      );
    },
    {
      more: [
        { version: "nightly", payload: "quay.io/a@sha256:1" },
        { version: "4.12.1", payload: "not an image!" },
        {},
        { version: "4.12.0", payload: "quay.io/a:b" },
        { version: "4.12.2" },
      ],
    },
  ));

test("a failed image is named, and all others arrive except the payload of its release", () => {
  let bad = "";
  return withReleases(
    ["4.12.0", "4.13.0"],
    async ({ source, target, run }) => {
      const images = [...source.store.manifests.keys()].filter((name) => name.startsWith(`${parts}@`));
      bad = images[1]?.split("@")[1] ?? "";
      const report = await run([]);
      const failures = failuresOf(report);
      assert.deepEqual(
        failures.map(({ subject, code }) => [subject, code]),
        [
          [`${source.host}/${parts}@${bad}`, "RegistryRefused"],
          ["release 4.12.0", "ReleaseIncomplete"],
        ],
      );
      assert.match(failures[0]?.message ?? "", /403: UNKNOWN: not for you/);
      const [first, second] = report.releases;
      assert.deepEqual([first?.failed, second?.failed], [1, 0]);
      const arrived = [...target.store.manifests.keys()].filter((name) => name.startsWith(`${payloads}@`));
      assert.deepEqual(arrived, [second?.payload.replace(`${source.host}/`, "")]);
      bad = "";
      assert.deepEqual(failuresOf(await run([])), []);
    },
    { failing: (path) => bad !== "" && path.endsWith(bad) },
  );
});

test("a payload that names an unconfigured registry causes no request to it", () =>
  withReleases([], async ({ source, run }) => {
    const { digest } = await source.store.addPayload(payloads, [
      `169.254.169.254/latest/meta-data@sha256:${"0".repeat(64)}`,
    ]);
    await using graph = await serveGraph([
      { version: "4.12.0", payload: `${source.host}/${payloads}@${digest}` },
    ]);
    const { certificatePem: caPem } = await testAuthority();
    const report = await run([], { graph: { url: `https://${graph.host}`, caPem, repositories: {} } });
    assert.equal(failuresOf(report)[0]?.code, "HostNotAllowed");
  }));

test("a dry run reports the images to copy, and changes nothing", () =>
  withReleases(["4.12.0"], async ({ target, run }) => {
    const dry = await run([], { dryRun: true });
    assert.deepEqual(failuresOf(dry), []);
    assert.deepEqual(new Set(dry.images.map(({ status }) => status)), new Set(["missing"]));
    assert.ok(dry.images.every(({ bytes }) => bytes > 5_000));
    assert.deepEqual(
      dry.releases.map(({ missing, images }) => [missing, images]),
      [[3, 3]],
    );
    assert.ok(target.requests.every((line) => line.startsWith("HEAD ")));
    await run([]);
    const after = await run([], { dryRun: true });
    assert.deepEqual(new Set(after.images.map(({ status }) => status)), new Set(["present"]));
    assert.equal(after.releases[0]?.missing, 0);
  }));

test("layers shared by several repositories are mounted within the registry", async () => {
  await using source = await TestRegistry.start();
  await using target = await TestRegistry.start();
  using directory = temporaryDirectory();
  const layer = Buffer.alloc(150_000, 7);
  for (const name of ["a", "b", "c"]) source.store.addImage(name, [layer], "v1");
  const report = await mirror({
    destination: target.host,
    registries: { [source.host]: await testSettings(), [target.host]: await testSettings() },
    images: ["a", "b", "c"].map((name) => `${source.host}/${name}:v1`),
    stateDirectory: directory.path,
  });
  assert.deepEqual(failuresOf(report), []);
  assert.deepEqual(target.store.contents(), source.store.contents());
  assert.equal(target.uploads.mounts, 2);
});
