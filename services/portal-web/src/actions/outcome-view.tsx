import type { ActionOutcome } from "@keelson/portal-api";
import { Alert, Button } from "@patternfly/react-core";
import { CopyButton } from "../display/copy-field.tsx";
import { saveFile } from "../display/save-file.ts";
import { StateLabel } from "../display/state-label.tsx";
import { visibleText } from "../display/visible-text.ts";

interface OutcomeViewProps {
  /** Action name, which becomes part of the file name. */
  readonly name: string;
  readonly outcome: ActionOutcome;
}

/** State of an action, with its progress or its result as text. */
export function OutcomeView({ name, outcome }: OutcomeViewProps) {
  const { state, content, truncated, error } = outcome;
  return (
    <section className="outcome" aria-label="Result">
      <p role="status">
        <StateLabel state={state} />
        {state === "Unknown" && " The action may have run. Check the cluster before you repeat it."}
        {state === "Running" && error && " The admin API is busy. The portal reads the state again."}
        {truncated && " There is more than is shown."}
      </p>
      {error && (
        <Alert isInline component="p" variant={state === "Running" ? "warning" : "danger"} title={error.code}>
          {visibleText(error.message)}
        </Alert>
      )}
      {content !== "" && (
        <>
          <div className="dialog-row">
            <CopyButton label="Copy the result" value={content} />
            <Button
              variant="link"
              onClick={() =>
                saveFile(`${name.replace(/[^a-z0-9]+/gi, "-").toLowerCase()}.txt`, "text/plain", content)
              }
            >
              Download
            </Button>
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard. */}
          <section className="outcome-text" aria-label="Text of the result" tabIndex={0}>
            <pre>{visibleText(content)}</pre>
          </section>
        </>
      )}
    </section>
  );
}
