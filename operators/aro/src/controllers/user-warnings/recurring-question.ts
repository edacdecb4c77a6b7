/** Result of a query and its validity period. */
export interface Response<Value> {
  readonly value: Value;
  readonly goodForMs: number;
}

/** Caches the result of a query until the result expires or the subject changes. */
export class RecurringQuestion<Value> {
  #last: { readonly subject: string; readonly value: Value; readonly untilMs: number } | undefined;

  async result(
    subject: string,
    nowMs: number,
    ask: (before: Value | undefined) => Promise<Response<Value>>,
  ): Promise<{ readonly value: Value; readonly leftMs: number }> {
    const known = this.#last?.subject === subject ? this.#last : undefined;
    if (known && nowMs < known.untilMs) return { value: known.value, leftMs: known.untilMs - nowMs };
    const { value, goodForMs } = await ask(known?.value);
    this.#last = { subject, value, untilMs: nowMs + goodForMs };
    return { value, leftMs: goodForMs };
  }
}
