import { failures } from "@keelson/apimachinery";
import { sleepOnTime } from "@keelson/base";
import type { RegistryContext } from "../resources/registry-context.ts";

/** Maximum wait in milliseconds for a future revision, as in kube-apiserver. */
const patienceMs = 3_000;

/** Resolves when the store has reached a revision. @throws StatusError 504 on timeout */
export async function awaitRevision({ store, clock }: RegistryContext, revision: number): Promise<void> {
  if (revision <= store.head) return;
  const reached = new AbortController();
  const stop = store.onEvent(() => {
    if (revision <= store.head) reached.abort();
  });
  try {
    await sleepOnTime(clock, patienceMs, reached.signal);
  } catch (error) {
    if (!reached.signal.aborted) throw error;
  } finally {
    stop();
  }
  if (revision > store.head) throw failures.tooLargeRevision(revision, store.head);
}
