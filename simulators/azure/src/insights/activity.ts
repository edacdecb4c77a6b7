/** Activity log entry: a completed write, deletion or action. */
export interface Activity {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly scope: string;
  readonly method: string;
  readonly caller: string;
  readonly correlationId: string;
  readonly statusCode: number;
  /** Error code. */
  readonly code?: string;
  readonly message?: string;
  /** Details of an event that the resource provider reports. */
  readonly properties?: Readonly<Record<string, string>>;
}
