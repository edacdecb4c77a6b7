import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { isPlainObject, messageOf, systemClock } from "@keelson/base";
import type { MirrorEvent, MirrorReport, ReleaseResult } from "@keelson/mirror";
import { type Command, Option } from "commander";
import { type Environment, mirrorCredentials, mirrorDestination } from "../azure/mirror-environment.ts";
import { metricsFile, writeMirrorMetrics } from "../azure/mirror-metrics-file.ts";
import { stateOption } from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { cliErrors } from "../output/cli-errors.ts";
import { Progress } from "../output/progress.ts";
import { buildVersion } from "../process/build-version.ts";
import { stopSignal } from "../process/stop-signals.ts";

interface MirrorFlags {
  readonly state: string;
  readonly config?: string;
  readonly destination?: string;
  readonly only?: "images" | "releases";
  readonly dryRun?: boolean;
  readonly metricsFile?: string;
  readonly output: "table" | "json";
}

export function addMirror(root: Command): Command {
  return root
    .command("mirror")
    .description("copy OpenShift releases and the images that the service uses to a container registry")
    .argument(
      "[version...]",
      'OpenShift versions (default: all supported versions in the OpenShift update graph). "latest" is the version in the field `latest` ' +
        "of the --config file or, without this field, a built-in version",
    )
    .option(
      "--destination <host>",
      "destination registry (default: `destination` in --config; without `destination`: the registry in DST_ACR_NAME)",
    )
    .addOption(
      new Option(
        "--config <file>",
        "JSON file with source registries, destination and credentials (default: built-in settings, and credentials from the environment)",
      ).argParser((text: string) => resolve(text)),
    )
    .addOption(
      new Option(
        "--only <what>",
        "images: copy only the images that the service uses. releases: copy only OpenShift releases (default: copy both)",
      ).choices(["images", "releases"]),
    )
    .option("--dry-run", "print the missing images without copying them")
    .addOption(
      new Option(
        "--metrics-file <file>",
        "write metrics about this run to a *.prom file for the textfile collector of Prometheus' node_exporter (default: no file)",
      ).argParser(metricsFile),
    )
    .addOption(stateOption())
    .addOption(outputOption())
    .addHelpText(
      "after",
      `
Environment:
  DST_ACR_NAME                         name of the Azure Container Registry that is the destination
  AZURE_TENANT_ID, AZURE_CLIENT_ID,    service principal that signs in to the registry in DST_ACR_NAME
  AZURE_CLIENT_SECRET
  AZURE_EV2                            if set to any value: sign in with the machine's managed identity instead of a service
                                       principal. AZURE_CLIENT_ID is the client ID of the managed identity
  AZURE_ENVIRONMENT                    Azure cloud of the registry in DST_ACR_NAME (default: AzurePublicCloud)
  SRC_AUTH_QUAY, SRC_AUTH_REDHAT       credentials for quay.io and registry.redhat.io, base64 of user:password

After an interruption, run the same command again. The command then skips existing images and resumes the interrupted upload.
The exit code is 1 if an image or release could not be copied. The command prints the reason for each failure.`,
    )
    .addHelpText(
      "after",
      "\nExamples:\n  keelson mirror --destination example.azurecr.io --dry-run\n  keelson mirror 4.19.24 --config mirror.json --only releases",
    )
    .action((versions: readonly string[], flags: MirrorFlags) =>
      runMirrorCommand(
        versions,
        flags,
        process.env,
        stopSignal(() => process.stderr.write(`keelson: ${stopping}\n`)),
      ),
    );
}

const stopping =
  "stopping: nothing that was copied is lost. Run the same command again to continue. A second signal stops the command immediately.";

/** Mirrors images and prints a report. @throws MirrorFailed with all failures, after the report has been printed */
async function runMirrorCommand(
  versions: readonly string[],
  flags: MirrorFlags,
  environment: Environment,
  signal: AbortSignal,
): Promise<void> {
  const { failuresOf, mirrorOptionsOf, parseMirrorConfig, runMirror } = await import("@keelson/mirror");
  const config = parseMirrorConfig(
    flags.config ? readConfig(flags.config) : {},
    flags.config ?? "the defaults",
  );
  const destination = flags.destination ?? config.destination ?? mirrorDestination(environment);
  const startedAt = systemClock.now();
  using progress = new Progress();
  const report = await runMirror(
    mirrorOptionsOf(config, {
      destination,
      credentials: mirrorCredentials(environment, destination),
      versions: flags.only === "images" ? undefined : versions,
      withImages: flags.only !== "releases",
      readFile: (path) => readFileSync(resolve(flags.config ? dirname(flags.config) : ".", path), "utf8"),
      stateDirectory: join(flags.state, "mirror"),
      dryRun: flags.dryRun === true,
      userAgent: `keelson-mirror/${buildVersion()}`,
      clock: systemClock,
      onEvent: reporter(progress),
      signal,
    }),
  );
  progress.end();
  process.stdout.write(flags.output === "json" ? `${JSON.stringify(report)}\n` : summary(report));
  const failures = failuresOf(report);
  if (flags.metricsFile !== undefined && !report.dryRun) {
    await writeMirrorMetrics(flags.metricsFile, {
      images: {
        copied: countOf(report, "copied"),
        present: countOf(report, "present"),
        failed: countOf(report, "failed"),
      },
      isComplete: failures.length === 0,
      startedAt,
      endedAt: systemClock.now(),
    });
  }
  if (failures.length === 0) return;
  const list = failures.map(({ subject, code, message }) => `\n  ${subject}: ${code}: ${message}`).join("");
  throw cliErrors.MirrorFailed(`${failures.length} failures; run the same command again to continue${list}`);
}

function readConfig(path: string): unknown {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (isPlainObject(value)) return value;
  } catch (cause) {
    // The message of the JSON parser is not printed, because the message may quote a password.
    const reason = cause instanceof SyntaxError ? "it is not JSON" : messageOf(cause);
    throw cliErrors.ConfigUnreadable(`configuration ${path} cannot be read: ${reason}`);
  }
  throw cliErrors.ConfigUnreadable(`configuration ${path} is not a JSON object`);
}

/**
 * Returns the progress reporter, which prints releases and failed images. On a terminal, it also updates one progress line. If
 * standard error is not a terminal, it prints one line per image instead.
 */
function reporter(progress: Progress): (event: MirrorEvent) => void {
  const live = process.stderr.isTTY === true;
  let [done, known, sent] = [0, 0, 0];
  const show = () => {
    if (live) progress.update(`${done} of ${known} images, ${megabytes(sent)} sent`);
  };
  return (event) => {
    switch (event.kind) {
      case "release-read":
        return progress.say(`release ${event.version}: ${event.images} images`);
      case "release":
        return event.result.error
          ? progress.say(`release ${event.result.version} failed: ${event.result.error.message}`)
          : progress.say(`release ${event.result.version} ${stateOf(event.result)}`);
      case "image": {
        ({ done, known } = event);
        const { source, status, error } = event.result;
        if (error) progress.say(`failed   ${source}: ${error.message}`);
        else if (!live) progress.say(`${status.padEnd(8)} ${source}`);
        return show();
      }
      case "bytes":
        sent = event.sentBytes;
        return show();
    }
  };
}

/** Describes a mirrored release. In a dry run, each image that a real run would copy counts as missing. */
function stateOf({ images, missing = 0 }: ReleaseResult): string {
  return missing === 0 ? "is complete" : `lacks ${missing} of ${images} images`;
}

const mostNamed = 5;

/** Returns one line for each reason, with up to five skipped versions. */
function skippedLines(nodes: MirrorReport["skippedNodes"]): readonly string[] {
  return [...Map.groupBy(nodes, ({ reason }) => reason)].map(([reason, all]) => {
    const named = all.slice(0, mostNamed).map(({ version }) => version);
    const others = all.length > mostNamed ? ` and ${all.length - mostNamed} others` : "";
    return `left out of the release graph: ${named.join(", ")}${others}: ${reason}`;
  });
}

function countOf({ images }: MirrorReport, status: string): number {
  return images.filter((each) => each.status === status).length;
}

function summary(report: MirrorReport): string {
  const { destination, dryRun, releases, skippedNodes, warnings, sentBytes } = report;
  const count = (status: string) => countOf(report, status);
  const lines = [
    ...skippedLines(skippedNodes),
    ...warnings.map((text) => `warning: ${text}`),
    ...releases.map((release) => {
      const { version, images: all, failed, error, missing } = release;
      if (error) return `release ${version}: not complete, ${failed} of ${all} images failed`;
      return missing === undefined
        ? `release ${version}: ${all} images`
        : `release ${version} ${stateOf(release)}`;
    }),
    dryRun
      ? `${destination} lacks ${count("missing")} images, has ${count("present")}; ${count("failed")} could not be checked`
      : `${destination}: ${count("copied")} images copied, ${count("present")} were there, ${count("failed")} failed; ${megabytes(sentBytes)} sent`,
  ];
  return `${lines.join("\n")}\n`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
