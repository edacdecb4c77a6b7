import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Rule groups: the `spec` of a PrometheusRule. */
export interface RuleGroups {
  readonly groups: readonly { readonly name: string; readonly rules: readonly object[] }[];
}

/** Input series of `promtool test rules`. `values` has one value per interval, such as `0+1x30` or `1 1 _ 2`. */
export interface InputSeries {
  readonly series: string;
  readonly values: string;
}

export interface AlertTest {
  readonly rules: RuleGroups;
  /** Interval between two values of a series. */
  readonly interval: "1m" | "15m" | "1h";
  readonly series: readonly InputSeries[];
  /** Expected firing alerts at a time, such as `3h`. An alert that fires for two series is listed twice. */
  readonly firing: readonly { readonly at: string; readonly alerts: readonly string[] }[];
  /** Expected description of a firing alert. */
  readonly described?: { readonly at: string; readonly alert: string; readonly description: string };
}

const run = promisify(execFile);

/** Checks the rules with `promtool check rules`. If the rules are invalid, rejects with the output of promtool. */
export async function checkRules(spec: RuleGroups): Promise<string> {
  return inDirectory({ "rules.json": spec }, async (directory) => {
    const { stdout } = await run("promtool", ["check", "rules", join(directory, "rules.json")]);
    return stdout;
  });
}

/**
 * Uses promtool to evaluate the rules for the input series. If the firing alerts differ from the expected alerts, rejects with
 * the difference.
 */
export async function testAlerts(test: AlertTest): Promise<void> {
  await testAllAlerts(test.rules, [test]);
}

/** Runs several independent tests in one promtool process, because promtool starts slowly. */
export async function testAllAlerts(
  rules: RuleGroups,
  all: readonly (Omit<AlertTest, "rules"> & { readonly name?: string })[],
): Promise<void> {
  const tests = all.map((test) => testOf(rules, test));
  const file = { rule_files: ["rules.json"], evaluation_interval: "1m", tests };
  await inDirectory({ "rules.json": rules, "test.json": file }, (directory) =>
    run("promtool", ["test", "rules", join(directory, "test.json")]),
  );
}

function testOf(
  rules: RuleGroups,
  { name, interval, series, firing, described }: Omit<AlertTest, "rules"> & { readonly name?: string },
): object {
  return {
    ...(name === undefined ? {} : { name }),
    interval,
    input_series: series,
    promql_expr_test: firing.map(({ at, alerts }) => ({
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: at,
      exp_samples: [...Map.groupBy(alerts, (alert) => alert)].map(([alert, { length }]) => ({
        labels: `{alertname="${alert}"}`,
        value: length,
      })),
    })),
    alert_rule_test: described ? [expectedAlert(rules, described)] : [],
  };
}

function expectedAlert(
  { groups }: RuleGroups,
  { at, alert, description }: Required<AlertTest>["described"],
): object {
  const rule = groups
    .flatMap(({ rules }) => rules as readonly Partial<Record<"alert" | "labels" | "annotations", unknown>>[])
    .find((each) => each.alert === alert);
  const exp_annotations = { ...(rule?.annotations as object | undefined), description };
  return {
    eval_time: at,
    alertname: alert,
    exp_alerts: [{ exp_labels: rule?.labels, exp_annotations }],
  };
}

async function inDirectory<T>(
  files: Readonly<Record<string, unknown>>,
  use: (directory: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "promtool-"));
  try {
    for (const [name, value] of Object.entries(files))
      await writeFile(join(directory, name), JSON.stringify(value));
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
