import { Label } from "@patternfly/react-core";
import { type Status, statusOf } from "./status.ts";

interface StateLabelProps {
  readonly state: string;
  /** Status that overrides the word's usual status. */
  readonly status?: Status | undefined;
}

/** State as a word. Its status determines the colour and the icon. */
export function StateLabel({ state, status = statusOf(state) }: StateLabelProps) {
  return (
    <Label isCompact variant="outline" {...(status ? { status } : { color: "grey" as const })}>
      {state}
    </Label>
  );
}
