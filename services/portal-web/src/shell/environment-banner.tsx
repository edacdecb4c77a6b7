import type { Info } from "@keelson/portal-api";
import { Label } from "@patternfly/react-core";

/** Label of the environment. It is a link if the configuration contains a URL. */
export function EnvironmentBanner({
  banner: { text, link },
}: {
  readonly banner: NonNullable<Info["banner"]>;
}) {
  return (
    <span id="EnvironmentBanner" className="labels">
      <Label isCompact color="orange">
        {text}
      </Label>
      {link && (
        <a href={link.url} target="_blank" rel="noreferrer">
          {link.text}
        </a>
      )}
    </span>
  );
}
