import type { NewActionRequest } from "@keelson/portal-api";
import { Button, TextInput } from "@patternfly/react-core";
import { type FormEvent, useState } from "react";
import { Labelled } from "../display/labelled.tsx";
import { ReasonInput, reasonOf } from "../display/reason-input.tsx";
import type { UpgradeStatus } from "./upgrade-status.ts";

interface UpgradeFormProps {
  readonly status: UpgradeStatus;
  readonly isDisabled: boolean;
  /** Called with the version for which the portal should run the checks. */
  readonly onCheck: (version: string) => void;
  readonly onUpgrade: (request: NewActionRequest) => void;
}

/** Form for an upgrade with version, channel and reason. */
export function UpgradeForm({ status, isDisabled, onCheck, onUpgrade }: UpgradeFormProps) {
  const { available, checked } = status;
  const [version, setVersion] = useState(checked);
  const [channel, setChannel] = useState(status.channel);
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onUpgrade({
      action: "POST upgrade",
      query: { version, ...(channel === status.channel ? {} : { channel }) },
      ...reasonOf(reason),
    });
  };
  return (
    <form className="toolbar" aria-label="Upgrade" onSubmit={submit}>
      <Labelled label="Version" htmlFor="upgrade-version">
        <TextInput
          id="upgrade-version"
          list="upgrade-versions"
          autoComplete="off"
          spellCheck={false}
          value={version}
          onChange={(_, value) => setVersion(value.trim())}
        />
      </Labelled>
      <datalist id="upgrade-versions">
        {available.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <Labelled label="Channel" htmlFor="upgrade-channel">
        <TextInput
          id="upgrade-channel"
          placeholder="stable-4.19"
          autoComplete="off"
          spellCheck={false}
          value={channel}
          onChange={(_, value) => setChannel(value.trim())}
        />
      </Labelled>
      <Labelled label="Reason" htmlFor="upgrade-reason">
        <ReasonInput id="upgrade-reason" value={reason} onChange={setReason} />
      </Labelled>
      <Button variant="secondary" isDisabled={version === ""} onClick={() => onCheck(version)}>
        Check
      </Button>
      <Button type="submit" isDisabled={isDisabled || version === ""}>
        Review
      </Button>
    </form>
  );
}
