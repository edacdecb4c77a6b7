import type { RecordingView } from "@keelson/portal-api";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { apiPath, type ClusterRef } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { Dialog } from "../display/dialog.tsx";
import { QueryView } from "../display/query-view.tsx";
import { TimeText } from "../display/time-text.tsx";
import { parseCast } from "./cast.ts";
import { RecordingPlayer } from "./recording-player.tsx";

interface RecordingDialogProps {
  readonly cluster: ClusterRef;
  readonly recording: RecordingView;
  readonly onClose: () => void;
}

/** Dialog for one recording. A person can read, play or download it. */
export default function RecordingDialog({ cluster, recording, onClose }: RecordingDialogProps) {
  const { id, username, master, command, startedAt, truncated } = recording;
  const cast = useQuery(queries.recording(cluster, id));
  return (
    <Dialog id="recording" title={`${username} on master-${master}`} onClose={onClose}>
      <p>
        <TimeText at={startedAt} />, {command === undefined ? "a shell" : <code>{command}</code>}.{" "}
        {truncated && "More was shown than is kept. "}
        <a href={`${apiPath(cluster)}/recordings/${encodeURIComponent(id)}`} download>
          Download
        </a>{" "}
        (asciicast)
      </p>
      <QueryView query={cast} subject="the recording">
        {(text) => <CastView text={text} />}
      </QueryView>
    </Dialog>
  );
}

function CastView({ text }: { readonly text: string }) {
  const cast = useMemo(() => parseCast(text), [text]);
  if (cast.events.length === 0) return <div className="empty">Nothing was shown.</div>;
  return <RecordingPlayer cast={cast} />;
}
