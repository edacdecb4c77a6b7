import { FormSelect, FormSelectOption, TextArea, TextInput } from "@patternfly/react-core";
import type { FormField } from "./form-values.ts";

interface ActionFieldProps {
  readonly field: FormField;
  readonly value: string;
  readonly suggestions: readonly string[];
  readonly onChange: (value: string) => void;
}

/** Form field for one parameter of an action. The parameter's type determines the input element. */
export function ActionField({ field, value, suggestions, onChange }: ActionFieldProps) {
  const { name, kind, required, allowed } = field;
  const id = `action-${name.replace(/\W+/g, "-")}`;
  const change = (_: unknown, next: string) => onChange(next);
  const label = (
    <label htmlFor={id}>
      {name}
      {required && <span aria-hidden="true"> *</span>}
    </label>
  );
  switch (kind) {
    case "boolean":
    case "choice":
      return (
        <div>
          {label}
          <FormSelect id={id} value={value} onChange={change} isRequired={required}>
            {kind === "choice" && <FormSelectOption value="" label="Choose" />}
            {(kind === "boolean" ? ["true", "false"] : allowed).map((each) => (
              <FormSelectOption key={each} value={each} label={each} />
            ))}
          </FormSelect>
        </div>
      );
    case "json":
      return (
        <div>
          {label}
          <TextArea
            id={id}
            className="mono"
            rows={10}
            spellCheck={false}
            placeholder="JSON"
            value={value}
            onChange={change}
            isRequired={required}
          />
        </div>
      );
    default:
      return (
        <div>
          {label}
          <TextInput
            id={id}
            className={kind === "command" ? "mono" : ""}
            list={suggestions.length > 0 ? `${id}-list` : undefined}
            autoComplete="off"
            spellCheck={false}
            value={value}
            onChange={change}
            isRequired={required}
          />
          {suggestions.length > 0 && (
            <datalist id={`${id}-list`}>
              {suggestions.map((each) => (
                <option key={each} value={each} />
              ))}
            </datalist>
          )}
        </div>
      );
  }
}
