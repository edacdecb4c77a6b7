import { Button } from "@patternfly/react-core";
import { type ReactNode, useEffect, useState } from "react";

interface ConfirmButtonProps {
  /** Accessible name, for example "Delete group a". */
  readonly label: string;
  readonly children: ReactNode;
  readonly isDisabled?: boolean;
  readonly onConfirm: () => void;
}

const forgetMs = 5_000;

/** Button that requires a second click within five seconds. */
export function ConfirmButton({ label, children, isDisabled = false, onConfirm }: ConfirmButtonProps) {
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (!isAsking) return undefined;
    const timer = setTimeout(() => setAsking(false), forgetMs);
    return () => clearTimeout(timer);
  }, [isAsking]);
  return (
    <Button
      variant={isAsking ? "danger" : "secondary"}
      size="sm"
      isDanger={!isAsking}
      isDisabled={isDisabled}
      aria-label={isAsking ? `Confirm: ${label}` : label}
      onClick={() => {
        setAsking(!isAsking);
        if (isAsking) onConfirm();
      }}
    >
      {isAsking ? "Confirm" : children}
    </Button>
  );
}
