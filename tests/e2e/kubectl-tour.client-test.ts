/** Runs kubectl commands on a cluster of the service. Tests each available kubectl version because their requests differ. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import "reflect-metadata";
import { installedKubectls } from "@keelson/apiserver/testing";
import * as x509 from "@peculiar/x509";
import { accessTour } from "./kubectl-tour/access-tour.ts";
import { clusterTour } from "./kubectl-tour/cluster-tour.ts";
import { objectsTour } from "./kubectl-tour/objects-tour.ts";
import { podsTour } from "./kubectl-tour/pods-tour.ts";
import { type TourStep, words } from "./kubectl-tour/step.ts";
import { workloadsTour } from "./kubectl-tour/workloads-tour.ts";
import { Program, StateDirectory } from "./support/program.ts";

const binaries = installedKubectls();

interface Run {
  readonly code: number;
  readonly output: string;
}

function run(binary: string, args: readonly string[], options: { env: NodeJS.ProcessEnv; input: string }) {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const child = execFile(binary, args, { env: options.env, timeout: 900_000 }, (error, stdout, stderr) => {
    const code = typeof error?.code === "number" ? error.code : error ? -1 : 0;
    resolve({ code, output: stdout + stderr });
  });
  child.stdin?.on("error", () => undefined).end(options.input);
  return promise;
}

async function minorVersionOf(binary: string): Promise<number> {
  const { output } = await run(binary, ["version", "--client", "-o", "json"], { env: {}, input: "" });
  const { clientVersion }: { clientVersion: { minor: string } } = JSON.parse(output);
  return Number.parseInt(clientVersion.minor, 10);
}

async function certificateRequest(): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const import_ = (key: Buffer, kind: "pkcs8" | "spki", usage: "sign" | "verify") =>
    crypto.subtle.importKey(kind, key, { name: "ECDSA", namedCurve: "P-256" }, true, [usage]);
  const keys = {
    privateKey: await import_(privateKey.export({ format: "der", type: "pkcs8" }), "pkcs8", "sign"),
    publicKey: await import_(publicKey.export({ format: "der", type: "spki" }), "spki", "verify"),
  };
  const signingAlgorithm = { name: "ECDSA", hash: "SHA-256" };
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: "CN=visitor",
    keys,
    signingAlgorithm,
  });
  return Buffer.from(request.toString("pem")).toString("base64");
}

describe("a tour with kubectl", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  const kubeconfig = state.file("admin.kubeconfig");
  let program: Program;

  before(async () => {
    program = Program.start("up", "--state", state.path, "--ports", "auto");
    await program.says(/endpoints/);
    const { code, stdout, stderr } = await Program.run("kubeconfig", "demo", "--state", state.path);
    assert.equal(code, 0, stderr);
    writeFileSync(kubeconfig, stdout, { mode: 0o600 });
    writeFileSync(state.file("object.json"), '{ "kept": true }\n');
  });

  after(async () => {
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  for (const [index, { suite, path: binary }] of binaries.entries()) {
    test(`kubectl of Debian ${suite}`, async (t) => {
      const namespace = `tour-${suite}`;
      const minor = await minorVersionOf(binary);
      const base = { PATH: process.env.PATH, HOME: state.file(suite), KUBECONFIG: kubeconfig };
      const kubectl = (args: readonly string[], input = "", environment = {}) =>
        run(binary, args, { env: { ...base, ...environment }, input });
      const created = await kubectl(["create", "namespace", namespace]);
      assert.match(created.output, /created/);
      const workers = await kubectl(["get", "nodes", "-l", "node-role.kubernetes.io/worker", "-o", "name"]);
      const node = workers.output.trim().split("\n")[index % 3]?.replace("node/", "") ?? "";
      const fill = (text: string) =>
        text
          .replace(/\bNS\b/g, namespace)
          .replace(/\bNODE\b/g, node)
          .replace(/\bFOLDER\b/g, state.path);
      const take = async (step: TourStep) => {
        const { input = "" } = step;
        const text = typeof input === "string" ? input : JSON.stringify(input);
        const args = ["-n", namespace, ...words(fill(step.command))];
        const { code, output } = await kubectl(args, fill(text), step.environment);
        const shown = `kubectl ${fill(step.command)}\n${output}`;
        if (step.says) assert.match(output, new RegExp(fill(step.says.source), step.says.flags), shown);
        if (step.saysNot) assert.doesNotMatch(output, step.saysNot, shown);
        assert.equal(code, step.code ?? 0, shown);
      };
      const group = `${suite}.tour.test`;
      const parts: Readonly<Record<string, readonly TourStep[]>> = {
        objects: objectsTour,
        access: accessTour,
        workloads: workloadsTour,
        pods: podsTour,
        cluster: clusterTour(group, await certificateRequest()),
      };
      for (const [part, steps] of Object.entries(parts)) {
        for (const step of steps) {
          if (minor < (step.since ?? 0) || minor > (step.until ?? Number.POSITIVE_INFINITY)) continue;
          await t.test(`${part}: ${step.command}`, () => take(step));
        }
      }
      await t.test("watching prints a row for each change", async () => {
        const watching = kubectl(["-n", namespace, "get", "configmaps", "-w", "--request-timeout=4s"]);
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        await kubectl(["-n", namespace, "create", "configmap", "watched", "--from-literal=a=1"]);
        await kubectl(["-n", namespace, "delete", "configmap", "watched"]);
        const { output } = await watching;
        assert.ok(output.split("\n").filter((row) => /^watched\s/.test(row)).length >= 2, output);
      });
      const removed = await kubectl(["delete", "namespace", namespace, "--timeout=60s"]);
      assert.equal(removed.code, 0, removed.output);
    });
  }
});
