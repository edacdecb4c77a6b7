import { Button, Checkbox } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useState } from "react";
import { Link } from "wouter";
import { apiPath, type ClusterRef, resourcePath } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { FilterField } from "../display/filter-field.tsx";
import { QueryView } from "../display/query-view.tsx";
import { TextBox } from "../display/text-box.tsx";
import { appendLines, matchingLines } from "./log-lines.ts";

interface LogViewProps {
  readonly cluster: ClusterRef;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** Log of a container. It shows the last lines, appends new lines, and filters lines by a string. */
export function LogView({ cluster, namespace, pod, container }: LogViewProps) {
  const path = `${apiPath(cluster)}/pods/${[namespace, pod, container].map(encodeURIComponent).join("/")}`;
  const log = useQuery(queries.containerLog(cluster, path));
  const [isFollowed, setFollowed] = useState(false);
  return (
    <>
      <p>
        <Link href={`${resourcePath(cluster)}/pods`}>All pods</Link>
      </p>
      <h3>
        {namespace}/{pod} · {container}
      </h3>
      <div className="toolbar">
        <Checkbox
          id="follow-log"
          label="Follow"
          isChecked={isFollowed}
          onChange={(_, checked) => setFollowed(checked)}
        />
        <Button variant="link" isInline onClick={() => void log.refetch()}>
          Read again
        </Button>
        <a href={`${path}/log-file`} download>
          Download
        </a>
      </div>
      {isFollowed ? (
        <FollowedLog path={path} />
      ) : (
        <QueryView query={log} subject="the log">
          {({ lines, truncated }) => (
            <LogLines lines={lines} note={truncated ? "The log has earlier or longer lines." : ""} />
          )}
        </QueryView>
      )}
    </>
  );
}

function FollowedLog({ path }: { readonly path: string }) {
  const [lines, setLines] = useState<readonly string[]>([]);
  const [end, setEnd] = useState("");
  useEffect(() => {
    setLines([]);
    setEnd("");
    const source = new EventSource(`${path}/log-stream`);
    source.addEventListener("lines", ({ data }: MessageEvent<string>) =>
      setLines((known) => appendLines(known, JSON.parse(data))),
    );
    const close = (reason: string) => {
      source.close();
      setEnd(reason);
    };
    source.addEventListener("end", ({ data }: MessageEvent<string>) => close(JSON.parse(data).reason));
    // The stream is closed after an error, because a reconnection would repeat lines.
    source.addEventListener("error", () => close("The connection was lost, or the log was refused."));
    return () => source.close();
  }, [path]);
  return <LogLines lines={lines} note={end} isFollowed />;
}

interface LogLinesProps {
  readonly lines: readonly string[];
  readonly note: string;
  readonly isFollowed?: boolean;
}

/** Lines of a log, with a filter and the number of lines. */
export function LogLines({ lines, note, isFollowed = false }: LogLinesProps) {
  const [text, setText] = useState("");
  const shownText = useDeferredValue(text);
  const shown = matchingLines(lines, shownText);
  return (
    <>
      <FilterField label="Lines with this text" value={text} onChange={setText} />
      <p role="status" className="faint">
        {shown.length === lines.length ? "" : `${shown.length} of `}
        {lines.length} {lines.length === 1 ? "line" : "lines"}. {note}
      </p>
      <TextBox label="Log" text={shown.join("\n")} showsEnd={isFollowed} />
    </>
  );
}
