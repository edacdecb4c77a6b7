import process from "node:process";
import type { Command } from "commander";

export function addResourceGraph(root: Command): Command {
  return root
    .command("resource-graph")
    .description("who reads and makes what on the way to the API servers, for Graphviz")
    .option("--svg", "as a picture")
    .action(async ({ svg }: { readonly svg?: boolean }) => {
      const { graphDot, graphSvg, resourceGraph } = await import("@keelson/kube-apiserver-operator");
      // The graph is the same for every version: the version decides which feature gates count.
      const graph = resourceGraph("0.0.0");
      process.stdout.write(svg ? graphSvg(graph) : graphDot(graph));
    });
}
