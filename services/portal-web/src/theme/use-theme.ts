import { useEffect, useState } from "react";
import { isDark, parseTheme, type Theme } from "./theme.ts";

const key = "keelson-theme";
const systemDark = () => matchMedia("(prefers-color-scheme: dark)");

function show(theme: Theme): void {
  document.documentElement.classList.toggle("pf-v6-theme-dark", isDark(theme, systemDark().matches));
}

/** Shows the stored theme. Call it before the first rendering to avoid a flash of wrong colours. */
export const showStoredTheme = (): void => show(parseTheme(localStorage.getItem(key)));

/** Returns the selected theme and its setter. The browser stores the theme. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(() => parseTheme(localStorage.getItem(key)));
  useEffect(() => {
    localStorage.setItem(key, theme);
    show(theme);
    const system = systemDark();
    const follow = () => show(theme);
    system.addEventListener("change", follow);
    return () => system.removeEventListener("change", follow);
  }, [theme]);
  return [theme, setTheme];
}
