import type { CloudErrorBody } from "@keelson/arm";
import { cutText } from "@keelson/base";

const maxWarnings = 20;
const maxMessage = 1_024;

/** Distinct warnings of one operation, including the warnings that earlier workers have stored. */
export class OperationWarnings {
  readonly #added: CloudErrorBody[] = [];

  add({ code, message, target }: CloudErrorBody): void {
    const warning = { code, message: cutText(message, maxMessage), ...(target ? { target } : {}) };
    if (this.#added.length < maxWarnings) this.#added.push(warning);
  }

  after(stored: readonly CloudErrorBody[] = []): readonly CloudErrorBody[] {
    const distinct = new Map([...stored, ...this.#added].map((each) => [JSON.stringify(each), each]));
    return [...distinct.values()].slice(0, maxWarnings);
  }
}
