/** Tests the instructions of docs/howto/add-an-install-step.md in a copy of this package. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const page = readFileSync(join(root, "docs/howto/add-an-install-step.md"), "utf8");
const copy = mkdtempSync(join(tmpdir(), "keelson-howto-"));
after(() => rmSync(copy, { recursive: true }));

const { NODE_TEST_CONTEXT: _, ...env } = process.env;

/** Runs a Node.js program in the copy. If the program fails, its output becomes the error's message. */
async function node(...args: readonly string[]): Promise<void> {
  const all = ["--disable-warning=ExperimentalWarning", ...args];
  await new Promise<void>((resolve, reject) => {
    execFile(process.execPath, all, { cwd: copy, env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${args.join(" ")}: ${stdout}${stderr}`, { cause: error })) : resolve(),
    );
  });
}

/**
 * Returns a page's code blocks in one language, with the path of each block's file. `mark` starts the first line of a block,
 * which names the file and is removed.
 */
function blocks(language: string, mark: string): readonly { readonly path: string; readonly text: string }[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n${mark} (\\S+)\\n([^]*?)^\`\`\`$`, "gm");
  return [...page.matchAll(pattern)].map(([, path = "", text = ""]) => ({ path: join(copy, path), text }));
}

/** Applies a diff to a text. Finds the context lines of each hunk and replaces them by the context lines and the added lines. */
function patch(text: string, diff: string): string {
  return diff.split(/^@@\n/m).reduce((patched, hunk) => {
    const lines = hunk.trimEnd().split("\n");
    const withMarks = (marks: RegExp) =>
      lines
        .filter((line) => marks.test(line))
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    const before = withMarks(/^ /);
    assert.equal(patched.split(before).length, 2, `create.ts has these lines once:\n${before}`);
    return patched.replace(before, () => withMarks(/^[ +]/));
  }, text);
}

test("the step of the page passes the type check and its own test, and is part of the install", async () => {
  cpSync(join(root, "libraries/cluster"), join(copy, "libraries/cluster"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const written = blocks("ts", "//");
  assert.equal(written.length, 2, "the page has the step and its test");
  for (const { path, text } of written) writeFileSync(path, text);
  const [edit] = blocks("diff", "---");
  assert.ok(edit, "the page has a change of the graph");
  writeFileSync(edit.path, patch(readFileSync(edit.path, "utf8"), edit.text));

  const files = [...written.map(({ path }) => path), edit.path];
  const config = { extends: join(root, "tsconfig.json"), include: [], files };
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify(config));
  await node(join(root, "node_modules/typescript/bin/tsc"), "-p", copy);
  const [step, own] = written;
  assert.ok(step && own);
  const graphs = join(copy, "libraries/cluster/src/graphs/graphs.test.ts");
  await Promise.all([node(own.path), node(graphs)]);

  const from = (path: string) => import(pathToFileURL(join(copy, "libraries/cluster/src", path)).href);
  const { removeBootstrapGraph } = await from("graphs/create.ts");
  const { memoryCluster } = await from("testing/memory-cluster.ts");
  const { context, kube } = memoryCluster();
  const added = removeBootstrapGraph.steps.find(
    ({ name }: { name: string }) => name === "recordClusterOrigin",
  );
  await added.run(context);
  const key = { namespace: "openshift-config", name: "cluster-origin" };
  const { resources } = await import("@keelson/kube");
  assert.equal((await kube.get(resources.configMaps, key, context.signal)).data.location, "eastus");
});
