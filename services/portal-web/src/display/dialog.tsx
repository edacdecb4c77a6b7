import { Button } from "@patternfly/react-core";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

interface DialogProps {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Modal dialog of the browser. It traps the focus, closes with Escape, and then restores the focus. */
export function Dialog({ id, title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // The dialog is closed before it is removed from the page, because closing restores the focus.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // A person opens a dialog to fill in its first field. Without fields, the browser focuses the first button.
    shown?.querySelector<HTMLElement>("input, select")?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} id={id} aria-labelledby={titleId} className="dialog" onCancel={onClose}>
      <div className="dialog-head">
        <h2 id={titleId}>{title}</h2>
        <Button variant="plain" aria-label="Close" onClick={onClose}>
          ✕
        </Button>
      </div>
      {children}
    </dialog>
  );
}
