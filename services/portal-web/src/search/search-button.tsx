import { Button } from "@patternfly/react-core";
import SearchIcon from "@patternfly/react-icons/dist/esm/icons/search-icon";
import { lazy, Suspense, useEffect, useState } from "react";
import { opensSearch } from "./shortcut.ts";

const QuickSearch = lazy(() => import("./quick-search.tsx"));

/** Button that opens the quick search. Keyboard shortcuts open it too. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!opensSearch(event, isField(event.target)) || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  return (
    <>
      <Button
        id="SearchButton"
        variant="plain"
        aria-label="Search"
        aria-keyshortcuts="/ Control+K"
        title="Search (/ or Ctrl+K)"
        icon={<SearchIcon />}
        onClick={() => setOpen(true)}
      />
      <Suspense>{isOpen && <QuickSearch onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
