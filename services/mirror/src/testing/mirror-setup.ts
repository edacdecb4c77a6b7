import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@keelson/base";
import type { MirrorOptions, RegistrySettings } from "../mirror-options.ts";
import type { MirrorReport } from "../report.ts";
import { runMirror } from "../run-mirror.ts";
import { respond, serveHttps, type TestServer, testAuthority } from "./https-server.ts";

const graphType = "application/vnd.redhat.cincinnati.graph+json";

/** Starts a server with a release graph of these nodes. */
export function serveGraph(nodes: readonly object[]): Promise<TestServer> {
  const body = JSON.stringify({ nodes, edges: [], conditionalEdges: [] });
  return serveHttps(async (_, response) => respond(response, 200, { "content-type": graphType }, body));
}

/** Returns the settings for a test registry. */
export async function testSettings(more: Partial<RegistrySettings> = {}): Promise<RegistrySettings> {
  const { certificatePem: caPem } = await testAuthority();
  return { credential: { kind: "anonymous" }, authHosts: [], redirectHosts: [], caPem, ...more };
}

/** Creates a state directory that is deleted at the end of the scope. */
export function temporaryDirectory(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "keelson-mirror-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export const quickAttempts = { attempts: 4, firstMs: 1, factor: 1, maxMs: 1, jitter: 0 };

/** Runs a mirror with small chunks and short delays. */
export async function mirror(
  options: Pick<MirrorOptions, "destination" | "registries" | "stateDirectory"> & Partial<MirrorOptions>,
): Promise<MirrorReport> {
  return runMirror({
    images: [],
    versions: undefined,
    latest: "4.19.24",
    latestPayload: "localhost:1/ocp/release:4.19.24-x86_64",
    rules: { minimum: "4.12.0", deny: ["4.8.8"] },
    graph: { url: "https://localhost:1/graph", repositories: {} },
    signatures: [],
    limits: { parallelImages: 4, parallelBlobs: 3, chunkBytes: 64 * 1024, attempts: quickAttempts },
    dryRun: false,
    userAgent: "keelson-mirror-test",
    clock: systemClock,
    onEvent: () => {},
    signal: AbortSignal.timeout(900_000),
    ...options,
  });
}
