import { resolve } from "node:path";
import process from "node:process";
import type { ContentProblem } from "@keelson/samples-operator";
import { type Command, InvalidArgumentError, Option } from "commander";
import { outputOption } from "../options/output-option.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { tableOf } from "../output/table.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface Flags {
  readonly output: "table" | "json";
}

interface SyncFlags extends Flags {
  readonly from: string;
  readonly to: string;
  readonly arch: readonly string[];
  readonly distribution: "ocp" | "okd";
  readonly download: boolean;
  readonly allowPrivateAddresses: boolean;
}

const architectures = ["x86_64", "aarch64", "ppc64le", "s390x"];

/** `keelson samples ...`: catalogues of imagestreams and templates for the samples operator. */
export function addSamples(root: Command): Command {
  const samples = root
    .command("samples")
    .description("catalogues of the samples operator: build them from openshift/library, check them");
  samples
    .command("sync")
    .description("build catalogues from a checkout of openshift/library, by its manifests")
    .requiredOption("--from <source>", "folder of the checkout, or https URL of the repository")
    .option(
      "--arch <name...>",
      `architectures: ${architectures.join(", ")}`,
      parseArchitecture,
      architectures,
    )
    .addOption(new Option("--distribution <name>", "whose samples").choices(["ocp", "okd"]).default("ocp"))
    .option("--to <dir>", "folder that gets a folder for each architecture", "content")
    .option("--download", "read locations that are URLs from there, not what the checkout imported", false)
    .option(
      "--allow-private-addresses",
      "also download from hosts of private networks, and without TLS",
      false,
    )
    .addOption(outputOption())
    .addHelpText(
      "after",
      "\nThe folder of each architecture is replaced whole; the same checkout makes the same files. What is wrong is left\nout, and makes the exit code 1.",
    )
    .action(sync);
  samples
    .command("verify")
    .description("check catalogues: names, images, tags that mean others, parameters of templates")
    .argument(
      "[dir]",
      "folder with a folder for each architecture, or one catalogue (default: those shipped)",
    )
    .addOption(outputOption())
    .addHelpText("after", "\nFiles that cannot be installed make the exit code 1; warnings do not.")
    .action(verify);
  return samples;
}

function parseArchitecture(name: string, earlier: readonly string[]): readonly string[] {
  if (!architectures.includes(name) && !["amd64", "arm64"].includes(name))
    throw new InvalidArgumentError(`expected one of ${architectures.join(", ")}.`);
  return earlier === architectures ? [name] : [...earlier, name];
}

async function sync(flags: SyncFlags): Promise<void> {
  const { syncCatalogues } = await import("@keelson/samples-operator");
  const { arch, output, ...options } = flags;
  const from = /^[a-z][a-z0-9+.-]*:\/\//i.test(flags.from) ? flags.from : resolve(flags.from);
  const to = resolve(flags.to);
  const synced = await syncCatalogues(
    { ...options, from, to, architectures: arch, environment: process.env },
    stopSignal(() => undefined),
  );
  const rows = synced.map(({ architecture, folder, imageStreams, templates }) => [
    architecture,
    `${imageStreams}`,
    `${templates}`,
    folder,
  ]);
  report(output, synced, [["ARCHITECTURE", "IMAGESTREAMS", "TEMPLATES", "FOLDER"], ...rows]);
}

async function verify(dir: string | undefined, { output }: Flags): Promise<void> {
  const { shippedCatalogues, verifyCatalogues } = await import("@keelson/samples-operator");
  const verified = await verifyCatalogues(
    dir === undefined ? shippedCatalogues : resolve(dir),
    stopSignal(() => undefined),
  );
  const rows = verified.map(({ folder, imageStreams, tags, templates }) => [
    `${imageStreams}`,
    `${tags}`,
    `${templates}`,
    folder,
  ]);
  report(output, verified, [["IMAGESTREAMS", "TAGS", "TEMPLATES", "FOLDER"], ...rows]);
}

/** Prints what was found. @throws SamplesWrong when a file was left out */
function report(
  output: Flags["output"],
  catalogues: readonly { readonly folder: string; readonly problems: readonly ContentProblem[] }[],
  table: readonly (readonly string[])[],
): void {
  const problems = catalogues.flatMap(({ folder, problems: each }) =>
    each.map(({ severity, file, message }) => ({
      severity,
      text: `${severity}: ${folder}: ${file}: ${message}\n`,
    })),
  );
  const text =
    output === "json"
      ? `${JSON.stringify(catalogues)}\n`
      : `${tableOf(table)}${problems.map((each) => each.text).join("")}`;
  process.stdout.write(text);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  if (errors > 0)
    throw cliErrors.SamplesWrong(
      `${errors} of the samples ${errors === 1 ? "is" : "are"} wrong and left out`,
    );
}
