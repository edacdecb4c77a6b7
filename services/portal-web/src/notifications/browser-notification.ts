import type { Notice } from "./operation-watch.ts";

const key = "keelson-browser-notifications";
const isSupported = () => "Notification" in globalThis;

/** True if the person has enabled browser notifications and the browser permits them. */
export function areNotificationsEnabled(): boolean {
  return isSupported() && Notification.permission === "granted" && localStorage.getItem(key) === "on";
}

/**
 * Enables or disables browser notifications. Resolves to the new state. To enable them, the browser asks the person for
 * permission.
 */
export async function enableNotifications(isEnabled: boolean): Promise<boolean> {
  const isGranted = isEnabled && isSupported() && (await Notification.requestPermission()) === "granted";
  localStorage.setItem(key, isGranted ? "on" : "off");
  return isGranted;
}

/**
 * Shows a browser notification if the person has enabled browser notifications. A click on the notification opens the portal's
 * tab.
 */
export function showNotification({ id, title }: Notice): void {
  if (!areNotificationsEnabled()) return;
  try {
    const notification = new Notification(title, { tag: id });
    notification.onclick = () => {
      globalThis.focus();
      notification.close();
    };
  } catch {
    // Some mobile browsers throw here. They define the class, but permit notifications only in service workers.
  }
}
