import { SearchInput } from "@patternfly/react-core";

interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for words that rows must have. */
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

/** True if a text has every word of a filter, in any letter case. */
export function matchesWords(filter: string, text: string): boolean {
  const lower = text.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
