import { Label } from "@patternfly/react-core";
import { type Status, statusOf } from "./status.ts";

interface StateLabelProps {
  readonly state: string;
  /** What the word means here, where it means something else than elsewhere. */
  readonly status?: Status | undefined;
}

/** A state in a word, with a colour and an icon by what it means. */
export function StateLabel({ state, status = statusOf(state) }: StateLabelProps) {
  return (
    <Label isCompact variant="outline" {...(status ? { status } : { color: "grey" as const })}>
      {state}
    </Label>
  );
}
