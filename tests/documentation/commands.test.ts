/** Checks that the commands and options in documents exist. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { Command } from "commander";
import { commands } from "../../cmd/keelson/src/program.ts";

const root = resolve(import.meta.dirname, "../..");
const documents = [
  "*.md",
  "docs/**/*.md",
  "{cmd,services,operators,libraries,simulators,clients,tests}/**/README.md",
];
/** Documents about earlier versions. They are not checked. */
const past = ["CHANGELOG.md"];

/** Returns the command lines in a document: lines of shell blocks and inline code. */
function commandLines(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  const rest = text.replace(/^```[\s\S]*?^```$/gm, "");
  const inline = [...rest.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
  return [...blocks.flatMap((block) => block.replaceAll("\\\n", " ").split("\n")), ...inline].flatMap(
    (line) =>
      [...line.matchAll(/(?:^|[\s("])(?:\.\/)?keelson ([a-z][^#;|)"<>&]*)/g)].map(([, words = ""]) =>
        words.trim(),
      ),
  );
}

/** Returns the invalid part of a command line. A command also accepts the options of its parent commands. */
function wrongPart(program: Command, line: string): string | undefined {
  let command = program;
  const options = new Set(["-h", "--help"]);
  const learn = (of: Command) => {
    for (const { long, short } of of.options) for (const flag of [long, short]) if (flag) options.add(flag);
  };
  learn(program);
  let isFirst = true;
  for (const word of line.split(/\s+/)) {
    const [flag = ""] = word.replace(/^\[/, "").replace(/\]$/, "").split("=");
    if (/^--?[a-z]/.test(flag)) {
      if (!options.has(flag)) return `${command.name()} has no option ${flag}`;
      continue;
    }
    // A word such as `master|worker` lists alternatives.
    const next = command.commands.find((each) => each.name() === word);
    if (next) {
      command = next;
      learn(command);
    } else if (isFirst && /^[a-z][a-z-]*$/.test(word)) return `there is no command ${word}`;
    isFirst = false;
  }
  return undefined;
}

const program = new Command("keelson").version("0", "--version");
for (const load of Object.values(commands)) (await load())(program);

test("documents name commands and options of the program that there are", () => {
  const lines = globSync(documents, { cwd: root, exclude: ["**/node_modules", ...past] }).flatMap((path) =>
    commandLines(readFileSync(join(root, path), "utf8")).map((line) => ({ path, line })),
  );
  assert.ok(lines.length > 60, `${lines.length}`);
  const wrong = lines.flatMap(({ path, line }) => {
    const why = wrongPart(program, line);
    return why ? [`${path}: keelson ${line}: ${why}`] : [];
  });
  assert.deepEqual(wrong, []);
});

test("a command or an option that there is not is found", () => {
  assert.equal(wrongPart(program, "dwon --state x"), "there is no command dwon");
  assert.equal(wrongPart(program, "down --stat x"), "down has no option --stat");
  assert.equal(wrongPart(program, "sim faults set api-error --cluster demo --state x"), undefined);
  assert.deepEqual(
    commandLines('Run `./keelson down --state x`.\n\n```sh\neval "$(./keelson az-env)" # who\n```\n'),
    ["az-env", "down --state x"],
  );
});
