/**
 * Unmodified `helm` installs, upgrades, tests and uninstalls charts of a directory on a simulated OpenShift cluster. The directory
 * `KEELSON_TEST_CHARTS` contains a directory per chart. Values of a chart are in `CHART.values.yaml`, changed values of its
 * upgrade in `CHART.upgrade.yaml` beside it. `kubectl` applies `CHART.before.yaml` before the installation, for example bindings to
 * security context constraints.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { promisify } from "node:util";
import { Program, StateDirectory } from "../e2e/support/program.ts";

const run = promisify(execFile);
const charts = process.env.KEELSON_TEST_CHARTS;
const names = charts
  ? readdirSync(charts).filter((name) => existsSync(join(charts, name, "Chart.yaml")))
  : [];

/** Returns the reason why the test cannot run. */
async function obstacle(): Promise<string | undefined> {
  if (!charts) return "KEELSON_TEST_CHARTS does not name a directory of charts";
  if (names.length === 0) return `${charts} contains no directory with a Chart.yaml`;
  const version = await run("helm", ["version"]).catch(() => undefined);
  return version ? undefined : "helm is not installed";
}

test("charts install, upgrade, pass their tests and uninstall", { timeout: 1_800_000 }, async (t) => {
  const reason = await obstacle();
  if (reason !== undefined) return t.skip(reason);
  using state = new StateDirectory();
  await using program = Program.start("up", "--state", state.path, "--ports", "auto", "--cluster", "charts");
  await program.says(/endpoints/);
  const { stdout, stderr } = await Program.run("kubeconfig", "charts", "--state", state.path);
  assert.ok(stdout, stderr);
  const kubeconfig = join(state.path, "charts.kubeconfig");
  writeFileSync(kubeconfig, stdout, { mode: 0o600 });
  const env = { PATH: process.env.PATH, HOME: state.path, KUBECONFIG: kubeconfig };
  const helm = (...args: string[]) => run("helm", args, { env });
  for (const name of names) {
    const chart = join(charts ?? "", name);
    const values = (kind: string) => {
      const file = `${chart}.${kind}.yaml`;
      return existsSync(file) ? ["--values", file] : [];
    };
    const place = ["--namespace", name, "--wait", "--timeout", "5m"];
    const before = `${chart}.before.yaml`;
    await t.test(name, async () => {
      if (existsSync(before)) await run("kubectl", ["apply", "--filename", before], { env });
      await helm("install", name, chart, ...place, "--create-namespace", ...values("values"));
      const upgraded = [...values("values"), ...values("upgrade")];
      await helm("upgrade", name, chart, ...place, "--wait-for-jobs", ...upgraded);
      await helm("test", name, "--namespace", name, "--timeout", "5m");
      await helm("uninstall", name, ...place);
      const { stdout: releases } = await helm("list", "--namespace", name, "--short");
      assert.equal(releases, "");
    });
  }
});
