import { parseArgs } from "node:util";

/** Parsed command line. If `base` is undefined, the subjects of the last commits are checked. */
export type Options =
  | { readonly mode: "check"; readonly base: string | undefined }
  | { readonly mode: "list" | "report"; readonly path: string | undefined }
  | { readonly mode: "help" };

/** Invalid command line or base. */
export class UsageError extends Error {}

export const help = `Checks the language of comments, strings, documents and commit subjects (docs/language.md).

usage: node scripts/check-language.ts [--base REF]       check all files and commit subjects
       node scripts/check-language.ts --list [PATH]      print all findings, or those below PATH
       node scripts/check-language.ts --report [PATH]    print counts per package and word rates
       node scripts/check-language.ts --help             print this help

  --base REF    check only the subjects of commits that are not in REF. Default: the last 200 commits
exit code: 0 without findings, 1 with findings, 2 for invalid arguments`;

const forms = "Use --base REF, --list [PATH], --report [PATH] or --help";
const example = "for example node scripts/check-language.ts --base origin/main";

/**
 * Parses the command line.
 * @throws UsageError if an argument is invalid
 */
export function parseOptions(args: readonly string[]): Options {
  const { tokens } = parseArgs({
    args: [...args],
    options: { base: { type: "string" } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  let base: string | undefined;
  const modes: string[] = [];
  const paths: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") paths.push(token.value);
    else if (token.kind === "option" && token.name === "base") {
      base = token.value;
      if (!base || base.startsWith("-")) throw new UsageError(`--base has no value. ${forms}, ${example}.`);
    } else if (token.kind === "option") {
      if (!/^(?:list|report|help)$/.test(token.name) || token.value !== undefined) {
        throw new UsageError(`unknown option "${args[token.index]}". ${forms}, ${example}.`);
      }
      modes.push(token.name);
    }
  }
  const [mode = "check", second] = modes;
  if (second !== undefined) throw new UsageError(`--${mode} excludes --${second}. ${forms}, ${example}.`);
  const [path, extra] = mode === "list" || mode === "report" ? paths : [undefined, ...paths];
  if (extra !== undefined) throw new UsageError(`unexpected argument "${extra}". ${forms}, ${example}.`);
  if (base !== undefined && mode !== "check") {
    throw new UsageError(`--base "${base}" has no effect with --${mode}. ${forms}, ${example}.`);
  }
  if (mode === "list" || mode === "report") return { mode, path };
  if (mode === "help") return { mode };
  return { mode: "check", base };
}
