import { Button, InputGroup, InputGroupItem, TextInput } from "@patternfly/react-core";
import CheckIcon from "@patternfly/react-icons/dist/esm/icons/check-circle-icon";
import CopyIcon from "@patternfly/react-icons/dist/esm/icons/copy-icon";
import { useState } from "react";

interface CopyFieldProps {
  readonly label: string;
  readonly value: string;
  readonly type?: "text" | "password";
}

/** Read-only field with a copy button. */
export function CopyField({ label, value, type = "text" }: CopyFieldProps) {
  return (
    <div className="copy-field">
      <span aria-hidden="true">{label}</span>
      <InputGroup>
        <InputGroupItem isFill>
          <TextInput readOnly aria-label={label} type={type} value={value} className="mono" />
        </InputGroupItem>
        <InputGroupItem>
          <CopyButton label={`Copy ${label.toLowerCase()}`} value={value} variant="control" />
        </InputGroupItem>
      </InputGroup>
    </div>
  );
}

interface CopyButtonProps {
  readonly label: string;
  readonly value: string;
  readonly variant?: "control" | "plain";
}

const shownMs = 2_000;

/** Button that copies a value to the clipboard and confirms it briefly. */
export function CopyButton({ label, value, variant = "plain" }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    setTimeout(() => setCopied(false), shownMs);
  };
  return (
    <>
      <Button
        aria-label={label}
        title={copied ? "Copied" : label}
        variant={variant}
        icon={copied ? <CheckIcon /> : <CopyIcon />}
        onClick={() => void copy()}
      />
      <span role="status" className="pf-v6-screen-reader">
        {copied ? "Copied" : ""}
      </span>
    </>
  );
}
