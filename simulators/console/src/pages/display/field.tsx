import { TextInput } from "@patternfly/react-core";
import { useId } from "react";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  readonly isInvalid?: boolean;
}

/** A text field with its label. */
export function Field({
  label,
  value,
  onChange,
  placeholder,
  hint,
  isRequired = false,
  isInvalid = false,
}: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {isRequired ? " *" : ""}
      </label>
      <TextInput
        id={id}
        value={value}
        isRequired={isRequired}
        validated={isInvalid ? "error" : "default"}
        onChange={(_, next) => onChange(next)}
        {...(placeholder === undefined ? {} : { placeholder })}
        {...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` })}
      />
      {hint !== undefined && (
        <span className="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}
