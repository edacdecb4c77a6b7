import { TextInput } from "@patternfly/react-core";

interface ReasonInputProps {
  readonly id: string;
  readonly isRequired?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Input field for the reason of a change. The audit log contains the reason. */
export function ReasonInput({ id, isRequired = false, value, onChange }: ReasonInputProps) {
  return (
    <TextInput
      id={id}
      maxLength={1_024}
      isRequired={isRequired}
      value={value}
      onChange={(_, next) => onChange(next)}
    />
  );
}

/** Returns the property `reason` of a request. Empty if the input field is empty. */
export function reasonOf(value: string): { readonly reason?: string } {
  const reason = value.trim();
  return reason === "" ? {} : { reason };
}
