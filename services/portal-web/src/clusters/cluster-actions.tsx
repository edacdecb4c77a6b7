import { Button } from "@patternfly/react-core";
import ChartIcon from "@patternfly/react-icons/dist/esm/icons/chart-line-icon";
import DownloadIcon from "@patternfly/react-icons/dist/esm/icons/download-icon";
import TerminalIcon from "@patternfly/react-icons/dist/esm/icons/terminal-icon";
import { lazy, Suspense, useState } from "react";
import { CopyButton } from "../display/copy-field.tsx";

const SshDialog = lazy(() => import("../access/ssh-dialog.tsx"));
const KubeconfigDialog = lazy(() => import("../access/kubeconfig-dialog.tsx"));

interface ClusterActionsProps {
  readonly cluster: { readonly name: string; readonly resourceId: string };
}

/** Buttons that request access to a cluster. */
export function ClusterActions({ cluster }: ClusterActionsProps) {
  const [dialog, setDialog] = useState<"ssh" | "kubeconfig">();
  const path = cluster.resourceId.toLowerCase();
  const close = () => setDialog(undefined);
  return (
    <div className="cluster-actions">
      <CopyButton label="Copy Resource ID" value={cluster.resourceId} />
      <Button
        component="a"
        href={`${path}/prometheus/`}
        target="_blank"
        rel="noreferrer"
        variant="plain"
        aria-label="Prometheus"
        title="Prometheus"
        icon={<ChartIcon />}
      />
      <Button
        variant="plain"
        aria-label="SSH"
        title="SSH"
        icon={<TerminalIcon />}
        onClick={() => setDialog("ssh")}
      />
      <Button
        variant="plain"
        aria-label="Download Kubeconfig"
        title="Download Kubeconfig"
        icon={<DownloadIcon />}
        onClick={() => setDialog("kubeconfig")}
      />
      <Suspense>
        {dialog === "ssh" && <SshDialog name={cluster.name} path={path} onClose={close} />}
        {dialog === "kubeconfig" && <KubeconfigDialog name={cluster.name} path={path} onClose={close} />}
      </Suspense>
    </div>
  );
}
