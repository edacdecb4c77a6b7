import { Label } from "@patternfly/react-core";
import { type Status, statusOf } from "./status.ts";

interface StateLabelProps {
  readonly state: string;
  /** Status, if the word has a different meaning here. */
  readonly status?: Status | undefined;
}

/** State as a word, with a colour and an icon for its status. */
export function StateLabel({ state, status = statusOf(state) }: StateLabelProps) {
  return (
    <Label isCompact variant="outline" {...(status ? { status } : { color: "grey" as const })}>
      {state}
    </Label>
  );
}
