import { useMutation, useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { readJson } from "../api/request.ts";

export interface Post {
  readonly path: string;
  readonly body?: unknown;
}

/** Returns a mutation that sends a POST request with the CSRF token of the sign-in. */
export function usePost<Response>(onSuccess: (response: Response) => void) {
  const { data: info } = useQuery(queries.info);
  return useMutation({
    mutationFn: ({ path, body }: Post) =>
      readJson<Response>(path, { method: "POST", body: body ?? {}, csrf: info?.csrf }),
    onSuccess,
  });
}
