import { readFileSync, writeFileSync } from "node:fs";
import { isPlainObject } from "@keelson/base";
import { leasesOf } from "../e2e/support/fleet.ts";
import { Program, StateDirectory } from "../e2e/support/program.ts";
import { type Provider, startProvider } from "../e2e/support/service-process.ts";
import { cosmosDocuments } from "./documents/cosmos-documents.ts";
import { embeddedDocuments } from "./documents/embedded-documents.ts";
import { postgresDocuments } from "./documents/postgres-documents.ts";
import type { SharedDocuments } from "./documents/shared-documents.ts";
import type { EarlierConfig } from "./earlier-versions.ts";

/** Databases of the tests. Only one process at a time can open the embedded database. */
export const places = ["PostgreSQL", "Cosmos DB", "embedded"] as const;
export type Place = (typeof places)[number];

export interface MixedWorldOptions {
  readonly place: Place;
  /** Names of the clusters for which subnets are created. */
  readonly names: readonly string[];
  /** `main.ts` path of the earlier version. */
  readonly earlier: string;
}

/** Simulation with one database. Starts service processes of two versions. */
export class MixedWorld implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #state: StateDirectory;
  readonly documents: SharedDocuments;

  private constructor(stack: AsyncDisposableStack, state: StateDirectory, documents: SharedDocuments) {
    this.#stack = stack;
    this.#state = state;
    this.documents = documents;
  }

  static async start(options: MixedWorldOptions): Promise<MixedWorld> {
    const { place, names, earlier } = options;
    await using stack = new AsyncDisposableStack();
    const state = stack.use(new StateDirectory());
    const flags = ["--state", state.path, "--ports", "auto", "--log-level", "warn"];
    const cosmos = place === "Cosmos DB" ? ["--cosmos-port", "0"] : [];
    // Uses the current version's simulation, because it boots the machines that either version installs. The earlier version's
    // simulation boots no machines that the current version installs.
    const world = stack.use(Program.start("sim", ...flags, ...cosmos, "--subnets-for", ...names));
    await world.says(/clusters/);
    const documents = stack.use(await documentsIn(place, state));
    const config: EarlierConfig = JSON.parse(readFileSync(state.file("service.json"), "utf8"));
    const changed = { ...config, ...leasesOf(10_000), database: documents.database };
    const write = (name: string, content: object) =>
      writeFileSync(state.file(name), JSON.stringify(content), { mode: 0o600 });
    const { database } = documents;
    write("earlier.json", { ...(await forEarlierVersion(earlier, changed)), database });
    write("later.json", changed);
    return new MixedWorld(stack.move(), state, documents);
  }

  /** Starts a service process. `script` is the `main.ts` of the earlier version. Default: the current version. */
  provider(script?: string): Promise<Provider> {
    return startProvider(this.#stack, {
      config: this.#state.file(script === undefined ? "later.json" : "earlier.json"),
      endpoints: this.#state.file("endpoints.json"),
      script,
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

/** Returns a configuration with the fields of the earlier version and the values of the current simulation. */
async function forEarlierVersion(earlier: string, config: EarlierConfig): Promise<EarlierConfig> {
  using state = new StateDirectory();
  await using world = Program.startOf(earlier, "sim", "--state", state.path, "--ports", "auto");
  await world.says(/clusters/);
  const fields: EarlierConfig = JSON.parse(readFileSync(state.file("service.json"), "utf8"));
  const { containerRegistry, ...others } = config;
  const { url, domain } = containerRegistry ?? {};
  // The earlier version has no `url` field, so `domain` must contain the registry's address.
  const registry = { ...containerRegistry, domain: url ? new URL(url).host : domain };
  return withFieldsOf(fields, {
    ...others,
    containerRegistry: registry,
    database: undefined,
  }) as EarlierConfig;
}

function withFieldsOf(fields: unknown, values: unknown): unknown {
  if (values === undefined) return fields;
  if (!isPlainObject(fields) || !isPlainObject(values)) return values;
  // If no field name occurs in both objects, the field names are IDs of encryption keys. Such an object is copied completely.
  if (!Object.keys(fields).some((name) => name in values)) return values;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, withFieldsOf(field, values[name])]),
  );
}

async function documentsIn(place: Place, state: StateDirectory): Promise<SharedDocuments> {
  if (place === "Cosmos DB") return cosmosDocuments(state.file("service.json"));
  return place === "PostgreSQL" ? await postgresDocuments() : embeddedDocuments(state.file("database"));
}
