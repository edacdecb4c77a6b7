import { join } from "node:path";
import process from "node:process";
import { type Command, InvalidArgumentError, Option } from "commander";
import {
  addClusterOptions,
  type ClusterFlags,
  clusterOf,
  integerFrom,
} from "../../options/cluster-options.ts";
import { cliErrors } from "../../output/cli-errors.ts";
import { stopSignal } from "../../process/stop-signals.ts";
import { AdminObjects } from "../../rp-client/admin-objects.ts";
import { type LogLine, podLogs, serviceLog } from "../../rp-client/cluster-log.ts";
import { RpClient, unknownCluster } from "../../rp-client/rp-client.ts";
import { readEndpoints } from "../../state/endpoints.ts";

const operatorNamespace = "openshift-azure-operator";

interface LogsFlags extends ClusterFlags {
  readonly source: "service" | "operator";
  readonly namespace?: string;
  readonly pod?: string;
  readonly container?: string;
  readonly tail: number;
  readonly output: "table" | "json";
}

export function addClusterLogs(cluster: Command): void {
  addClusterOptions(
    cluster
      .command("logs")
      .description("print log lines about a cluster, from the service or from its operators"),
  )
    .addOption(
      new Option(
        "--source <source>",
        "service: lines of service.log about creation, updates, deletion and maintenance of the cluster. " +
          "operator: logs of the pods in --namespace",
      )
        .choices(["service", "operator"])
        .default("service"),
    )
    .option(
      "--namespace <namespace>",
      `namespace of an operator's pods (default: ${operatorNamespace}); implies --source operator`,
      parseObjectName,
    )
    .option(
      "--pod <name>",
      "print only the logs of this pod (default: all pods); implies --source operator",
      parseObjectName,
    )
    .option(
      "--container <name>",
      "print only the logs of this container (default: all containers); implies --source operator",
      parseObjectName,
    )
    .addOption(
      new Option(
        "--tail <n>",
        "number of newest lines to print, 1 to 10000. With --source operator, this is the number for each container",
      )
        .argParser(integerFrom(1, 10_000))
        .default(200),
    )
    .addHelpText(
      "after",
      `
Deleted clusters and clusters with a failed installation have only service logs.

Examples:
  keelson cluster logs demo
  keelson cluster logs demo --source operator --tail 50
  keelson cluster logs -g demo -n demo --namespace openshift-kube-apiserver-operator -o json`,
    )
    .action(run);
}

async function run(argument: string | undefined, flags: LogsFlags, command: Command): Promise<void> {
  const cluster = clusterOf(argument, flags, command);
  const endpoints = readEndpoints(flags.state);
  const { pod, container, tail } = flags;
  const isOfPods =
    flags.source === "operator" || [flags.namespace, pod, container].some((each) => each !== undefined);
  let lines: readonly LogLine[];
  if (isOfPods) {
    const signal = stopSignal(() => undefined);
    await using client = new RpClient(endpoints);
    await client.cluster(cluster, signal);
    const namespace = flags.namespace ?? operatorNamespace;
    const selection = {
      namespace,
      tail,
      ...(pod === undefined ? {} : { pod }),
      ...(container === undefined ? {} : { container }),
    };
    const found = await podLogs(new AdminObjects(client, cluster), selection, signal);
    if (found === undefined)
      throw cliErrors.NothingFound(
        `there is no container of ${[pod ?? "pods", container].filter((each) => each !== undefined).join("/")} in namespace ${namespace}. Run \`kubectl -n ${namespace} get pods\` to see all pods.`,
      );
    lines = found;
  } else {
    lines = await serviceLog(join(flags.state, "service.log"), endpoints.subscriptionId, cluster, tail);
    if (lines.length === 0) throw unknownCluster(cluster);
  }
  process.stdout.write(flags.output === "json" ? `${JSON.stringify(lines)}\n` : textOf(lines));
}

/**
 * Formats log lines. Container lines follow a heading with the name of their source, as in `tail`. Lines of the service have no
 * heading.
 */
function textOf(lines: readonly LogLine[]): string {
  return lines
    .map(({ source, line }, index) => {
      const isHeaded = source !== "service" && source !== lines[index - 1]?.source;
      return `${isHeaded ? `==> ${source} <==\n` : ""}${line}\n`;
    })
    .join("");
}

function parseObjectName(text: string): string {
  if (/^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/.test(text)) return text;
  throw new InvalidArgumentError(
    'expected lower-case letters, digits, "-" and ".", for example "openshift-dns".',
  );
}
