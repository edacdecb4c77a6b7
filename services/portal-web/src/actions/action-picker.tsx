import type { ActionForm } from "@keelson/portal-api";
import { FormSelect, FormSelectOption, FormSelectOptionGroup } from "@patternfly/react-core";

interface ActionPickerProps {
  readonly forms: readonly ActionForm[];
  readonly selected: string;
  readonly onSelect: (action: string) => void;
}

/**
 * List of all actions in two groups. The actions of the first group only read data. The actions of the second group change the
 * cluster.
 */
export function ActionPicker({ forms, selected, onSelect }: ActionPickerProps) {
  const groups = [
    ["Read", forms.filter(({ changes }) => !changes)],
    ["Change", forms.filter(({ changes, destructive }) => changes && !destructive)],
    ["Interrupt, replace or delete", forms.filter(({ destructive }) => destructive)],
  ] as const;
  return (
    <div className="toolbar">
      <label htmlFor="action">Action</label>
      <FormSelect id="action" value={selected} onChange={(_, value) => onSelect(value)}>
        <FormSelectOption value="" label="Choose an action" />
        {groups.map(([label, members]) => (
          <FormSelectOptionGroup key={label} label={label}>
            {members.map(({ action, summary, allowed, role }) => (
              <FormSelectOption
                key={action}
                value={action}
                label={`${action}: ${summary}${allowed ? "" : ` (needs ${role})`}`}
              />
            ))}
          </FormSelectOptionGroup>
        ))}
      </FormSelect>
    </div>
  );
}
