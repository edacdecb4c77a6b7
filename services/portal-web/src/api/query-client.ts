import { QueryCache, QueryClient } from "@tanstack/react-query";
import { RequestFailed } from "./request.ts";
import { goToSignIn } from "./sign-in.ts";

const freshMs = 10_000;
const triesOfGateway = 2;
const notReadyMs = 10_000;

/**
 * True if a new cluster has not granted the portal's permissions yet. A new cluster grants them some time after its installation.
 */
const isNotReady = (error: unknown) => error instanceof RequestFailed && error.code === "AccessNotReady";

/** Creates the query cache. If a response requires a sign-in, the browser is redirected to the sign-in page and back. */
export const createQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof RequestFailed && error.status === 401) goToSignIn();
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        networkMode: "always",
        retry: (failures, error) =>
          failures < triesOfGateway &&
          !(error instanceof RequestFailed && (error.status < 500 || isNotReady(error))),
        // The query repeats until the data is available. Meanwhile the page shows the reason.
        refetchInterval: ({ state }) => (isNotReady(state.error) ? notReadyMs : false),
      },
    },
  });
