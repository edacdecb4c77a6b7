import { failures, fieldError, type StatusCause } from "@keelson/apimachinery";
import type { LogOptions } from "../../cluster/kubelet.ts";

export interface LogQuery extends Omit<LogOptions, "container"> {
  readonly container: string;
  readonly limitBytes: number | undefined;
}

/** Parses the parameters of `pods/{name}/log` (core/v1 PodLogOptions). @throws StatusError 400, 422 */
export function parseLogQuery(query: URLSearchParams, pod: string, now: Date): LogQuery {
  const number = (name: string): number | undefined => {
    const text = query.get(name);
    if (text === null || text === "") return undefined;
    if (!/^[+-]?\d{1,18}$/.test(text)) {
      throw failures.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
    }
    return Number(text);
  };
  const flag = (name: string): boolean => {
    const text = (query.get(name) ?? "false").toLowerCase();
    return query.has(name) && text !== "false" && text !== "0";
  };
  const tailLines = number("tailLines");
  const limitBytes = number("limitBytes");
  const sinceSeconds = number("sinceSeconds");
  const sinceTime = query.get("sinceTime") || undefined;
  const since = sinceTime === undefined ? undefined : new Date(sinceTime);
  if (since && Number.isNaN(since.getTime())) {
    throw failures.badRequest(
      `parsing time ${JSON.stringify(sinceTime)} as "2006-01-02T15:04:05Z07:00" failed`,
    );
  }
  const stream = query.get("stream") || "All";
  const causes: StatusCause[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    causes.push(fieldError.invalid("tailLines", tailLines, "must be greater than or equal to 0"));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    causes.push(fieldError.invalid("limitBytes", limitBytes, "must be greater than 0"));
  }
  if (sinceSeconds !== undefined && since) {
    causes.push(fieldError.forbidden("", "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    causes.push(fieldError.invalid("sinceSeconds", sinceSeconds, "must be greater than 0"));
  }
  if (!["All", "Stdout", "Stderr"].includes(stream)) {
    causes.push(fieldError.notSupported("stream", stream, ["All", "Stdout", "Stderr"]));
  } else if (stream !== "All" && tailLines !== undefined) {
    causes.push(fieldError.forbidden("", "`tailLines` and specific `stream` are mutually exclusive for now"));
  }
  if (causes.length > 0) throw failures.invalid({ group: "", kind: "PodLogOptions" }, pod, causes);
  return {
    container: query.get("container") ?? "",
    follow: flag("follow"),
    previous: flag("previous"),
    timestamps: flag("timestamps"),
    tailLines,
    limitBytes,
    since: sinceSeconds === undefined ? since : new Date(now.getTime() - sinceSeconds * 1_000),
    stream: stream === "Stdout" ? "stdout" : stream === "Stderr" ? "stderr" : undefined,
  };
}
