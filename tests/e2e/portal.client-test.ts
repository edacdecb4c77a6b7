/** Tests kubeconfigs of the admin API through the portal. Uses the oldest and the newest supported kubectl, unmodified. */

import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { httpConnectTimeoutMs } from "@keelson/base";
import { Agent, fetch } from "undici";
import { readEndpoints } from "./support/endpoints.ts";
import { eventually } from "./support/eventually.ts";
import { Program, StateDirectory } from "./support/program.ts";

const run = promisify(execFile);
const clients = new URL("../../.tools/clients/", import.meta.url).pathname;

describe("the portal", { timeout: 900_000 }, () => {
  const state = new StateDirectory();
  let program: Program;
  before(async () => {
    program = Program.start("up", "--state", state.path, "--ports", "auto", "--operators", "shared");
    await program.says(/endpoints/);
    for (const kind of ["new", "newelevated"]) writeFileSync(state.file(kind), await kubeconfig(kind));
  });
  after(async () => {
    await program[Symbol.asyncDispose]();
    state[Symbol.dispose]();
  });

  async function kubeconfig(kind: string): Promise<string> {
    const { rp, subscriptionId, caFile } = readEndpoints(state.file("endpoints.json"));
    const path = `/admin/subscriptions/${subscriptionId}/resourceGroups/demo/providers/Microsoft.RedHatOpenShift/openShiftClusters/demo/kubeconfig/${kind}`;
    const dispatcher = new Agent({
      connect: { timeout: httpConnectTimeoutMs, ca: readFileSync(caFile, "utf8") },
    });
    // The headers name a user because only a user can request an elevated kubeconfig.
    const headers = {
      "x-ms-arm-resource-system-data": JSON.stringify({ lastModifiedBy: "ada@example.com" }),
    };
    const response = await fetch(`${rp}${path}`, { method: "POST", headers, dispatcher });
    assert.equal(response.status, 200);
    const text = await response.text();
    await dispatcher.close();
    return text;
  }

  for (const suite of ["bookworm", "sid"]) {
    const program = `${clients}${suite}/usr/bin/kubectl`;
    const kubectl = async (kind: string, ...args: string[]) => {
      const flags = ["--kubeconfig", state.file(kind), "--cache-dir", state.file(`cache-${suite}-${kind}`)];
      return (await run(program, [...flags, ...args])).stdout;
    };

    test(`kubectl of ${suite} reads and watches as the SREs' user, without further rights`, async () => {
      await eventually(async () =>
        assert.match(await kubectl("new", "get", "nodes"), /demo-\S+-master-0 +Ready/),
      );
      const logs = () =>
        kubectl("new", "-n", "openshift-azure-operator", "logs", "deployment/aro-operator-master");
      await eventually(async () => assert.match(await logs(), /level=info msg=leading/));
      for (const args of [
        ["get", "secrets", "-A"],
        ["-n", "openshift-console", "exec", "deployment/console", "--", "true"],
        ["delete", "node", "x"],
      ])
        await assert.rejects(kubectl("new", ...args), /User "system:aro-sre" cannot/);
    });

    test(`kubectl of ${suite} with elevation executes, forwards and reads Secrets`, async () => {
      assert.match(
        await kubectl(
          "newelevated",
          "-n",
          "openshift-console",
          "exec",
          "deployment/console",
          "--",
          "echo",
          "hello",
        ),
        /hello/,
      );
      assert.match(await kubectl("newelevated", "-n", "openshift-config", "get", "secrets"), /pull-secret/);
    });

    test(`kubectl of ${suite} watches`, { timeout: 900_000 }, async () => {
      const flags = ["--kubeconfig", state.file("newelevated")];
      const watch = spawn(program, [...flags, "get", "configmaps", "-n", "default", "--watch"]);
      const output = outputOf(watch);
      try {
        await output.until(/^kube-root-ca\.crt /m);
        await kubectl("newelevated", "-n", "default", "create", "configmap", `of-${suite}`);
        await output.until(new RegExp(`^of-${suite} `, "m"));
      } finally {
        watch.kill();
      }
    });
  }
});

/** Collects the output of a program. `until` resolves when the output matches. */
function outputOf({ stdout }: ChildProcessWithoutNullStreams) {
  let text = "";
  stdout.on("data", (data) => {
    text += data;
  });
  return {
    async until(pattern: RegExp): Promise<void> {
      while (!pattern.test(text)) await delay(50);
    },
  };
}
