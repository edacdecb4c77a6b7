import { QueryClient } from "@tanstack/react-query";
import { RequestFailed } from "./request.ts";

/**
 * Creates the query client. The client retries requests without a response. Errors that the console returns are shown
 * immediately.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        retry: (failures, error) => !(error instanceof RequestFailed) && failures < 2,
        retryDelay: 1_000,
      },
      mutations: { retry: false },
    },
  });
}
