import { parseArgs } from "node:util";

const defaultSeconds = 120;

export const checkUsage = `Checks a change: types, lint, import rules, language, and the tests that import changed files directly or indirectly.

usage: make check [BASE=REF] [SECONDS=N] [ALL=1] [PARTIAL=1]
       node scripts/check/main.ts [--base REF] [--seconds N] [--all] [--partial]

  --base REF    branch or commit to compare with; default: main
  --seconds N   time limit of the tests; default: ${defaultSeconds}. Test files beyond the limit are listed, and the exit status is 1
  --all         no time limit
  --partial     exit status 0 even if test files beyond the time limit did not run

examples:
  make check
  make check BASE=HEAD~3 SECONDS=300
`;

export type CheckCommand =
  | { readonly kind: "help" }
  | { readonly kind: "invalid"; readonly message: string }
  | {
      readonly kind: "run";
      /** Base commit. If undefined, the base is the local or remote branch `main`. */
      readonly base: string | undefined;
      /** Time budget in seconds. Default: infinite. */
      readonly seconds: number;
      readonly isPartial: boolean;
    };

export function parseCheckCommand(args: readonly string[]): CheckCommand {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        base: { type: "string" },
        seconds: { type: "string", default: String(defaultSeconds) },
        all: { type: "boolean", default: false },
        partial: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    if (!/^\d+$/.test(values.seconds))
      return invalid(`--seconds ${values.seconds} is not a number of seconds. Example: --seconds 300.`);
    return {
      kind: "run",
      base: values.base,
      seconds: values.all ? Number.POSITIVE_INFINITY : Number(values.seconds),
      isPartial: values.partial,
    };
  } catch (error) {
    return invalid(error instanceof Error ? error.message : String(error));
  }
}

function invalid(reason: string): CheckCommand {
  return {
    kind: "invalid",
    message: `${reason}\nRun \`node scripts/check/main.ts --help\` for the options.`,
  };
}
