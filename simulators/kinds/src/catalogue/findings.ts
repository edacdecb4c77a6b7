import { fieldError, maxCauses, type StatusCause } from "@keelson/apimachinery";
import { exactJson } from "@keelson/base";

type Segment = string | number;

/**
 * What is wrong with an object, and the place that is being checked. Each report may name a place below it. Paths are made
 * only for what is wrong, so that a good object costs next to nothing, and for no more than are shown.
 */
export class Findings {
  readonly causes: StatusCause[] = [];
  readonly #path: Segment[] = [];

  /** Whether there is more than is shown. */
  get full(): boolean {
    return this.causes.length > maxCauses;
  }

  enter(segment: Segment): void {
    this.#path.push(segment);
  }

  leave(): void {
    this.#path.pop();
  }

  required(why = "", ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.required(this.#place(below), why));
  }

  invalid(value: unknown, why: string, ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.invalid(this.#place(below), value, why));
  }

  /** Of a value that is not shown: it is wrong because of others. */
  invalidAltogether(why: string, ...below: readonly Segment[]): void {
    if (this.full) return;
    const message = `Invalid value: ${why}`;
    this.causes.push({ reason: "FieldValueInvalid", message, field: this.#place(below) });
  }

  notSupported(value: unknown, supported: readonly unknown[], ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.notSupported(this.#place(below), value, supported));
  }

  forbidden(why: string, ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.forbidden(this.#place(below), why));
  }

  duplicate(value: unknown, ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.duplicate(this.#place(below), value));
  }

  notFound(value: unknown, ...below: readonly Segment[]): void {
    if (this.full) return;
    const message = `Not found: ${exactJson(value)}`;
    this.causes.push({ reason: "FieldValueNotFound", message, field: this.#place(below) });
  }

  tooLong(limit: number, ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.tooLong(this.#place(below), limit));
  }

  tooMany(found: number, limit: number, ...below: readonly Segment[]): void {
    if (!this.full) this.causes.push(fieldError.tooMany(this.#place(below), found, limit));
  }

  #place(below: readonly Segment[]): string {
    let text = "";
    for (const segment of [...this.#path, ...below]) {
      if (typeof segment === "number") text += `[${segment}]`;
      else if (segment.startsWith("[")) text += segment;
      else text += text === "" ? segment : `.${segment}`;
    }
    return text;
  }
}
