import type { ClusterSummary } from "@keelson/portal-api";
import { Button } from "@patternfly/react-core";
import { saveFile } from "../display/save-file.ts";
import { clustersCsv, clustersJson } from "./export.ts";

interface ExportButtonsProps {
  /** Returns the displayed clusters in their order. */
  readonly clusters: () => readonly ClusterSummary[];
  readonly isEmpty: boolean;
}

/** Buttons that save the displayed clusters as a file. */
export function ExportButtons({ clusters, isEmpty }: ExportButtonsProps) {
  const save = (format: "csv" | "json") => {
    const nowMs = Date.now();
    const text = format === "csv" ? clustersCsv(clusters(), nowMs) : clustersJson(clusters(), nowMs);
    saveFile(`clusters.${format}`, format === "csv" ? "text/csv" : "application/json", text);
  };
  return (
    <span className="export">
      <Button variant="link" isInline isDisabled={isEmpty} onClick={() => save("csv")}>
        Export CSV
      </Button>
      <Button variant="link" isInline isDisabled={isEmpty} onClick={() => save("json")}>
        Export JSON
      </Button>
    </span>
  );
}
