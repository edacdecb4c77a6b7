/** Tests samples for users and administrators on the demo cluster with the samples operator. Uses an unmodified kubectl. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { eventually } from "./support/eventually.ts";
import { Program, StateDirectory } from "./support/program.ts";

const run = promisify(execFile);
const operatorNamespace = "openshift-cluster-samples-operator";

describe("the samples operator of a release", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  let program: Program;
  before(async () => {
    program = Program.start("up", "--state", state.path, "--ports", "auto", "--operators", "process");
    await program.says(/endpoints/);
  });
  after(async () => {
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  const flags = [
    ...["--kubeconfig", state.file("demo.kubeconfig")],
    ...["--cache-dir", state.file("kubectl-cache")],
  ];
  const kubectl = async (...args: string[]) => (await run("kubectl", [...flags, ...args])).stdout;

  test("get all: one pod is ready, beside the Service of its metrics", () =>
    eventually(async () => {
      const text = await kubectl("-n", operatorNamespace, "get", "all");
      assert.match(text, /^pod\/cluster-samples-operator-\S+ +1\/1 +Running +0 /m);
      assert.match(text, /^service\/metrics +ClusterIP +None +<none> +60000\/TCP /m);
      assert.match(text, /^deployment\.apps\/cluster-samples-operator +1\/1 +1 +1 /m);
    }));

  test("get co: a cluster without a pull secret has no samples, and reports that", async () => {
    await eventually(async () => {
      const text = await kubectl("get", "co", "openshift-samples");
      assert.match(text, /^NAME +VERSION +AVAILABLE +PROGRESSING +DEGRADED +SINCE/);
      const reasons = "jsonpath={.status.conditions[?(@.type=='Available')].reason}";
      assert.equal(await kubectl("get", "co", "openshift-samples", "-o", reasons), "CurrentlyRemoved");
    });
    const spec = "jsonpath={.spec.managementState}";
    assert.equal(await kubectl("get", "configs.samples", "cluster", "-o", spec), "Removed");
  });

  test("patched to Managed, imagestreams and templates come, as oc prints them", async () => {
    const patch = JSON.stringify({ spec: { managementState: "Managed" } });
    await kubectl("patch", "configs.samples", "cluster", "--type", "merge", "-p", patch);
    await eventually(async () => {
      const text = await kubectl("get", "is,templates", "-n", "openshift");
      assert.match(text, /^NAME +IMAGE REPOSITORY +TAGS +UPDATED/m);
      assert.match(
        text,
        /^imagestream\.image\.openshift\.io\/ruby +\S+\/openshift\/ruby +3\.3-ubi9,latest +\S+/m,
      );
      assert.match(text, /^NAME +DESCRIPTION +PARAMETERS +OBJECTS/m);
      assert.match(text, /^template\.template\.openshift\.io\/nodejs-example +\S.* +\d+ \(\d+ blank\) +\d+/m);
      const version = "jsonpath={.status.versions[0].version}";
      const columns = (await kubectl("get", "co", "openshift-samples", "--no-headers")).trim().split(/ +/);
      const release = await kubectl(
        "get",
        "clusterversion",
        "version",
        "-o",
        "jsonpath={.status.desired.version}",
      );
      assert.deepEqual(columns.slice(0, 5), ["openshift-samples", release, "True", "False", "False"]);
      assert.equal(await kubectl("get", "co", "openshift-samples", "-o", version), release);
    });
  });

  test("an edited or deleted sample is restored, and a custom tag stays", async () => {
    const name = "jsonpath={.spec.tags[?(@.name=='3.3-ubi9')].from.name}";
    const before = await kubectl("get", "is", "ruby", "-n", "openshift", "-o", name);
    const names = (
      await kubectl("get", "is", "ruby", "-n", "openshift", "-o", "jsonpath={.spec.tags[*].name}")
    ).split(" ");
    const own = { name: "own", from: { kind: "DockerImage", name: "quay.io/example/ruby:1" } };
    const tags = JSON.stringify([
      {
        op: "replace",
        path: `/spec/tags/${names.indexOf("3.3-ubi9")}/from/name`,
        value: "quay.io/example/other:1",
      },
      { op: "add", path: "/spec/tags/-", value: own },
    ]);
    await kubectl("patch", "is", "ruby", "-n", "openshift", "--type", "json", "-p", tags);
    await kubectl("delete", "template", "nodejs-example", "-n", "openshift");
    await eventually(async () => {
      assert.equal(await kubectl("get", "is", "ruby", "-n", "openshift", "-o", name), before);
      await kubectl("get", "template", "nodejs-example", "-n", "openshift");
    });
    const owns = "jsonpath={.spec.tags[?(@.name=='own')].from.name}";
    assert.equal(await kubectl("get", "is", "ruby", "-n", "openshift", "-o", owns), own.from.name);
  });

  test("objects of the release are restored, unless an override makes them unmanaged", async () => {
    const deployment = ["deployment/cluster-samples-operator", "-n", operatorNamespace];
    const replicas = () => kubectl("get", ...deployment, "-o", "jsonpath={.spec.replicas}");
    await kubectl("scale", ...deployment, "--replicas", "0");
    await eventually(async () => assert.equal(await replicas(), "1"));
    const override = { group: "apps", kind: "Deployment", name: "cluster-samples-operator" };
    const overrides = [{ ...override, namespace: operatorNamespace, unmanaged: true }];
    await kubectl(
      "patch",
      "clusterversion",
      "version",
      "--type",
      "merge",
      "-p",
      JSON.stringify({ spec: { overrides } }),
    );
    await eventually(async () => {
      await kubectl("scale", ...deployment, "--replicas", "0");
      assert.doesNotMatch(await kubectl("get", "pods", "-n", operatorNamespace), /cluster-samples-operator/);
    });
    assert.equal(await replicas(), "0");
    await kubectl(
      "patch",
      "clusterversion",
      "version",
      "--type",
      "json",
      "-p",
      '[{"op":"remove","path":"/spec/overrides"}]',
    );
    await eventually(async () => assert.equal(await replicas(), "1"));
  });
});
