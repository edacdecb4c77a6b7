import type { ClusterFaults } from "./fault-registry.ts";

/** Effect of a fault on an image import: a registry error, a delay, or both. */
export interface ImageFault {
  readonly delayMs: number;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Returns the effect of the first fault that matches an image import. `undefined` if no fault matches. */
export function imageFault(faults: ClusterFaults, image: string): ImageFault | undefined {
  const fault = faults.of("image-import").find(({ parameters }) => {
    const pattern = parameters.image;
    return pattern === undefined || matchesPattern(String(pattern), image);
  });
  if (!fault) return undefined;
  const { code, message, delayMs } = fault.parameters;
  const onlyDelays = delayMs !== undefined && code === undefined && message === undefined;
  return {
    delayMs: Number(delayMs ?? 0),
    ...(onlyDelays
      ? {}
      : { error: { code: Number(code ?? 401), message: String(message ?? "authentication required") } }),
  };
}

function matchesPattern(pattern: string, text: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(text);
}
