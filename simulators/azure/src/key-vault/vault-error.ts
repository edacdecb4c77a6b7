import type { JsonObject } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";

/** Error in the format of Key Vault: `{"error":{"code","message","innererror"?:{"code"}}}`. */
export class VaultError extends ArmError {
  readonly #innerCode: string | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    more: { readonly innerCode?: string; readonly headers?: Record<string, string> } = {},
  ) {
    super(status, code, message, more.headers ? { headers: more.headers } : {});
    this.name = "VaultError";
    this.#innerCode = more.innerCode;
  }

  override body(): JsonObject {
    const { code, message } = this;
    const inner = this.#innerCode;
    return { error: { code, message, ...(inner === undefined ? {} : { innererror: { code: inner } }) } };
  }
}

export function badParameter(message: string): VaultError {
  return new VaultError(400, "BadParameter", message);
}
