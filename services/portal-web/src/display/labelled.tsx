import type { ReactNode } from "react";

interface LabelledProps {
  readonly label: string;
  /** `id` of the field. */
  readonly htmlFor: string;
  /** True if the field uses the free width of its row. */
  readonly isWide?: boolean;
  /** The field. */
  readonly children: ReactNode;
}

/** Label with its field, which stay in one line of a toolbar. */
export function Labelled({ label, htmlFor, isWide = false, children }: LabelledProps) {
  return (
    <div className={isWide ? "labelled wide" : "labelled"}>
      <label htmlFor={htmlFor}>{label}</label>
      {children}
    </div>
  );
}
