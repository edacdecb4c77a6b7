import { Alert, AlertActionCloseButton } from "@patternfly/react-core";
import { Link } from "wouter";
import { operationWatch, useOperationWatch } from "./use-watch.ts";

/** Live region with notices about ended operations. Screen readers announce new notices. */
export function Notices() {
  const { notices } = useOperationWatch();
  return (
    <section className="notices" aria-label="Notices" aria-live="polite">
      {notices.map(({ id, title, path, isFailure }) => (
        <Alert
          key={id}
          isInline
          component="p"
          variant={isFailure ? "danger" : "success"}
          title={title}
          actionClose={
            <AlertActionCloseButton
              aria-label={`Close: ${title}`}
              onClose={() => operationWatch().dismiss(id)}
            />
          }
          {...(path === undefined
            ? {}
            : {
                actionLinks: (
                  <Link href={path} onClick={() => operationWatch().dismiss(id)}>
                    Show the operation
                  </Link>
                ),
              })}
        />
      ))}
    </section>
  );
}
