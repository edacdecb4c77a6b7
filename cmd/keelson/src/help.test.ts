import assert from "node:assert/strict";
import { test } from "node:test";
import type { Command } from "commander";
import { fullProgram } from "./program.ts";

/** Returns all commands that can be run without a subcommand. The keys are the words after `keelson`. */
function runnable(command: Command, path: readonly string[] = []): ReadonlyMap<string, Command> {
  const found = new Map<string, Command>();
  const below = command.commands.filter((each) => each.name() !== "help");
  if (path.length > 0 && (below.length === 0 || isParentWithAction(path))) found.set(path.join(" "), command);
  for (const each of below)
    for (const [name, child] of runnable(each, [...path, each.name()])) found.set(name, child);
  return found;
}

function isParentWithAction(path: readonly string[]): boolean {
  return ["sim", "monitor"].includes(path.join(" "));
}

function helpOf(command: Command): string {
  let text = "";
  const write = (each: string) => {
    text += each;
  };
  command.configureOutput({ writeOut: write, writeErr: write }).outputHelp();
  return text;
}

/** Returns the command lines below "Example:" or "Examples:" in a help text. */
function examplesOf(help: string): readonly string[] {
  const [, text = ""] = /^Examples?:\s*([\s\S]*)$/m.exec(help) ?? [];
  const line = /^\s*(?:[A-Z_]+=\S+ |eval "\$\()?keelson ([^)\n]+)/gm;
  return [...text.replaceAll("\\\n", " ").matchAll(line)].map(([, words = ""]) => words);
}

/** Splits a command line into words. Removes redirections. */
function wordsOf(line: string): readonly string[] {
  return [...line.replace(/\s>.*$/, "").matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) =>
    word.replaceAll('"', ""),
  );
}

/** Parses a command line without running the command. Returns the words of the command. */
async function parsed(words: readonly string[]): Promise<string | undefined> {
  let ran: string | undefined;
  const program = await fullProgram();
  for (const [name, command] of runnable(program)) {
    command.exitOverride().configureOutput({ writeErr: () => undefined });
    command.action(() => {
      ran = name;
    });
  }
  await program.parseAsync(words, { from: "user" });
  return ran;
}

test("the help of every command has an example that the program accepts", async () => {
  const problems: string[] = [];
  for (const [name, command] of runnable(await fullProgram())) {
    const examples = examplesOf(helpOf(command));
    if (examples.length === 0) problems.push(`keelson ${name} --help has no example`);
    for (const each of examples) {
      const ran = await parsed(wordsOf(each)).catch(String);
      if (ran !== name) problems.push(`keelson ${name} --help: keelson ${each}: ${ran}`);
    }
  }
  assert.deepEqual(problems, []);
});

/** Reasons why a command needs no option `--dry-run`. */
type Exemption =
  | "reads"
  | "writes output files"
  | "changes the state directory"
  | "runs until it is stopped"
  | "runs in a pod";

const exemptions: Readonly<Record<string, Exemption>> = {
  up: "changes the state directory",
  down: "changes the state directory",
  component: "runs until it is stopped",
  status: "reads",
  sim: "runs until it is stopped",
  "sim faults list": "reads",
  "sim faults kinds": "reads",
  "sim faults set": "changes the state directory",
  "sim faults clear": "changes the state directory",
  "sim images list": "reads",
  "sim images set": "changes the state directory",
  "sim snapshot save": "changes the state directory",
  "sim snapshot restore": "changes the state directory",
  "sim snapshot list": "reads",
  "sim snapshot remove": "changes the state directory",
  "sim reset": "changes the state directory",
  "sim images clear": "changes the state directory",
  "sim clock": "changes the state directory",
  "sim audit": "reads",
  "sim console": "reads",
  kubeconfig: "reads",
  "az-env": "reads",
  "cluster list": "reads",
  "cluster show": "reads",
  "cluster watch": "reads",
  "cluster logs": "reads",
  rp: "runs until it is stopped",
  "maintenance actuator": "runs until it is stopped",
  "maintenance scheduler": "runs until it is stopped",
  monitor: "runs until it is stopped",
  "monitor tail": "runs until it is stopped",
  portal: "runs until it is stopped",
  gateway: "runs until it is stopped",
  proxy: "runs until it is stopped",
  "config check": "reads",
  "config schema": "reads",
  "host-config": "writes output files",
  doctor: "reads",
  "support-bundle": "writes output files",
  "db get": "reads",
  aead: "reads",
  portalauth: "reads",
  operator: "runs in a pod",
  "samples-operator": "runs in a pod",
  "kube-apiserver-operator operator": "runs in a pod",
  "kube-apiserver-operator render": "writes output files",
  "kube-apiserver-operator installer": "runs in a pod",
  "kube-apiserver-operator prune": "runs in a pod",
  "kube-apiserver-operator cert-syncer": "runs in a pod",
  "kube-apiserver-operator check-endpoints": "runs in a pod",
  "kube-apiserver-operator cert-regeneration-controller": "runs in a pod",
  "kube-apiserver-operator insecure-readyz": "runs in a pod",
  "kube-apiserver-operator kms-health-reporter": "runs in a pod",
  "kube-apiserver-operator kms-preflight": "runs in a pod",
  "kube-apiserver-operator startup-monitor": "runs in a pod",
  "kube-apiserver-operator diff": "reads",
  "kube-apiserver-operator resource-graph": "reads",
  "kube-apiserver-operator timeline": "reads",
  genkey: "writes output files",
  "swagger list": "reads",
  "swagger print": "reads",
  "swagger diff": "reads",
  "samples sync": "writes output files",
  "samples verify": "reads",
  completion: "reads",
  version: "reads",
};

test("every command that changes something outside of the state directory has --dry-run", async () => {
  const withoutDryRun = [...runnable(await fullProgram())]
    .filter(([, command]) => !command.options.some(({ long }) => long === "--dry-run"))
    .map(([name]) => name);
  assert.deepEqual(withoutDryRun.sort(), Object.keys(exemptions).sort());
});

test("all commands of one cluster accept its name as argument and as -n, its resource group as -g, and data commands -o", async () => {
  const commands = [...runnable(await fullProgram())].filter(
    ([name]) => (name.startsWith("cluster ") && name !== "cluster list") || name === "kubeconfig",
  );
  assert.ok(commands.length >= 7);
  for (const [name, { options, registeredArguments }] of commands) {
    const flags = options.map(({ flags: each }) => each);
    assert.ok(flags.includes("-n, --name <name>"), name);
    assert.ok(flags.includes("-g, --resource-group <name>"), name);
    assert.deepEqual(
      registeredArguments.map((each) => [each.name(), each.required]),
      [["name", false]],
      name,
    );
    assert.equal(flags.includes("-o, --output <format>"), name !== "kubeconfig", name);
  }
});
