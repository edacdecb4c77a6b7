/** Entry of the activity log: the end of a write, a deletion or an action. */
export interface Activity {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly scope: string;
  readonly method: string;
  readonly caller: string;
  readonly correlationId: string;
  readonly statusCode: number;
  /** Code of the error. */
  readonly code?: string;
  readonly message?: string;
  /** Details of an event that the resource provider reports. */
  readonly properties?: Readonly<Record<string, string>>;
}
