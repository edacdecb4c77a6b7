import process from "node:process";
import { type Command, InvalidArgumentError } from "commander";
import { stateOption } from "../options/options.ts";
import { outputOption } from "../options/output-option.ts";
import { tableOf } from "../output/table.ts";
import { SnapshotClient } from "../sim-client/snapshot-client.ts";
import { readEndpoints } from "../state/endpoints.ts";
import { readIdentity } from "../state/identity.ts";
import { isSnapshotName, type Restored, type Snapshot, snapshotNameForm } from "../state/snapshot.ts";

interface SnapshotFlags {
  readonly state: string;
  readonly output: "table" | "json";
}

interface SaveFlags extends SnapshotFlags {
  readonly replace?: boolean;
}

/** `keelson sim snapshot ...` and `keelson sim reset`: save and restore the simulated world of the running instance. */
export function addSimSnapshot(sim: Command): void {
  const snapshot = sim
    .command("snapshot")
    .description(
      "save, restore, list and remove snapshots of the running simulated world and the service's database",
    );
  withOptions(
    snapshot
      .command("save")
      .description("save a snapshot of the clusters, the simulated Azure and the service's database")
      .argument("<name>", "name of the snapshot", parseSnapshotName)
      .option(
        "--replace",
        "replace an existing snapshot with this name (default: fail if the snapshot exists)",
      )
      .addHelpText("after", example("snapshot save before-upgrade")),
  ).action((name: string, flags: SaveFlags) =>
    withWorld(flags, async (client) => {
      print(flags, [await client.save(name, flags.replace ?? false)]);
    }),
  );
  withOptions(
    snapshot
      .command("restore")
      .description(
        "replace the running simulated world and the service's database with a snapshot. Changes since the snapshot are lost",
      )
      .argument("<name>", "name of the snapshot", parseSnapshotName)
      .addHelpText("after", example("snapshot restore before-upgrade")),
  ).action((name: string, flags: SnapshotFlags) =>
    withWorld(flags, async (client) => {
      printRestored(flags, `restored ${name}`, await client.restore(name));
    }),
  );
  withOptions(
    snapshot
      .command("list")
      .description("print all snapshots of the state directory")
      .addHelpText("after", example("snapshot list -o json")),
  ).action((flags: SnapshotFlags) =>
    withWorld(flags, async (client) => {
      print(flags, await client.list());
    }),
  );
  withOptions(
    snapshot
      .command("remove")
      .description("delete a snapshot")
      .argument("<name>", "name of the snapshot", parseSnapshotName)
      .addHelpText("after", example("snapshot remove before-upgrade")),
  ).action((name: string, flags: SnapshotFlags) =>
    withWorld(flags, async (client) => {
      print(flags, [await client.remove(name)]);
    }),
  );
  withOptions(
    sim
      .command("reset")
      .description(
        "replace the running simulated world and the service's database with empty ones. Snapshots remain",
      )
      .addHelpText("after", example("reset")),
  ).action((flags: SnapshotFlags) =>
    withWorld(flags, async (client) => {
      printRestored(flags, "reset", await client.reset());
    }),
  );
}

function example(command: string): string {
  return `\nExample:\n  keelson sim ${command}`;
}

function withOptions(command: Command): Command {
  return command.addOption(stateOption()).addOption(outputOption());
}

async function withWorld(
  { state }: SnapshotFlags,
  use: (client: SnapshotClient) => Promise<void>,
): Promise<void> {
  await using client = new SnapshotClient(readEndpoints(state), readIdentity(state).adminToken);
  await use(client);
}

function parseSnapshotName(text: string): string {
  if (isSnapshotName(text)) return text;
  throw new InvalidArgumentError(`${snapshotNameForm}.`);
}

function printRestored({ output }: SnapshotFlags, what: string, restored: Restored): void {
  process.stdout.write(
    output === "json" ? `${JSON.stringify(restored)}\n` : `${what} (${restored.downMs} ms)\n`,
  );
}

function print({ output }: SnapshotFlags, snapshots: readonly Snapshot[]): void {
  if (output === "json") {
    process.stdout.write(`${JSON.stringify(snapshots)}\n`);
    return;
  }
  const rows = snapshots.map(({ name, created, version, bytes }) => [
    name,
    created,
    version,
    `${(bytes / 1_048_576).toFixed(1)} MiB`,
  ]);
  process.stdout.write(tableOf([["NAME", "CREATED", "VERSION", "SIZE"], ...rows]));
}
