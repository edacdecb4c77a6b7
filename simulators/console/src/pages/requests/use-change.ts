import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { queries } from "./queries.ts";
import { send } from "./request.ts";

export interface Change {
  readonly method: "POST" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

/** Sends changes with the session's CSRF token. After each change, refetches the queries with this key. */
export function useChange(...key: readonly string[]): UseMutationResult<unknown, Error, Change> {
  const client = useQueryClient();
  return useMutation({
    async mutationFn({ method, path, body }: Change) {
      const { csrf } = await client.fetchQuery({ ...queries.info, staleTime: Number.POSITIVE_INFINITY });
      return send(path, { method, csrf, body });
    },
    onSettled: () => client.invalidateQueries({ queryKey: [...key] }),
  });
}
