import assert from "node:assert/strict";
import { Customers } from "../chaos/customers.ts";
import { endedOperations, failedSteps } from "../e2e/support/stored-documents.ts";
import { MixedProcesses } from "./mixed-processes.ts";
import { MixedWorld, type Place } from "./mixed-world.ts";
import { addUnknownFields, assertUnknownFieldsStayed } from "./unknown-fields.ts";

export interface SideBySideOptions {
  readonly place: Place;
  /** `main.ts` path of the earlier version. */
  readonly earlier: string;
  readonly isForwardOnly?: boolean;
  /**
   * Number of concurrent clusters. Each is created, updated with unknown fields and deleted repeatedly until the last phase ends.
   */
  readonly clusters: number;
  /** Number of repetitions of all phases. */
  readonly rounds: number;
  /** Average time between two kills of a process in milliseconds. */
  readonly killEveryMs: number;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** API version that every earlier version supports. */
const apiVersion = "2023-11-22";

/**
 * Tests an upgrade and its rollback with both versions on the same documents.
 *
 * Runs processes of an earlier version and of the current version in every combination that occurs during an upgrade. If only one
 * process at a time can open the documents, processes of the two versions run alternately. Meanwhile, customers create, update
 * and delete clusters, and the test kills processes.
 * @returns the numbers of completed operations and killed processes
 * @throws AssertionError if an operation fails, a completed step runs again or a field is lost
 */
export async function runSideBySide(
  options: SideBySideOptions,
): Promise<{ readonly operations: number; readonly kills: number }> {
  const { place, clusters, report, signal } = options;
  const names = Array.from({ length: clusters }, (_, at) => `mixed${at}`);
  await using world = await MixedWorld.start({ ...options, names });
  const { documents } = world;
  const isShared = place !== "embedded";
  const processes = new MixedProcesses(world, { ...options, isShared });
  const customers = new Customers({
    client: () => processes.anyClient(),
    failures: async (name) => (isShared ? failedSteps(documents, name) : []),
    apiVersion,
    report,
    signal,
  });
  await processes.start();
  const requests = new Map<string, object>();
  for (const name of names) requests.set(name, await processes.anyClient().clusterRequest(name));
  const phasesOver = new AbortController();
  const changing = processes.change().finally(() => phasesOver.abort());
  changing.catch(() => undefined);
  const live = async (name: string) => {
    do {
      await customers.create(name, requests.get(name) ?? {});
      if (isShared) await addUnknownFields(documents, name);
      for (const round of ["first", "second", "third"]) {
        await customers.update(name, { round });
        if (isShared) await assertUnknownFieldsStayed(documents, name);
      }
      await customers.delete(name);
    } while (!phasesOver.signal.aborted);
  };
  await Promise.all([changing, ...names.map(live)]);
  await processes.stop();
  const operations = await endedOperations(documents);
  assert.ok(operations >= clusters * 5, `${operations} operations`);
  assert.deepEqual(await documents.list("openshift_clusters"), []);
  return { operations, kills: processes.kills };
}
