import { SearchInput } from "@patternfly/react-core";

interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Input field for a filter. Only rows that contain all words of the filter are shown. */
export function FilterField({ label, value, onChange }: FilterFieldProps) {
  return (
    <div className="toolbar">
      <SearchInput
        className="filter"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(_, next) => onChange(next)}
        onClear={() => onChange("")}
      />
    </div>
  );
}

/** True if a string contains every word of a filter. Case is ignored. */
export function matchesWords(filter: string, text: string): boolean {
  const lower = text.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
