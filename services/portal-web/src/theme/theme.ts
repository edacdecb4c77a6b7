export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

export const parseTheme = (stored: string | null): Theme =>
  themes.find((theme) => theme === stored) ?? "system";

export const isDark = (theme: Theme, systemIsDark: boolean): boolean =>
  theme === "system" ? systemIsDark : theme === "dark";
