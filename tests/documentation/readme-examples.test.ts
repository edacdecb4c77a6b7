/**
 * Compiles the TypeScript in every package's README as a reader would, so that names, options and types exist.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";

const root = resolve(import.meta.dirname, "../..");

/**
 * Names that examples use from their context. Everything else is imported, so that a reader can import it, too.
 */
const given = {
  clock: 'import("@keelson/base").Clock',
  logger: 'import("@keelson/base").Logger',
  metrics: 'import("@keelson/base").Metrics',
  signal: "AbortSignal",
  draining: "AbortSignal",
  kube: 'import("@keelson/kube").KubeClient',
  subscriptionId: "string",
  tenantId: "string",
  clientId: "string",
};

/**
 * Names for one package only. The reader supplies them, or the sentence next to the example describes them.
 */
const givenIn: Readonly<Record<string, readonly string[]>> = {
  "clients/typescript": ["body"],
  "libraries/admin-actions": ["environment", "document"],
  "libraries/auth": [
    "authorityPems",
    "issuer",
    "audience",
    "keysUrl",
    "geneva",
    "peerCertificates",
    "peerVerified",
    "header",
  ],
  "libraries/azure": ["clientSecret", "lease", "correlationId"],
  "libraries/base": ["print"],
  "libraries/cluster": ["database", "environment", "stored", "operationId", "subscription", "guard"],
  "libraries/controller": ["differs", "api", "instance", "deps"],
  "libraries/installers": ["graphKey", "context"],
  "libraries/kube": ["kubeconfig"],
  "libraries/openapi": ["body"],
  "libraries/portal-sessions": ["cluster", "database"],
  "operators/aro": ["version", "instance", "environment"],
  "services/backend": ["database", "environment"],
  "services/deploy": ["signIn", "environment", "principal", "report"],
  "services/gateway": ["database"],
  "services/maintenance": ["database", "environment"],
  "services/mirror": ["text", "credentials", "readFile", "stateFolder", "userAgent", "onEvent"],
  "services/monitor": ["database", "environment", "buildId", "clusterSink"],
  "services/portal": ["database", "tls", "url", "signIn", "assets"],
  "simulators/azure": ["tls", "clientSecret", "adminToken"],
  "simulators/console": ["tls", "token", "world"],
  "simulators/openshift": ["tls", "storage", "adminToken", "caPem"],
  "simulators/store": ["replay", "configMap", "owner"],
};

/** Excerpts of files with omissions. */
const excerpts = new Set(["operators/aro 2"]);

test("the examples of all READMEs compile", { timeout: 900_000 }, async () => {
  // Below the repository, so that package names resolve to its own code.
  mkdirSync(join(root, ".tools"), { recursive: true });
  const folder = mkdtempSync(join(root, ".tools/readme-examples-"));
  try {
    const seen = new Set<string>();
    for (const path of globSync("{cmd,services,operators,libraries,simulators,clients}/*/README.md", {
      cwd: root,
    })) {
      const owner = dirname(path);
      const blocks = [...readFileSync(join(root, path), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)];
      for (const [at, [, code = ""]] of blocks.entries()) {
        const name = `${owner} ${at + 1}`;
        if (excerpts.has(name)) continue;
        seen.add(owner);
        const declared = (givenIn[owner] ?? []).map((each) => `declare const ${each}: any;`).join(" ");
        // Prepended to the first line, so that the compiler's line numbers match the example.
        writeFileSync(
          join(folder, `${name.replaceAll("/", "_").replace(" ", ".")}.ts`),
          `${declared} export {};\n${code}`,
        );
      }
    }
    // Declared globally, so that an example can declare the same name itself.
    const globals = Object.entries(given).map(([name, type]) => `declare const ${name}: ${type};`);
    writeFileSync(join(folder, "given.d.ts"), globals.join("\n"));
    assert.ok(seen.size > 25, `${seen.size} READMEs with examples`);
    assert.deepEqual(
      Object.keys(givenIn).filter((owner) => !seen.has(owner)),
      [],
    );
    const compilerOptions = {
      noUnusedLocals: false,
      noUnusedParameters: false,
      lib: ["esnext"],
      jsx: "react-jsx",
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include: ["*.ts"] }),
    );
    // Unchanged sources are not checked again. Each run works on a copy, because runs may overlap.
    const kept = join(root, ".tools/readme-examples.tsbuildinfo");
    const state = join(folder, "state.tsbuildinfo");
    if (isCurrent(kept)) copyFileSync(kept, state);
    const output = await new Promise<string>((done) => {
      execFile(
        join(root, "node_modules/.bin/tsc"),
        ["-p", folder, "--pretty", "false", "--incremental", "--tsBuildInfoFile", state],
        { cwd: folder },
        (_, stdout, stderr) => done(stdout + stderr),
      );
    });
    assert.equal(output, "");
    renameSync(state, kept);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/**
 * True if the compiler's state is newer than the compiler options, because the compiler does not detect their
 * changes.
 */
function isCurrent(state: string): boolean {
  const modifiedMs = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return (
    modifiedMs(state) > Math.max(modifiedMs(join(root, "tsconfig.json")), modifiedMs(import.meta.filename))
  );
}
