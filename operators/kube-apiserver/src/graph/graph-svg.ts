import type { GraphLayer, ResourceGraph } from "./resource-graph.ts";

const layers: readonly GraphLayer[] = ["inputs", "makers", "made", "sources", "revision"];
const box = { width: 460, height: 18, gap: 6, columnGap: 130, margin: 20 };

/** The graph as a picture: a column for each layer, a line for each edge. */
export function graphSvg({ nodes, edges }: ResourceGraph): string {
  const places = new Map<string, { x: number; y: number }>();
  for (const [column, layer] of layers.entries())
    for (const [row, { name }] of nodes.filter((node) => node.layer === layer).entries())
      places.set(name, {
        x: box.margin + column * (box.width + box.columnGap),
        y: box.margin + row * (box.height + box.gap),
      });
  const lines = edges.flatMap(([from, to]) => {
    const [start, end] = [places.get(from), places.get(to)];
    if (!start || !end) return [];
    const [x1, y1, x2, y2] = [start.x + box.width, start.y + box.height / 2, end.x, end.y + box.height / 2];
    const middle = (x1 + x2) / 2;
    return [`<path d="M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}"/>`];
  });
  const boxes = [...places].map(
    ([name, { x, y }]) =>
      `<rect x="${x}" y="${y}" width="${box.width}" height="${box.height}"/><text x="${x + 5}" y="${y + 13}">${escaped(name)}</text>`,
  );
  const width = 2 * box.margin + layers.length * (box.width + box.columnGap) - box.columnGap;
  const height = Math.max(0, ...[...places.values()].map(({ y }) => y)) + box.height + box.margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    "<style>rect{fill:#fff;stroke:#456}text{font:11px monospace}path{fill:none;stroke:#9ab}</style>",
    ...lines,
    ...boxes,
    "</svg>\n",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);
}
