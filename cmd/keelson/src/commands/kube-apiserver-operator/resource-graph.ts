import { writeFile } from "node:fs/promises";
import process from "node:process";
import type { Command } from "commander";

export function addResourceGraph(root: Command): Command {
  return root
    .command("resource-graph")
    .description(
      "print the operator's controllers and the resources that they read and write, as a Graphviz graph",
    )
    .option("--svg [file]", "print an SVG image instead, to this file or to standard output")
    .addHelpText("after", "\nExample:\n  keelson kube-apiserver-operator resource-graph --svg graph.svg")
    .action(async ({ svg }: { readonly svg?: string | true }) => {
      const { graphDot, graphSvg, resourceGraph } = await import("@keelson/kube-apiserver-operator");
      // The graph is the same for every version, because the version only selects the default feature gates.
      const graph = resourceGraph("0.0.0");
      if (typeof svg === "string") await writeFile(svg, graphSvg(graph));
      else process.stdout.write(svg ? graphSvg(graph) : graphDot(graph));
    });
}
