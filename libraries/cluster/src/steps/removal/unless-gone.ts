import { isNotFound } from "@keelson/azure";

/** Runs what reads or removes something; what is gone already is fine, and gives `undefined`. */
export async function unlessGone<T>(action: () => PromiseLike<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
