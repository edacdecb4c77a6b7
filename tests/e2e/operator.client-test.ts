/** Runs the commands in the original operator's README with an unmodified kubectl. The operator's pods run as real processes. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { eventually } from "./support/eventually.ts";
import { Program, StateDirectory } from "./support/program.ts";

const run = promisify(execFile);
const main = new URL("../../cmd/keelson/src/main.ts", import.meta.url).pathname;

describe("the operator's pods", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  const kubeconfig = state.file("demo.kubeconfig");
  let program: Program;
  before(async () => {
    program = Program.start("up", "--state", state.path, "--ports", "auto", "--operators", "process");
    await program.says(/endpoints/);
  });
  after(async () => {
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  const flags = ["--kubeconfig", kubeconfig, "--cache-dir", state.file("kubectl-cache")];
  const kubectl = async (...args: string[]) => (await run("kubectl", [...flags, ...args])).stdout;
  const inNamespace = (...args: string[]) => kubectl("-n", "openshift-azure-operator", ...args);

  test("get all: both roles run", () =>
    eventually(async () => {
      const text = await inNamespace("get", "all");
      for (const role of ["master", "worker"])
        assert.match(text, new RegExp(`^pod/aro-operator-${role}-\\S+ +1/1 +Running`, "m"));
      assert.match(text, /^service\/aro-operator-master +ClusterIP/m);
    }));

  test("get the Cluster: every condition is set", () =>
    eventually(async () => {
      const text = await kubectl("get", "clusters.aro.openshift.io/cluster", "-o", "yaml");
      for (const type of ["InternetReachableFromMaster", "MachineValid", "RBACControllerDegraded"])
        assert.match(text, new RegExp(`type: ${type}\\b`));
    }));

  test("logs: the master reports that it is the leader", () =>
    eventually(async () => {
      assert.match(
        await inNamespace("logs", "deployment.apps/aro-operator-master"),
        /level=info msg=leading/,
      );
    }));

  test("scaled to 0, it runs outside of the cluster", async () => {
    await inNamespace("scale", "deployment/aro-operator-master", "--replicas=0");
    await eventually(async () =>
      assert.doesNotMatch(await inNamespace("get", "pods"), /aro-operator-master/),
    );
    const args = ["--disable-warning=ExperimentalWarning", main, "operator", "master"];
    const ports = ["--host", "127.0.0.1", "--health-port", "0", "--metrics-port", "0"];
    const child = spawn(process.execPath, [...args, ...ports], {
      env: { ...process.env, KUBECONFIG: kubeconfig },
      stdio: "ignore",
    });
    try {
      await kubectl("delete", "clusterrole", "system:aro-sre");
      await eventually(async () => void (await kubectl("get", "clusterrole", "system:aro-sre")));
    } finally {
      child.kill("SIGTERM");
      assert.deepEqual(await once(child, "exit"), [0, null]);
    }
  });
});
