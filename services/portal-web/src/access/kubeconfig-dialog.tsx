import { Alert, Button } from "@patternfly/react-core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { send } from "../api/request.ts";
import { Dialog } from "../display/dialog.tsx";
import { Failure } from "../display/query-view.tsx";
import { saveBlob } from "../display/save-file.ts";
import { TimeText } from "../display/time-text.tsx";
import { fileNameOf } from "./file-name.ts";

interface KubeconfigDialogProps {
  readonly name: string;
  /** `{R}` */
  readonly path: string;
  readonly onClose: () => void;
}

/** Dialog that requests a kubeconfig and downloads it. */
export default function KubeconfigDialog({ name, path, onClose }: KubeconfigDialogProps) {
  const { data: info } = useQuery(queries.info);
  const download = useMutation({
    mutationFn: async () => {
      const response = await send(`${path}/kubeconfig/new`, {
        method: "POST",
        csrf: info?.csrf,
      });
      const file = fileNameOf(response.headers.get("content-disposition"), `${name}.kubeconfig`);
      saveBlob(await response.blob(), file);
      return file;
    },
  });
  return (
    <Dialog id="kubeconfigModal" title={`Kubeconfig of ${name}`} onClose={onClose}>
      <p>
        {info?.elevated
          ? "It acts as the service itself and may do everything in the cluster."
          : "It reads everything but Secrets, and logs. It changes nothing."}{" "}
        It is valid for six hours, or until you sign out
        {info?.elevatedUntil !== undefined && (
          <>
            , but not longer than your role elevated (<TimeText at={info.elevatedUntil} />)
          </>
        )}
        . It connects through this portal, which records each request. You can revoke it on the cluster&apos;s
        page Sessions.
      </p>
      <div className="dialog-row">
        <Button isDisabled={!info} isLoading={download.isPending} onClick={() => download.mutate()}>
          Download
        </Button>
      </div>
      {download.error && (
        <Failure error={download.error} title="Cannot get a kubeconfig" retry={() => download.mutate()} />
      )}
      {download.data && (
        <Alert isInline isLiveRegion component="p" variant="success" title={`Downloaded ${download.data}`}>
          <code>kubectl --kubeconfig {download.data} get nodes</code>
        </Alert>
      )}
    </Dialog>
  );
}
