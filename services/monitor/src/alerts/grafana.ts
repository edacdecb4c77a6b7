/** Components of Grafana dashboards. Their types come from Grafana's published schema. */
import type { Dashboard, Panel, RowPanel } from "@grafana/schema";

// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana
export const datasource = { type: "prometheus", uid: "${datasource}" };
const panelHeight = 8;
const columns = 2;
const width = 24 / columns;

/** Query of a panel, with the legend for its lines. Default legend: all labels. */
export interface Query {
  readonly expr: string;
  readonly legend?: string;
}

export interface Chart {
  readonly title: string;
  readonly description: string;
  /** Grafana's ID of the unit, for example `s` or `reqps`. Default: a number without unit. */
  readonly unit?: string;
  readonly queries: readonly Query[];
}

/** Row of a dashboard with its charts. */
export interface ChartRow {
  readonly title: string;
  readonly charts: readonly Chart[];
}

type Variables = NonNullable<NonNullable<Dashboard["templating"]>["list"]>;

export interface DashboardOptions {
  readonly title: string;
  readonly uid: string;
  readonly variables: Variables;
  /** Panels above the rows, with their positions. The height of these panels is `panelHeight`. */
  readonly overview: readonly Panel[];
  readonly rows: readonly ChartRow[];
}

/**
 * Returns a dashboard. All rows except the first are collapsed, because the panels in a collapsed row do not query Prometheus.
 */
export function createDashboard({ title, uid, variables, overview, rows }: DashboardOptions): Dashboard {
  let y = panelHeight;
  const panels = rows.flatMap((each, at) => {
    const made = row(each, at === 0, y);
    y = made.below;
    return made.panels;
  });
  return {
    title,
    uid,
    tags: ["keelson"],
    schemaVersion: 39,
    editable: true,
    refresh: "1m",
    time: { from: "now-6h", to: "now" },
    templating: { list: [{ name: "datasource", type: "datasource", query: "prometheus" }, ...variables] },
    panels: numbered([...overview, ...panels]),
  };
}

/** Panel that shows one number. */
export function stat(title: string, expr: string, x: number, y: number, unit?: string): Panel {
  return {
    type: "stat",
    title,
    datasource,
    gridPos: { x, y, w: 4, h: panelHeight / 2 },
    ...(unit === undefined ? {} : { fieldConfig: { defaults: { unit }, overrides: [] } }),
    targets: [{ refId: "A", expr, instant: true }],
  };
}

/** Table of the firing alerts with these names. The table is to the right of the panels that show one number. */
export function firingAlerts(names: readonly string[], x = 8): Panel {
  return {
    type: "table",
    title: "Alerts that fire",
    datasource,
    gridPos: { x, y: 0, w: 24 - x, h: panelHeight },
    targets: [
      {
        refId: "A",
        expr: `ALERTS{alertstate="firing",alertname=~"${names.join("|")}"}`,
        instant: true,
        format: "table",
      },
    ],
    transformations: [
      { id: "organize", options: { excludeByName: { Time: true, Value: true, __name__: true } } },
    ],
  };
}

function row({ title, charts }: ChartRow, isOpen: boolean, y: number) {
  const panels = charts.map((chart, at) => ({
    ...panelOf(chart),
    gridPos: {
      x: (at % columns) * width,
      y: y + 1 + Math.floor(at / columns) * panelHeight,
      w: width,
      h: panelHeight,
    },
  }));
  const header = {
    id: 0,
    type: "row" as const,
    title,
    gridPos: { x: 0, y, w: 24, h: 1 },
    collapsed: !isOpen,
    panels: isOpen ? [] : panels,
  };
  const openHeight = Math.ceil(charts.length / columns) * panelHeight;
  return {
    panels: [header, ...(isOpen ? panels : [])],
    below: y + 1 + (isOpen ? openHeight : 0),
  };
}

function panelOf({ title, description, unit, queries }: Chart): Panel {
  return {
    type: "timeseries",
    title,
    description,
    datasource,
    fieldConfig: {
      defaults: {
        ...(unit === undefined ? {} : { unit }),
        custom: { drawStyle: "line", lineInterpolation: "stepAfter" },
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: "list", placement: "bottom" },
      tooltip: { mode: "multi", sort: "desc" },
    },
    targets: queries.map(({ expr, legend }, at) => ({
      refId: String.fromCharCode("A".charCodeAt(0) + at),
      expr,
      ...(legend === undefined ? {} : { legendFormat: legend }),
    })),
  };
}

/** Assigns an ID to each panel, including panels inside rows. */
function numbered(
  panels: readonly (Panel | RowPanel)[],
  next: { id: number } = { id: 1 },
): (Panel | RowPanel)[] {
  return panels.map((panel) => {
    const { id: _, ...content } = panel;
    const id = next.id++;
    if (!("panels" in content)) return { id, ...content };
    return { id, ...content, panels: numbered(content.panels, next) as Panel[] };
  });
}
