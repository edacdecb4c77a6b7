import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useDeferredValue, useId, useState } from "react";
import { useLocation } from "wouter";
import { queries } from "../api/queries.ts";
import { Dialog } from "../display/dialog.tsx";
import { findTargets } from "./targets.ts";

/** Dialog that finds clusters and pages by a few letters and opens the selected one. */
export default function QuickSearch({ onClose }: { readonly onClose: () => void }) {
  const { data: clusters = [] } = useQuery(queries.clusters);
  const [path, navigate] = useLocation();
  const [query, setQuery] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const shownQuery = useDeferredValue(query);
  const targets = findTargets(shownQuery, clusters, path);
  const at = Math.min(chosen, targets.length - 1);
  const open = (to: string | undefined) => {
    if (to === undefined) return;
    onClose();
    navigate(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move !== undefined && targets.length > 0) {
      event.preventDefault();
      setChosen((at + move + targets.length) % targets.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      // The targets are computed again, because the displayed list may not yet match the last typed letters.
      open(findTargets(query, clusters, path)[query === shownQuery ? at : 0]?.path);
    }
  };
  return (
    <Dialog id="quickSearch" title="Go to a cluster or page" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        className="quick-search-field"
        // The input field gets the focus, because a person opens the dialog in order to type.
        autoFocus
        autoComplete="off"
        spellCheck={false}
        aria-label="Cluster or page"
        aria-expanded={targets.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={targets[at] ? `${id}-${at}` : undefined}
        placeholder="Name of a cluster or page, for example: demo nodes"
        value={query}
        onChange={({ target }) => {
          setQuery(target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div role="listbox" id={id} aria-label="Clusters and pages" className="quick-search-list">
        {targets.map(({ title, detail, path: to }, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keyboard
          <div
            key={to}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === at}
            tabIndex={-1}
            onClick={() => open(to)}
          >
            <span>{title}</span> <span className="faint">{detail}</span>
          </div>
        ))}
      </div>
      <p role="status" className="faint">
        {targets.length === 0 ? "No cluster and no page has these letters." : ""}
      </p>
    </Dialog>
  );
}
