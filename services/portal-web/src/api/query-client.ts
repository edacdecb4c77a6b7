import { QueryCache, QueryClient } from "@tanstack/react-query";
import { RequestFailed } from "./request.ts";
import { goToSignIn } from "./sign-in.ts";

const freshMs = 10_000;
const triesOfGateway = 2;
const notReadyMs = 10_000;

/**
 * True if the portal does not have its permissions in the cluster yet. A new cluster grants them some time after its
 * installation.
 */
const isNotReady = (error: unknown) => error instanceof RequestFailed && error.code === "AccessNotReady";

/**
 * Creates the query cache. If a response requires a sign-in, the browser is redirected to the sign-in page, and then back to the
 * portal.
 */
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
        // The query is repeated until the data is available. Until then, the page shows why it is not available.
        refetchInterval: ({ state }) => (isNotReady(state.error) ? notReadyMs : false),
      },
    },
  });
