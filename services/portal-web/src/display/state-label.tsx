import { Label } from "@patternfly/react-core";
import { type Status, statusOf } from "./status.ts";

interface StateLabelProps {
  readonly state: string;
  /** Status that determines the colour and the icon. Default: the status of this state according to `statusOf`. */
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
