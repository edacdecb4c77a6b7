import { Button } from "@patternfly/react-core";
import AngleIcon from "@patternfly/react-icons/dist/esm/icons/angle-right-icon";
import { type ReactNode, useState } from "react";

/** Returns two functions. The first returns true for an expanded row of a table, and the second expands or collapses a row. */
export function useExpanded(): { isOpen: (name: string) => boolean; toggle: (name: string) => void } {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  return {
    isOpen: (name) => open.has(name),
    toggle: (name) => setOpen(open.symmetricDifference(new Set([name]))),
  };
}

interface ExpandableNameProps {
  readonly name: ReactNode;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

/** Name of a row. A click on the name shows additional content below the row. */
export function ExpandableName({ name, isOpen, onToggle }: ExpandableNameProps) {
  return (
    <Button
      variant="link"
      isInline
      className={isOpen ? "expandable open" : "expandable"}
      icon={<AngleIcon />}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      {name}
    </Button>
  );
}
