import { FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useId } from "react";

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Displayed texts by value. */
  readonly options: Readonly<Record<string, string>>;
}

/** Labeled list of choices. */
export function Select({ label, value, onChange, options }: SelectProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <FormSelect id={id} value={value} onChange={(_, next) => onChange(next)}>
        {Object.entries(options).map(([each, text]) => (
          <FormSelectOption key={each} value={each} label={text} />
        ))}
      </FormSelect>
    </div>
  );
}
