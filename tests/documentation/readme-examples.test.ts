/** Compiles the TypeScript examples in every package's README. The compilation verifies names, options and types. */
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

/** Names that examples may use without an import. Readers must be able to import all other names. */
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
 * Additional names for examples of one package. Readers of the README must define these names themselves, or the text next to the
 * example describes them.
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
  "services/mirror": ["text", "credentials", "readFile", "stateDirectory", "userAgent", "onEvent"],
  "services/monitor": ["database", "environment", "buildId", "clusterSink"],
  "services/portal": ["database", "tls", "url", "signIn", "assets"],
  "simulators/azure": ["tls", "clientSecret", "adminToken"],
  "simulators/console": ["tls", "token", "world"],
  "simulators/openshift": ["tls", "storage", "adminToken", "caPem"],
  "simulators/store": ["replay", "configMap", "owner"],
};

/** Incomplete examples, which are not compiled. */
const excerpts = new Set(["operators/aro 2"]);

test("the examples of all READMEs compile", { timeout: 900_000 }, async () => {
  // The directory is inside the repository, so that package names resolve to the repository's code.
  mkdirSync(join(root, ".tools"), { recursive: true });
  const directory = mkdtempSync(join(root, ".tools/readme-examples-"));
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
        // Added to the first line, so that the compiler's line numbers match the example.
        writeFileSync(
          join(directory, `${name.replaceAll("/", "_").replace(" ", ".")}.ts`),
          `${declared} export {};\n${code}`,
        );
      }
    }
    // Global declarations, because an example may declare the same name itself.
    const globals = Object.entries(given).map(([name, type]) => `declare const ${name}: ${type};`);
    writeFileSync(join(directory, "given.d.ts"), globals.join("\n"));
    assert.ok(seen.size > 25, `${seen.size} READMEs with examples`);
    assert.deepEqual(
      Object.keys(givenIn).filter((owner) => !seen.has(owner)),
      [],
    );
    writeFileSync(
      join(directory, "tsconfig.json"),
      JSON.stringify({ extends: "../../tsconfig.json", include: ["*.ts"] }),
    );
    // The build information avoids repeated checks of unchanged sources. The first run uses the information of the type check,
    // which has the same compiler options. Each run uses a copy because runs may overlap. The copy is in the same directory because
    // the information contains relative paths.
    const kept = join(root, ".tools/readme-examples.tsbuildinfo");
    const state = `${directory}.tsbuildinfo`;
    const checked = [kept, join(root, ".tools/types-tsconfig.json.tsbuildinfo")].find(isCurrent);
    if (checked !== undefined) copyFileSync(checked, state);
    const output = await new Promise<string>((done) => {
      execFile(
        join(root, "node_modules/.bin/tsc"),
        ["-p", directory, "--pretty", "false", "--incremental", "--tsBuildInfoFile", state],
        { cwd: directory },
        (_, stdout, stderr) => done(stdout + stderr),
      );
    });
    assert.deepEqual(
      output.split("\n").filter((line) => line !== "" && !unused.test(line)),
      [],
    );
    renameSync(state, kept);
  } finally {
    rmSync(directory, { recursive: true });
    rmSync(`${directory}.tsbuildinfo`, { force: true });
  }
});

/** Errors about unused declarations. Many examples declare values only to show a type or a call. */
const unused = /: error TS(?:6133|6192|6196|6198):/;

/** True if the build information is newer than the compiler options. The compiler does not detect changed options. */
function isCurrent(state: string): boolean {
  const modifiedMs = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return (
    modifiedMs(state) > Math.max(modifiedMs(join(root, "tsconfig.json")), modifiedMs(import.meta.filename))
  );
}
