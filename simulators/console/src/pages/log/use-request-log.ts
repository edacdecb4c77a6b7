import { useEffect, useState } from "react";
import type { RequestSummary, RequestsView } from "../../api/requests.ts";
import { send } from "../requests/request.ts";

const pollMs = 1_000;
/** Maximum number of requests in the simulated Azure's log. */
const maxRequests = 2_000;

interface RequestLogState {
  /** Recorded requests, newest first. */
  readonly requests: readonly RequestSummary[];
  readonly error: Error | undefined;
}

/** Reads new requests once a second while the page is visible. */
export function useRequestLog(isPaused: boolean): RequestLogState {
  const [state, setState] = useState<RequestLogState>({ requests: [], error: undefined });
  useEffect(() => {
    if (isPaused) return undefined;
    const stop = new AbortController();
    void follow(setState, stop.signal);
    return () => stop.abort();
  }, [isPaused]);
  return state;
}

type SetState = (update: (state: RequestLogState) => RequestLogState) => void;

async function follow(setState: SetState, signal: AbortSignal): Promise<void> {
  let after = 0;
  while (!signal.aborted) {
    if (!document.hidden) {
      try {
        const { requests, newest } = (await send(`/api/requests?after=${after}`, { signal })) as RequestsView;
        const isFirst = after === 0;
        after = newest;
        if (requests.length > 0 || isFirst)
          setState((state) => added(isFirst ? [] : state.requests, requests));
      } catch (error) {
        if (signal.aborted) return;
        // The simulated Azure restarted, so its sequence numbers restarted too.
        after = 0;
        setState(({ requests }) => ({
          requests,
          error: error instanceof Error ? error : new Error(String(error)),
        }));
      }
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function added(known: readonly RequestSummary[], oldestFirst: readonly RequestSummary[]): RequestLogState {
  return { requests: [...oldestFirst.toReversed(), ...known].slice(0, maxRequests), error: undefined };
}
