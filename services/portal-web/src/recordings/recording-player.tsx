import { Button } from "@patternfly/react-core";
import { useEffect, useRef, useState } from "react";
import { formatDuration } from "../display/time.ts";
import type { Cast } from "./cast.ts";
import { Screen } from "./screen.ts";

/** Maximum length of a pause during playback, in seconds. Longer pauses are shortened to this length. */
const longestPauseSeconds = 2;
/** Time in seconds. Events that follow each other within this time are shown together. */
const frameSeconds = 0.05;

/** Player of a recording. It first shows the complete output as text. During playback, it shows the screen as the user saw it. */
export function RecordingPlayer({ cast }: { readonly cast: Cast }) {
  const [at, setAt] = useState(cast.seconds);
  const [isPlaying, setPlaying] = useState(false);
  const lines = useLines(cast, at);
  const text = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a terminal shows its last line when lines are new
  useEffect(() => {
    if (text.current) text.current.scrollTop = text.current.scrollHeight;
  }, [lines]);
  useEffect(() => {
    if (!isPlaying) return;
    const next = cast.events.find(({ seconds }) => seconds > at);
    if (!next) {
      setPlaying(false);
      return;
    }
    const to = Math.max(next.seconds, Math.min(at + frameSeconds, cast.seconds));
    const timer = setTimeout(() => setAt(to), Math.min(to - at, longestPauseSeconds) * 1_000);
    return () => clearTimeout(timer);
  }, [cast, at, isPlaying]);
  const play = () => {
    if (!isPlaying && at >= cast.seconds) setAt(0);
    setPlaying(!isPlaying);
  };
  return (
    <>
      <div className="dialog-row">
        <Button variant="secondary" onClick={play}>
          {isPlaying ? "Pause" : "Play"}
        </Button>
        <input
          type="range"
          className="seek"
          aria-label="Time of the recording"
          aria-valuetext={formatDuration(at * 1_000)}
          min={0}
          max={cast.seconds}
          step="any"
          value={at}
          onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}
        />
        <span className="faint">
          {formatDuration(at * 1_000)} of {formatDuration(cast.seconds * 1_000)}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
      <section ref={text} className="terminal" aria-label="What the terminal showed" tabIndex={0}>
        <pre>{lines.join("\n")}</pre>
      </section>
    </>
  );
}

function useLines(cast: Cast, at: number): readonly string[] {
  const [lines, setLines] = useState<readonly string[]>([]);
  const screen = useRef<Screen>(undefined);
  useEffect(() => {
    const opened = new Screen(cast);
    screen.current = opened;
    return () => opened.dispose();
  }, [cast]);
  useEffect(() => {
    let isShown = true;
    void screen.current?.linesAt(at).then((read) => isShown && setLines(read));
    return () => {
      isShown = false;
    };
  }, [at]);
  return lines;
}
