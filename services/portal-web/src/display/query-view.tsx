import { Alert, Button, Skeleton } from "@patternfly/react-core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { RequestFailed } from "../api/request.ts";
import { signInPath } from "../api/sign-in.ts";
import { ElevationHint } from "./elevation-hint.tsx";

interface QueryViewProps<T> {
  readonly query: UseQueryResult<T>;
  /** Name of the data in messages, for example "nodes". */
  readonly subject: string;
  readonly children: (data: T) => ReactNode;
}

/** Displays the data of a query, its loading state, or its error. If an update fails, the earlier data remains visible. */
export function QueryView<T>({ query, subject, children }: QueryViewProps<T>) {
  const { data, error, refetch } = query;
  return (
    <>
      {error && <Failure error={error} title={`Cannot show ${subject}`} retry={() => void refetch()} />}
      {data === undefined ? !error && <Loading subject={subject} /> : children(data)}
    </>
  );
}

function Loading({ subject }: { readonly subject: string }) {
  return (
    <div className="loading" role="status">
      <Skeleton screenreaderText={`Reading ${subject}`} width="60%" />
      <Skeleton width="90%" />
      <Skeleton width="75%" />
    </div>
  );
}

interface FailureProps {
  readonly error: Error;
  /** Name of the failure, for example "Cannot show nodes". */
  readonly title: string;
  readonly retry: () => void;
}

/** Failure of a request, with its remedy. */
export function Failure({ error, title, retry }: FailureProps) {
  const isSignIn = error instanceof RequestFailed && error.status === 401;
  const code = error instanceof RequestFailed ? ` (${error.code})` : "";
  const needsElevation =
    error instanceof RequestFailed && error.status === 403 && error.message.startsWith("Elevated access");
  return (
    <Alert
      isInline
      isLiveRegion
      component="p"
      className="failure"
      variant="danger"
      title={isSignIn ? "Your sign-in has ended" : `${title}${code}`}
      actionLinks={
        isSignIn ? (
          <a href={signInPath(location.pathname + location.search)}>Sign in</a>
        ) : (
          <Button variant="link" isInline onClick={retry}>
            Try again
          </Button>
        )
      }
    >
      {error instanceof RequestFailed ? error.message : "The portal cannot be reached."}{" "}
      {needsElevation && <ElevationHint />}
    </Alert>
  );
}
