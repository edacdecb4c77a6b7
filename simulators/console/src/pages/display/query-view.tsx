import { Alert, Button, Skeleton } from "@patternfly/react-core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { RequestFailed } from "../requests/request.ts";

interface QueryViewProps<T> {
  readonly query: UseQueryResult<T>;
  /** Plural noun for the data, for example "faults". */
  readonly subject: string;
  readonly children: (data: T) => ReactNode;
}

/** Shows the data, progress or error of a query. If a later read fails, the previous data remains visible. */
export function QueryView<T>({ query, subject, children }: QueryViewProps<T>) {
  const { data, error, refetch } = query;
  return (
    <>
      {error && <Failure error={error} title={`Cannot read ${subject}`} retry={() => void refetch()} />}
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
  readonly title: string;
  readonly retry?: () => void;
}

export function Failure({ error, title, retry }: FailureProps) {
  const isSignedOut = error instanceof RequestFailed && error.status === 401;
  return (
    <Alert
      isInline
      isLiveRegion
      component="p"
      className="failure"
      variant="danger"
      title={isSignedOut ? "This browser is not signed in" : title}
      actionLinks={
        retry && !isSignedOut ? (
          <Button variant="link" isInline onClick={retry}>
            Try again
          </Button>
        ) : undefined
      }
    >
      {error instanceof RequestFailed ? error.message : "The console does not respond."}
    </Alert>
  );
}
