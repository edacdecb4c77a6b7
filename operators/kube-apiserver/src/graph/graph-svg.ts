import { cutText } from "@keelson/base";
import { escapedXml, svgDocument } from "@keelson/operator-kit";
import type { GraphLayer, ResourceGraph } from "./resource-graph.ts";

const columns: readonly { readonly layer: GraphLayer; readonly heading: string }[] = [
  { layer: "inputs", heading: "What is read" },
  { layer: "makers", heading: "Observers and signers" },
  { layer: "made", heading: "What they make" },
  { layer: "sources", heading: "What revisions consist of" },
  { layer: "revision", heading: "On the nodes" },
];
const box = { width: 470, height: 20, gap: 6, columnGap: 120, margin: 24, heading: 32 };
/** Maximum number of characters in a box. */
const maxLetters = 72;

const style = {
  light: [
    "text{font-size:11px;fill:#1f2933}.heading{font-size:14px;font-weight:600}",
    "rect.box{fill:#f4f6f8;stroke:#7b8794}path{fill:none;stroke:#7f93a8;stroke-opacity:.7}",
  ].join(""),
  dark: "text{fill:#e4e9ee}rect.box{fill:#1c2229;stroke:#616e7c}path{stroke:#8296aa;stroke-opacity:.6}",
};

/** Draws the graph as SVG. Each layer is a column, and each edge is a line. */
export function graphSvg({ nodes, edges }: ResourceGraph): string {
  const places = new Map<string, { x: number; y: number }>();
  for (const [column, { layer }] of columns.entries())
    for (const [row, { name }] of nodes.filter((node) => node.layer === layer).entries())
      places.set(name, {
        x: columnX(column),
        y: box.margin + box.heading + row * (box.height + box.gap),
      });
  const lines = edges.flatMap(([from, to]) => {
    const [start, end] = [places.get(from), places.get(to)];
    return start && end ? [`<path d="${curve(start, end)}"/>`] : [];
  });
  const boxes = [...places].map(([name, { x, y }]) => {
    const hint = `<title>${escapedXml(name)}</title>`;
    return `<g>${hint}<rect class="box" x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="3"/><text x="${x + 7}" y="${y + 14}">${escapedXml(cutText(name, maxLetters))}</text></g>`;
  });
  const headings = columns.map(
    ({ heading }, column) =>
      `<text class="heading" x="${columnX(column)}" y="${box.margin + 14}">${heading}</text>`,
  );
  return svgDocument({
    width: columnX(columns.length) - box.columnGap + box.margin,
    height: Math.max(box.heading, ...[...places.values()].map(({ y }) => y)) + box.height + box.margin,
    title: "Inputs of the API servers' revisions",
    description: `${nodes.length} objects and programs, and ${edges.length} edges from inputs to the derived objects.`,
    style,
    elements: [...lines, ...headings, ...boxes],
  });
}

function columnX(column: number): number {
  return box.margin + column * (box.width + box.columnGap);
}

/**
 * Returns a curve from the right side of one box to the left side of a second box. If both boxes are in one column, the curve
 * runs around their right side.
 */
function curve(start: { x: number; y: number }, end: { x: number; y: number }): string {
  const [x1, y1, y2] = [start.x + box.width, start.y + box.height / 2, end.y + box.height / 2];
  if (start.x === end.x) return `M${x1} ${y1}C${x1 + 60} ${y1} ${x1 + 60} ${y2} ${x1} ${y2}`;
  const middle = (x1 + end.x) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${end.x} ${y2}`;
}
