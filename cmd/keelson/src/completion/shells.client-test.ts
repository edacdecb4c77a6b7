import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fullProgram } from "../program.ts";
import { bashCompletion } from "./bash.ts";
import { commandTree } from "./command-tree.ts";
import { fishCompletion } from "./fish.ts";
import { zshCompletion } from "./zsh.ts";

const directory = mkdtempSync(join(tmpdir(), "keelson-completion-"));
before(async () => {
  const tree = commandTree(await fullProgram());
  writeFileSync(join(directory, "keelson.bash"), bashCompletion(tree));
  writeFileSync(join(directory, "_keelson"), zshCompletion(tree));
  writeFileSync(join(directory, "keelson.fish"), fishCompletion(tree));
  writeFileSync(join(directory, "mirror.json"), "{}");
});
after(() => rmSync(directory, { recursive: true, force: true }));

const run = (program: string, ...args: readonly string[]) =>
  execFileSync(program, args, { cwd: directory, encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Commands that print each shell's completions for the last word of a line. */
const offers = {
  bash: (line: string) => {
    const words = line.split(" ");
    const list = words.map((word) => `'${word}'`).join(" ");
    const script = `source keelson.bash; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _keelson; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return run("bash", "--norc", "-c", script);
  },
  fish: (line: string) =>
    run("fish", "--no-config", "-c", `source keelson.fish; complete -C '${line}'`).map(
      (each) => each.split("\t")[0] ?? "",
    ),
  zsh: (line: string) => {
    // zsh completes only in a terminal. Its module zpty provides a pseudo-terminal.
    const script = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=; stty -echo; fpath=(${directory} \\$fpath); autoload -U compinit; compinit -u -d ${directory}/dump"
zpty -w shell "zstyle ':completion:*' list-colors; zstyle ':completion:*' menu no; LISTMAX=1000; bindkey '^I' list-choices"
zpty -w shell "print READY"
zpty -m -r shell out '*READY*READY*' || zpty -m -r shell out '*READY*'
zpty -w -n shell ${JSON.stringify(line)}$'\\t'
sleep 2
out=
while zpty -r -t shell part; do out+="$part"; done
print -r -- "$out"
zpty -d shell`;
    const controls = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, "g");
    return run("zsh", "-f", "-c", script).flatMap((each) => each.replaceAll(controls, " ").split(/\s+/));
  },
};

for (const [shell, complete] of Object.entries(offers)) {
  describe(shell, () => {
    test("completes commands", () => {
      const found = complete("keelson mi");
      assert.ok(found.includes("mirror") && found.includes("migrate"), String(found));
      assert.ok(!found.includes("up"), String(found));
    });

    test("completes commands below commands", () => {
      const found = complete("keelson cluster ");
      for (const name of ["create", "delete", "list", "watch"])
        assert.ok(found.includes(name), String(found));
    });

    test("completes options, and their values", () => {
      assert.ok(complete("keelson doctor --").includes("--config"));
      const values = complete("keelson doctor --output ");
      assert.ok(values.includes("table") && values.includes("json"), String(values));
    });
  });
}

for (const shell of ["bash", "fish"] as const) {
  test(`${shell} completes files`, () => {
    assert.deepEqual(offers[shell]("keelson mirror --config mirr"), ["mirror.json"]);
  });
}
