import type { Info } from "@keelson/portal-api";
import { Button, ToggleGroup, ToggleGroupItem } from "@patternfly/react-core";
import DesktopIcon from "@patternfly/react-icons/dist/esm/icons/desktop-icon";
import MoonIcon from "@patternfly/react-icons/dist/esm/icons/moon-icon";
import SunIcon from "@patternfly/react-icons/dist/esm/icons/sun-icon";
import { Link } from "wouter";
import { send } from "../api/request.ts";
import { TimeText } from "../display/time-text.tsx";
import { sessionsPath } from "../navigation/sessions-path.ts";
import { NotificationSetting } from "../notifications/notification-setting.tsx";
import { themes } from "../theme/theme.ts";
import { useTheme } from "../theme/use-theme.ts";

const icons = { system: DesktopIcon, light: SunIcon, dark: MoonIcon };
const roles = {
  reader: "may read",
  operator: "may read and operate",
  elevated: "may do everything (elevated)",
};

interface UserPanelProps {
  readonly info: Info;
  readonly onSignedOut: () => void;
}

/** Panel with the signed-in person, the expiry of the sign-in, the colour theme and the sign-out button. */
export function UserPanel({ info, onSignedOut }: UserPanelProps) {
  const [theme, setTheme] = useTheme();
  const signOutEverywhere = async () => {
    await send("/api/sign-outs", { method: "POST", body: {}, csrf: info.csrf });
    onSignedOut();
  };
  const signOut = async () => {
    // The response is a redirect, possibly to a different host, so it is not followed.
    await fetch("/api/logout", {
      method: "POST",
      redirect: "manual",
      headers: { "x-csrf-token": info.csrf },
    });
    onSignedOut();
  };
  return (
    <section id="UserPanel" className="panel" popover="auto" aria-label="User">
      <p>
        <strong>{info.username}</strong>
        <br />
        {roles[info.role]}
        {info.elevatedUntil !== undefined && (
          <>
            {" "}
            until <TimeText at={info.elevatedUntil} />
          </>
        )}
        <br />
        signed in until <TimeText at={info.expires} />
      </p>
      <ToggleGroup aria-label="Colours">
        {themes.map((each) => {
          const Icon = icons[each];
          return (
            <ToggleGroupItem
              key={each}
              buttonId={`theme-${each}`}
              text={each}
              icon={<Icon />}
              isSelected={theme === each}
              onChange={() => setTheme(each)}
            />
          );
        })}
      </ToggleGroup>
      <NotificationSetting />
      <p>
        <Link
          href={sessionsPath}
          onClick={({ currentTarget }) => currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()}
        >
          My sessions
        </Link>
      </p>
      <p className="faint">Keelson {info.rpVersion}</p>
      <Button variant="secondary" isBlock onClick={() => void signOut()}>
        Sign out
      </Button>
      <Button variant="link" isBlock onClick={() => void signOutEverywhere()}>
        End all my sign-ins
      </Button>
    </section>
  );
}
