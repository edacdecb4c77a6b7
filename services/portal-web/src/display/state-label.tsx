import { Label } from "@patternfly/react-core";
import { type Status, statusOf } from "./status.ts";

interface StateLabelProps {
  readonly state: string;
  /** Status that replaces the usual status of the state's word. */
  readonly status?: Status | undefined;
}

/** State, displayed as a word. The colour and the icon depend on the state's status. */
export function StateLabel({ state, status = statusOf(state) }: StateLabelProps) {
  return (
    <Label isCompact variant="outline" {...(status ? { status } : { color: "grey" as const })}>
      {state}
    </Label>
  );
}
