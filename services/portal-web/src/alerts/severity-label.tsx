import { StateLabel } from "../display/state-label.tsx";

/** Severity of an alert. It has a colour and an icon. */
export function SeverityLabel({ severity }: { readonly severity: string }) {
  const status = severity === "critical" ? "danger" : severity === "warning" ? "warning" : "info";
  return <StateLabel state={severity || "none"} status={status} />;
}
