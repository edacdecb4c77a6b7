import { QueryCache, QueryClient } from "@tanstack/react-query";
import { RequestFailed } from "./request.ts";
import { goToSignIn } from "./sign-in.ts";

const freshMs = 10_000;
const triesOfGateway = 2;
const notReadyMs = 10_000;

/** A new cluster grants no rights immediately after its installation. */
const isNotReady = (error: unknown) => error instanceof RequestFailed && error.code === "AccessNotReady";

/** Creates the query cache. A response that requires a sign-in redirects to it and back. */
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
        // The data becomes available later. Meanwhile the page shows the reason.
        refetchInterval: ({ state }) => (isNotReady(state.error) ? notReadyMs : false),
      },
    },
  });
