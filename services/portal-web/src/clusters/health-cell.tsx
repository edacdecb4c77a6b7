import type { ClusterHealth } from "@keelson/portal-api";
import { StateLabel } from "../display/state-label.tsx";
import { formatAge } from "../display/time.ts";
import { healthPhrases, healthStatus, healthWord, problemNames, problemPhrase } from "./health.ts";

interface HealthCellProps {
  readonly health: ClusterHealth;
  readonly nowMs: number;
}

/** Table cell with the health of a cluster. The cell's description contains the names of affected objects. */
export function HealthCell({ health, nowMs }: HealthCellProps) {
  const phrases = healthPhrases(health);
  const names = health.problems.map((problem) => `${problemPhrase(problem)}: ${problemNames(problem)}`);
  return (
    <div className="health-cell" {...(names.length > 0 ? { title: names.join("\n") } : {})}>
      <StateLabel state={healthWord(health)} status={healthStatus[health.state]} />
      {phrases.length > 0 && <span className="phrases">{phrases.join(", ")}</span>}
      {health.observedAt !== undefined && (
        <span className="faint observed">seen {formatAge(health.observedAt, nowMs)}</span>
      )}
    </div>
  );
}
