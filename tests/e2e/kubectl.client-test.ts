/** Tests an unmodified kubectl with a kubeconfig from the service. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { Program, StateDirectory } from "./support/program.ts";

const run = promisify(execFile);

describe("kubectl", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  const kubeconfig = state.file("admin.kubeconfig");
  let program: Program;

  before(async () => {
    program = Program.start("up", "--state", state.path, "--ports", "auto");
    await program.says(/endpoints/);
    const { code, stdout, stderr } = await Program.run("kubeconfig", "demo", "--state", state.path);
    assert.equal(code, 0, stderr);
    writeFileSync(kubeconfig, stdout, { mode: 0o600 });
  });

  after(async () => {
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  const flags = ["--kubeconfig", kubeconfig, "--cache-dir", state.file("kubectl-cache")];
  const kubectl = async (...args: string[]) => (await run("kubectl", [...flags, ...args])).stdout;

  test("get nodes: three masters and three workers, Ready", async () => {
    const rows = (await kubectl("get", "nodes", "--no-headers"))
      .trim()
      .split("\n")
      .map((row) => row.split(/\s+/));
    assert.equal(rows.length, 6);
    assert.ok(rows.every((row) => row[1] === "Ready"));
    assert.equal(rows.filter((row) => row[2]?.includes("master")).length, 3);
    assert.equal(rows.filter((row) => row[2]?.includes("worker")).length, 3);
  });

  test("get clusterversion,clusteroperators: the version is there and everything is available", async () => {
    const text = await kubectl("get", "clusterversion,clusteroperators");
    assert.match(text, /clusterversion\S*\/version\s+4\.\d+\.\d+\s+True\s+False/);
    const operators = text.split("\n").filter((row) => /^clusteroperator\S*\//.test(row));
    assert.ok(operators.length >= 25, `${operators.length} operators`);
    for (const row of operators) assert.match(row, /\s4\.\d+\.\d+\s+True\s+False\s+False\s/);
  });

  test("apply, again, changed; then delete", async () => {
    const file = state.file("configmap.yaml");
    const apply = async (value: string) => {
      const text = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: applied\n  namespace: default\ndata:\n  a: ${value}\n`;
      writeFileSync(file, text);
      return (await kubectl("apply", "-f", file)).trim();
    };
    assert.equal(await apply("one"), "configmap/applied created");
    assert.equal(await apply("one"), "configmap/applied unchanged");
    assert.equal(await apply("two"), "configmap/applied configured");
    assert.equal(await kubectl("get", "configmap", "applied", "-o", "jsonpath={.data.a}"), "two");
    assert.equal((await kubectl("delete", "-f", file)).trim(), 'configmap "applied" deleted');
    await assert.rejects(kubectl("get", "configmap", "applied"), /NotFound/);
  });

  test("create configmap, patch it in three ways", async () => {
    assert.equal(
      (await kubectl("create", "configmap", "made", "--from-literal=a=1")).trim(),
      "configmap/made created",
    );
    await kubectl("patch", "configmap", "made", "-p", '{"data":{"b":"2"}}');
    await kubectl("patch", "configmap", "made", "--type=merge", "-p", '{"data":{"a":null}}');
    await kubectl(
      "patch",
      "configmap",
      "made",
      "--type=json",
      "-p",
      '[{"op":"add","path":"/data/c","value":"3"}]',
    );
    assert.deepEqual(JSON.parse(await kubectl("get", "configmap", "made", "-o", "jsonpath={.data}")), {
      b: "2",
      c: "3",
    });
    await assert.rejects(kubectl("create", "configmap", "made"), /AlreadyExists/);
  });

  test("get -w shows changes", async () => {
    const watch = spawn("kubectl", [...flags, "get", "configmaps", "-w", "--no-headers"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let seen = "";
    watch.stdout.setEncoding("utf8").on("data", (text: string) => {
      seen += text;
    });
    const sees = async (pattern: RegExp) => {
      for (let i = 0; i < 500 && !pattern.test(seen); i++)
        await new Promise((resolve) => setTimeout(resolve, 20));
      assert.match(seen, pattern);
    };
    await sees(/kube-root-ca\.crt/);
    await kubectl("create", "configmap", "watched");
    await sees(/watched\s+0/);
    await kubectl("patch", "configmap", "watched", "-p", '{"data":{"b":"2"}}');
    await sees(/watched\s+1/);
    watch.kill();
  });

  test("explain configmap lists its fields", async () => {
    const text = await kubectl("explain", "configmap");
    assert.match(text, /KIND:\s+ConfigMap/);
    for (const field of ["apiVersion", "binaryData", "data", "immutable", "kind", "metadata"]) {
      assert.match(text, new RegExp(`^\\s+${field}\\s`, "m"));
    }
  });
});
