import { join } from "node:path";
import { Secret } from "@keelson/base";
import { type OpenedState, openState } from "@keelson/sim-azure";
import { startConsole } from "@keelson/sim-console";
import type { ComponentSettings } from "../../supervisor/component.ts";
import type { OpenDeps, OpenedComponent } from "../../supervisor/run-component.ts";
import { consoleFacts, consoleUserAgent } from "../console/console-facts.ts";
import { type InstanceState, readInstanceState } from "../open-state.ts";
import { startAzure } from "../start-azure.ts";
import type { WorldDeps } from "../world-deps.ts";

/** Loads the state of the simulated Azure. `serve` starts the simulated Azure and the console of the simulated world. */
export async function openAzureComponent({ settings, world, ...deps }: OpenDeps): Promise<OpenedComponent> {
  const state = await readInstanceState(settings.directory);
  const opened = await openState(join(world, "azure.sqlite"));
  return {
    serve({ report }) {
      report("starting the simulated Azure");
      return serve(settings, { ...state, ...deps }, opened);
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

/** Starts the simulated Azure and the console. The console shows the requests that this process receives. */
async function serve(
  { clusterAddresses = false, without }: ComponentSettings,
  state: WorldDeps,
  opened: OpenedState,
): Promise<AsyncDisposable> {
  const hasConsole = !without.includes("console");
  await using stack = new AsyncDisposableStack();
  const logging = hasConsole ? { logReader: consoleUserAgent } : {};
  const azure = stack.use(await startAzure({ ...state, opened, clusterAddresses, ...logging }));
  if (hasConsole) {
    const resources = stack.use(new AsyncDisposableStack());
    stack.use(
      await startConsole({
        ...listenerOf(state),
        facts: consoleFacts(state, { hasPortal: !without.includes("portal") }),
        async connect() {
          const { connectWorld } = await import("../console/connect-world.ts");
          return resources.use(await connectWorld(state, azure));
        },
        clock: state.clock,
        logger: state.logger.child({ component: "console" }),
      }),
    );
  }
  return stack.move();
}

function listenerOf({ identity, local, ports }: InstanceState) {
  return {
    host: "127.0.0.1",
    port: ports.console,
    tls: local.serving,
    controlToken: new Secret(identity.adminToken),
  } as const;
}
