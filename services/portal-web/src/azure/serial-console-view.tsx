import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { apiPath, type ClusterRef, resourcePath } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { QueryView } from "../display/query-view.tsx";
import { LogLines } from "../inside/log-view.tsx";

interface SerialConsoleViewProps {
  readonly cluster: ClusterRef;
  readonly vmName: string;
}

/** Output of a virtual machine's serial console, from the boot diagnostics of Azure. The page cannot send input. */
export function SerialConsoleView({ cluster, vmName }: SerialConsoleViewProps) {
  const console = useQuery({ ...queries.serialConsole(cluster, vmName), retry: false });
  return (
    <>
      <p>
        <Link href={`${resourcePath(cluster)}/azureresources`}>All Azure resources</Link>
      </p>
      <h3>Serial console of {vmName}</h3>
      <div className="toolbar">
        <Button variant="link" isInline onClick={() => void console.refetch()}>
          Read again
        </Button>
        <a href={`${apiPath(cluster)}/serial-console-file?${new URLSearchParams({ vmName })}`} download>
          Download
        </a>
      </div>
      <QueryView query={console} subject="the serial console">
        {({ lines, truncated }) => (
          <LogLines lines={lines} note={truncated ? "Earlier or longer lines are omitted." : ""} />
        )}
      </QueryView>
    </>
  );
}
