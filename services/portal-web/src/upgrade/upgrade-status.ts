/** Result of the admin action `GET upgrade`. */
export interface UpgradeStatus {
  readonly version: string;
  readonly desired: string;
  readonly channel: string;
  readonly progressing: boolean;
  readonly message: string;
  readonly available: readonly string[];
  readonly history: readonly {
    readonly version: string;
    readonly state: string;
    readonly startedAt: string;
    readonly completedAt: string;
  }[];
  readonly checked: string;
  readonly checks: readonly { readonly name: string; readonly passed: boolean; readonly message: string }[];
}

type Row = Readonly<Record<string, unknown>>;

/** Parses the JSON result of the action. Fields with unexpected types become empty. @throws Error if the string is not JSON */
export function parseUpgradeStatus(content: string): UpgradeStatus {
  const value = rowOf(JSON.parse(content));
  return {
    version: text(value.version),
    desired: text(value.desired),
    channel: text(value.channel),
    progressing: value.progressing === true,
    message: text(value.message),
    available: list(value.available).map(text),
    history: list(value.history)
      .map(rowOf)
      .map((each) => ({
        version: text(each.version),
        state: text(each.state),
        startedAt: text(each.startedAt),
        completedAt: text(each.completedAt),
      })),
    checked: text(value.checked),
    checks: list(value.checks)
      .map(rowOf)
      .map((each) => ({
        name: text(each.name),
        passed: each.passed === true,
        message: text(each.message),
      })),
  };
}

function rowOf(value: unknown): Row {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
