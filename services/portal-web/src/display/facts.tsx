import type { ReactNode } from "react";

interface FactsProps {
  readonly title: string;
  readonly facts: Readonly<Record<string, ReactNode>>;
}

/** List of names and values with a title. An empty value is shown as a dash. Renders nothing if the list is empty. */
export function Facts({ title, facts }: FactsProps) {
  const rows = Object.entries(facts);
  if (rows.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <dl className="facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value || "–"}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
