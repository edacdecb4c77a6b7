import type { SshAccess } from "@keelson/portal-api";
import { Alert, Button, FormSelect, FormSelectOption } from "@patternfly/react-core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "../api/queries.ts";
import { readJson } from "../api/request.ts";
import { CopyField } from "../display/copy-field.tsx";
import { Dialog } from "../display/dialog.tsx";
import { ElevationHint } from "../display/elevation-hint.tsx";
import { Failure } from "../display/query-view.tsx";

interface SshDialogProps {
  readonly name: string;
  /** `{R}` */
  readonly path: string;
  readonly onClose: () => void;
}

const masters = [0, 1, 2];

/** Dialog that requests an SSH command and its password for a control plane node. */
export default function SshDialog({ name, path, onClose }: SshDialogProps) {
  const { data: info } = useQuery(queries.info);
  const [master, setMaster] = useState(0);
  const access = useMutation({
    mutationFn: () =>
      readJson<SshAccess>(`${path}/ssh/new`, {
        method: "POST",
        body: { master },
        csrf: info?.csrf,
      }),
  });
  const { command, password, error } = access.data ?? {};
  return (
    <Dialog id="sshModal" title={`SSH to ${name}`} onClose={onClose}>
      <p>
        The password is valid for one connection within a minute. The command stores the portal&apos;s host
        key in a file of the current directory. The portal records the terminal.
      </p>
      <div className="dialog-row">
        <FormSelect
          id="sshDropdown"
          aria-label="Machine"
          value={master}
          onChange={(_, value) => setMaster(Number(value))}
        >
          {masters.map((each) => (
            <FormSelectOption
              key={each}
              id={`sshDropdown-list${each}`}
              value={each}
              label={`master-${each}`}
            />
          ))}
        </FormSelect>
        <Button
          id="sshButton"
          isDisabled={!info}
          isLoading={access.isPending}
          onClick={() => access.mutate()}
        >
          Request
        </Button>
      </div>
      {access.error && (
        <Failure error={access.error} title="Cannot get SSH access" retry={() => access.mutate()} />
      )}
      {error && (
        <Alert isInline isLiveRegion component="p" variant="warning" title={error}>
          <ElevationHint />
        </Alert>
      )}
      {command && password && (
        <div id="sshCommand" className="dialog-fields">
          <CopyField label="Command" value={command} />
          <CopyField label="Password" type="password" value={password} />
        </div>
      )}
    </Dialog>
  );
}
