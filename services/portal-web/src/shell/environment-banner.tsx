import type { Info } from "@keelson/portal-api";
import { Label } from "@patternfly/react-core";

/** Label of the environment. If the configuration contains a URL, the label is a link. */
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
