import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { alertGroups, alerts } from "./alert-groups.ts";
import { alertRules } from "./alert-rules.ts";
import { dashboard } from "./dashboard.ts";
import { staleFiles } from "./generate.ts";
import { metricsOf } from "./runbooks.ts";
import { allCollectors, allSeries, seriesOf } from "./series.ts";
import { serviceAlertGroups } from "./service-alerts.ts";
import { serviceDashboard } from "./service-dashboard.ts";

test("rules, dashboard and both forms of the runbooks match the output of make generate", async () => {
  assert.deepEqual(await staleFiles(), []);
});

test("alerts use existing labels of their metrics, and have distinct names", () => {
  for (const { name, metric, where = {}, unless, by = [], forMinutes, summary } of alerts) {
    const { labels } = seriesOf(metric);
    for (const label of [...Object.keys(where), ...by])
      assert.ok(labels.includes(label), `${name}: ${label}`);
    for (const label of unless?.on ?? []) assert.ok(labels.includes(label), `${name}: ${label}`);
    for (const each of unless?.alerts ?? []) {
      const excluding = alerts.find((alert) => alert.name === each);
      assert.deepEqual(excluding?.by, unless?.on, `${name}: ${each}`);
      assert.ok((excluding?.forMinutes ?? 0) < forMinutes, `${name} must wait longer than ${each}`);
    }
    const named = [...summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label);
    assert.deepEqual(
      named.filter((label) => !by.includes(label)),
      [],
      `${name}: its summary`,
    );
  }
  assert.equal(new Set(alerts.map(({ name }) => name)).size, alerts.length);
});

test("every collector is in the runbooks once", () => {
  assert.deepEqual(
    alertGroups.flatMap(({ collectors }) => collectors).sort(),
    allCollectors.map(({ name }) => name).sort(),
  );
});

test("each rule's runbook is a heading of the document", () => {
  const document = readFileSync(new URL("../../../../docs/runbooks.md", import.meta.url), "utf8");
  const anchors = new Set([...document.matchAll(/^### (\w+)$/gm)].map(([, name = ""]) => name.toLowerCase()));
  for (const { annotations } of alertRules().groups.flatMap(({ rules }) => rules))
    assert.ok(anchors.has(annotations.runbook_url?.split("#")[1] ?? ""), annotations.runbook_url);
});

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** Returns the names of all metrics that the service's code declares, and the names of metrics of Prometheus and Node.js. */
async function declaredMetrics(): Promise<ReadonlySet<string>> {
  const declared = new Set([
    ...[
      "up",
      "process_resident_memory_bytes",
      "process_cpu_seconds_total",
      "nodejs_eventloop_lag_p99_seconds",
    ],
    ...["frontend", "portal", "gateway"].map((listener) => `${listener}_connections_dropped_total`),
    ...[...allSeries.values()].map(({ series }) => series),
  ]);
  for (const directory of ["services", "libraries", "cmd"]) {
    for await (const file of glob(join(root, directory, "**/src/**/*.ts"), {
      exclude: (name) => name === "node_modules",
    })) {
      const text = readFileSync(file, "utf8");
      for (const [, , name = ""] of text.matchAll(/(name: |gauge\(\s*)"([a-z_]+)"/g)) declared.add(name);
    }
  }
  return declared;
}

test("alerts about the service use metrics that its code declares, and have a heading in the runbooks", async () => {
  const declared = await declaredMetrics();
  const document = readFileSync(join(root, "docs/runbooks.md"), "utf8");
  for (const { name, expression } of serviceAlertGroups.flatMap(({ alerts }) => alerts)) {
    const used = expression.match(/\b[a-z]+(?:_[a-z]+)+(?=[{[)]| )/g) ?? [];
    const unknown = used
      .map((metric) => metric.replace(/_(?:count|bucket)$/, ""))
      .filter((metric) => metric !== "histogram_quantile" && !declared.has(metric));
    assert.deepEqual(unknown, [], `${name}: ${expression}`);
    assert.ok(document.includes(`\n### ${name}\n`), name);
  }
});

test("the dashboard has a panel for each metric of the groups, distinct IDs, and expressions of existing series", () => {
  const all = panelsOf(dashboard());
  const ids = all.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  const titles = new Set(all.map(({ title }) => title));
  for (const metric of alertGroups.flatMap(metricsOf)) assert.ok(titles.has(metric), metric);
  const known = new Set([...allSeries.values()].map(({ series }) => series));
  for (const { title, targets = [] } of all.filter((panel) => allSeries.has(panel.title)))
    for (const { expr } of targets)
      assert.ok(known.has(/\) \((?:rate\()?(\w+)/.exec(expr)?.[1] ?? ""), `${title}: ${expr}`);
});

test("the service's dashboard has readable titles, and each expression uses only declared metrics", async () => {
  const declared = await declaredMetrics();
  const all = panelsOf(serviceDashboard());
  const rows = all.filter(({ type }) => type === "row").map(({ title }) => title);
  for (const component of [
    "Frontend",
    "Backend",
    "Database",
    "Portal",
    "Gateway",
    "Mirror",
    "Maintenance",
    "Monitor",
  ])
    assert.ok(
      rows.some((title) => title.startsWith(component)),
      component,
    );
  const titles = all.map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
  for (const { title, description, type } of all) {
    assert.match(title, /^[A-Z][A-Za-z0-9 ,.()-]+$/);
    if (type === "timeseries") assert.match(description ?? "", /\.$/, title);
  }
  const expressions = all.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  assert.ok(expressions.length > 50);
  for (const expression of expressions) {
    // Every word that contains an underscore and is outside of a label list is a metric.
    const used =
      expression.replace(/\b(?:by|without) \([^)]*\)|\{[^}]*\}/g, "").match(/\b[a-z]+(?:_[a-z0-9]+)+\b/g) ??
      [];
    const unknown = used.filter(
      (name) =>
        name !== "histogram_quantile" &&
        !declared.has(name) &&
        !declared.has(name.replace(/_(?:count|bucket)$/, "")),
    );
    assert.deepEqual(unknown, [], expression);
  }
});

test("each metric of an alert about the service is in the service's dashboard", () => {
  const shown = panelsOf(serviceDashboard())
    .flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    .join(" ");
  for (const { name, expression } of serviceAlertGroups.flatMap(({ alerts }) => alerts))
    for (const metric of expression.match(/\b[a-z]+(?:_[a-z]+)+(?=[{[)]| )/g) ?? [])
      if (metric !== "histogram_quantile") assert.ok(shown.includes(metric), `${name}: ${metric}`);
});

test("panels keep clusters of the same name apart", () => {
  const expressions = panelsOf(dashboard()).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const ofClusters = expressions.filter((expr) => expr.includes("$cluster"));
  assert.ok(ofClusters.length > 30);
  for (const expr of ofClusters) assert.match(expr, /^max by \(resourceId, /);
});

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly targets?: readonly { readonly expr: string }[];
  readonly panels?: readonly Panel[];
}

function panelsOf(value: object): readonly Panel[] {
  const { panels = [] } = value as { readonly panels?: readonly Panel[] };
  return panels.flatMap((panel) => [panel, ...panelsOf(panel)]);
}
