import { Checkbox } from "@patternfly/react-core";
import { useState } from "react";
import { areNotificationsEnabled, enableNotifications } from "./browser-notification.ts";

/** Checkbox for browser notifications about watched operations. */
export function NotificationSetting() {
  const [isEnabled, setEnabled] = useState(areNotificationsEnabled);
  const [isRefused, setRefused] = useState(false);
  const change = async (wanted: boolean) => {
    const next = await enableNotifications(wanted);
    setEnabled(next);
    setRefused(wanted && !next);
  };
  return (
    <>
      <Checkbox
        id="browser-notifications"
        label="Browser notifications"
        isChecked={isEnabled}
        onChange={(_, wanted) => void change(wanted)}
      />
      {isRefused && (
        <p role="status" className="faint">
          The browser does not permit notifications of this site.
        </p>
      )}
    </>
  );
}
