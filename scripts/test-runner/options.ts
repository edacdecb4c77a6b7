import { parseArgs } from "node:util";

export const testCommandUsage = `Runs test files and prints their failures and the line "N passed, N failed".

usage: node scripts/run-tests.ts [ENDING] [PATH ...] [OPTIONS]

  ENDING                .test.ts (default), .client-test.ts or .long-test.ts
  PATH                  runs only files with this string in their path; default: all files
  --name TITLE          runs only the test or suite with this title, for example "suite title test title"
  --untracked-promises  uses 10 % less CPU time, but an unhandled rejection fails its file instead of its test
  --exit-within MS      time in milliseconds in which a test process must exit after its last test; default: 300000. A
                        process with an open handle, for example a server that no test closed, then fails its files
  --json FILE           writes the result of each file and each failure as JSON
  --record-expected     writes durations of slow files to scripts/test-runner/expected-seconds.json. A checkout without
                        recorded durations uses this file to order its first run
  --help                prints this help

With the environment variable PROFILE=DIR, each test process writes a CPU profile to DIR.

examples:
  node scripts/run-tests.ts libraries/arm
  node scripts/run-tests.ts .client-test.ts tests/e2e/kubectl
  node scripts/run-tests.ts libraries/base/src/abort.test.ts --name "an aborted wait rejects"
`;

const testEndings = [".test.ts", ".client-test.ts", ".long-test.ts"] as const;
export type TestEnding = (typeof testEndings)[number];

export type TestCommand =
  | { readonly kind: "help" }
  | { readonly kind: "invalid"; readonly message: string }
  | {
      readonly kind: "run";
      readonly ending: TestEnding;
      readonly paths: readonly string[];
      /** Title of a test or suite, preceded by the titles of its enclosing suites. Spaces separate the titles. */
      readonly name: string | undefined;
      readonly tracksPromises: boolean;
      /** Time in milliseconds in which a test process must exit after its last test. */
      readonly exitWithinMs: number;
      readonly jsonFile: string | undefined;
      readonly recordsExpected: boolean;
    };

/**
 * Parses the command line of `run-tests.ts`. If a path ends with a test file ending such as `.long-test.ts`, the run includes the
 * files with this ending instead of `.test.ts`.
 */
export function parseTestCommand(args: readonly string[]): TestCommand {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: "string" },
        "untracked-promises": { type: "boolean", default: false },
        "exit-within": { type: "string", default: "300000" },
        json: { type: "string" },
        "record-expected": { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) return { kind: "help" };
    const exitWithin = values["exit-within"];
    if (!/^[1-9]\d{0,8}$/.test(exitWithin))
      throw new Error(`--exit-within ${exitWithin} is not a number of milliseconds, for example 300000.`);
    const [first, ...others] = positionals;
    const ending = testEndings.find((each) => each === first);
    const paths = ending === undefined ? positionals : others;
    return {
      kind: "run",
      ending: ending ?? testEndings.find((each) => paths.some((path) => path.endsWith(each))) ?? ".test.ts",
      paths,
      name: values.name,
      tracksPromises: !values["untracked-promises"],
      exitWithinMs: Number(exitWithin),
      jsonFile: values.json,
      recordsExpected: values["record-expected"],
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      kind: "invalid",
      message: `${reason}\nRun \`node scripts/run-tests.ts --help\` for the options.`,
    };
  }
}
