import process from "node:process";
import type { ImageRule } from "@keelson/sim-openshift";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parsePositiveDuration } from "../options/go-duration.ts";
import { stateOption } from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { tableOf } from "../output/table.ts";
import { SimClient } from "../sim-client/sim-client.ts";
import { readEndpoints } from "../state/endpoints.ts";
import { readIdentity } from "../state/identity.ts";

interface ImageFlags {
  readonly state: string;
  readonly output: "table" | "json";
}

interface SetFlags extends ImageFlags {
  readonly exitCode: number;
  readonly after: number;
  readonly log?: string;
  readonly cluster?: string;
}

interface ClearFlags extends ImageFlags {
  readonly all?: boolean;
  readonly cluster?: string;
}

/** `keelson sim images ...`: configures image rules. A rule determines the result of the simulated containers of an image. */
export function addSimImages(sim: Command): void {
  const images = sim
    .command("images")
    .description(
      "list, set and clear image rules. An image rule sets the exit code, run time and log line of simulated containers of an image",
    );
  images
    .command("list")
    .description("print active image rules")
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText("after", "\nExample:\n  keelson sim images list")
    .action((flags: ImageFlags) =>
      withClusters(flags, async (client) => {
        print(flags, await client.listImageRules());
      }),
    );
  images
    .command("set")
    .description("set an image rule. The rule applies to new containers until the rule is cleared")
    .argument(
      "<prefix>",
      'complete image reference, or the part of it before a "/", ":" or "@". quay.io/example matches quay.io/example/app:v1, but not quay.io/example2',
    )
    .option("--exit-code <n>", "exit code of the container", parseExitCode, 0)
    .addOption(
      new Option("--after <duration>", "time until the container exits, for example 500ms or 2m")
        .argParser(parsePositiveDuration)
        .default(1_000, "1s"),
    )
    .option("--log <text>", "line that the container logs (default: none)")
    .option("--cluster <name>", "apply the rule only in this cluster (default: all clusters)")
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Image rules do not apply to operators that run as local processes (see the option --operators of "keelson up").

Examples:
  keelson sim images set quay.io/example/migrate --exit-code 1 --after 5s --log "no such table"
  keelson sim images set registry.k8s.io/ingress-nginx/kube-webhook-certgen --cluster demo`,
    )
    .action((prefix: string, flags: SetFlags) =>
      withClusters(flags, async (client) => {
        const { exitCode, after: afterMs, log, cluster } = flags;
        const more = { ...(log === undefined ? {} : { log }), ...(cluster === undefined ? {} : { cluster }) };
        print(flags, [await client.setImageRule({ prefix, exitCode, afterMs, ...more })]);
      }),
    );
  images
    .command("clear")
    .description("clear image rules")
    .argument(
      "[prefix]",
      'prefix of the rule, as printed by "keelson sim images list"; required without --all',
    )
    .option("--all", "clear the rules of all prefixes")
    .option(
      "--cluster <name>",
      "clear only rules that were set with --cluster <name> (default: clear the rules regardless of their cluster)",
    )
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nExamples:\n  keelson sim images clear registry.example.com/job\n  keelson sim images clear --all",
    )
    .action((prefix: string | undefined, flags: ClearFlags, command: Command) => {
      if ((prefix === undefined) !== (flags.all === true))
        command.error("error: name the prefix to clear, or use --all");
      return withClusters(flags, async (client) => {
        const { cluster } = flags;
        const selected = {
          ...(prefix === undefined ? {} : { prefix }),
          ...(cluster === undefined ? {} : { cluster }),
        };
        const cleared = await client.clearImageRules(selected);
        if (prefix !== undefined && cleared.length === 0)
          throw cliErrors.RequestFailed(`there is no rule for ${prefix}`);
        print(flags, cleared);
      });
    });
}

async function withClusters(flags: ImageFlags, use: (client: SimClient) => Promise<void>): Promise<void> {
  await using client = new SimClient(readEndpoints(flags.state), readIdentity(flags.state).adminToken);
  await use(client);
}

function parseExitCode(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 255) return Number(text);
  throw new InvalidArgumentError("expected an exit code, 0 to 255.");
}

function print({ output }: ImageFlags, rules: readonly ImageRule[]): void {
  if (output === "json") {
    process.stdout.write(`${JSON.stringify(rules)}\n`);
    return;
  }
  const rows = rules.map(({ prefix, cluster, exitCode, afterMs, log }) => [
    prefix,
    cluster ?? "*",
    String(exitCode),
    `${afterMs / 1_000}s`,
    log === undefined ? "" : JSON.stringify(log),
  ]);
  process.stdout.write(tableOf([["PREFIX", "CLUSTER", "EXIT CODE", "AFTER", "LOG"], ...rows]));
}
