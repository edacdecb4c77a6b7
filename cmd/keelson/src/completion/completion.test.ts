import assert from "node:assert/strict";
import { test } from "node:test";
import { Command, Option } from "commander";
import { fullProgram } from "../program.ts";
import { bashCompletion } from "./bash.ts";
import { allNodes, commandTree } from "./command-tree.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

test("the tree has commands below commands, options with their values, and files", () => {
  const root = new Command("p").option("-v, --verbose", "say\n more");
  const below = root.command("a-b").description("it's");
  below
    .addOption(new Option("-o, --output <format>", "how").choices(["x", "y"]))
    .option("--config <file>", "c");
  const tree = commandTree(root);
  const verbose = { flags: ["--verbose", "-v"], description: "say more", values: undefined, isFile: false };
  assert.deepEqual(
    tree.options.find(({ flags }) => flags.includes("-v")),
    verbose,
  );
  const [node] = tree.commands;
  assert.deepEqual(node?.path, ["p", "a-b"]);
  const options = Object.fromEntries(
    (node?.options ?? []).map(({ flags: [name], values, isFile }) => [name, [values, isFile]]),
  );
  assert.deepEqual(options["--output"], [["x", "y"], false]);
  assert.deepEqual(options["--config"], [[], true]);
});

test("scripts name every command and option of the program", async () => {
  const tree = commandTree(await fullProgram());
  for (const script of [bashCompletion(tree), zshCompletion(tree), fishCompletion(tree)]) {
    for (const { path, options } of allNodes(tree)) {
      assert.ok(script.includes(path.at(-1) ?? ""), path.join(" "));
      for (const { flags } of options)
        for (const flag of flags) assert.ok(script.includes(flag.replace(/^--?/, "")), flag);
    }
  }
});
