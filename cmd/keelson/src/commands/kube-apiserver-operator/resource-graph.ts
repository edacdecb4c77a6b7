import { writeFile } from "node:fs/promises";
import process from "node:process";
import type { Command } from "commander";

export function addResourceGraph(root: Command): Command {
  return root
    .command("resource-graph")
    .description(
      "print a Graphviz graph of the operator's controllers and the resources that the controllers read and write",
    )
    .option(
      "--svg [file]",
      "write an SVG image to [file] instead of printing the Graphviz graph. Without [file], print the SVG image",
    )
    .addHelpText("after", "\nExample:\n  keelson kube-apiserver-operator resource-graph --svg graph.svg")
    .action(async ({ svg }: { readonly svg?: string | true }) => {
      const { graphDot, graphSvg, resourceGraph } = await import("@keelson/kube-apiserver-operator");
      // The graph is the same for every version, so any version can be passed. The version only selects the default feature
      // gates.
      const graph = resourceGraph("0.0.0");
      if (typeof svg === "string") await writeFile(svg, graphSvg(graph));
      else process.stdout.write(svg ? graphSvg(graph) : graphDot(graph));
    });
}
