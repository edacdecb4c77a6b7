import { shellWord } from "../output/shell-word.ts";
import { type ComponentStatus, describeState, readRunStatus, runStateOf } from "../state/component-status.ts";
import { type Finding, failed, ok, warning } from "./finding.ts";

/**
 * Checks the components of the last `keelson up` in a state directory. `holder` is the ID of the process that uses the directory.
 */
export function checkComponents(directory: string, holder: number | undefined): readonly Finding[] {
  const run = readRunStatus(directory);
  if (run === undefined) return [];
  const state = shellWord(directory);
  switch (runStateOf(run, holder)) {
    case "running":
      return run.components.map((each) => checkComponent(each, state));
    case "stopped":
      return [ok("components", `the last run stopped at ${run.stopped}`)];
    case "crashed":
      return [
        warning(
          "components",
          `the last run (process ${run.process}, started ${run.started}) exited without stopping: it crashed or was killed`,
          `read ${directory}/keelson.log, then resume with "keelson up --state ${state}"`,
          `keelson up --state ${state}`,
        ),
      ];
    case undefined:
      return [];
  }
}

function checkComponent(status: ComponentStatus, state: string): Finding {
  const { component, restarts, log, notRespondingSince } = status;
  const check = `component ${component}`;
  const summary = describeState(status);
  const read = `tail -n 100 ${shellWord(log)}`;
  if (notRespondingSince !== undefined)
    return warning(
      check,
      summary,
      `it may be suspended (SIGSTOP) or the machine overloaded: see ${log}`,
      read,
    );
  if (status.state === "down")
    return failed(
      check,
      summary,
      `read ${log}, then run "keelson down --state ${state}" and "keelson up --state ${state}"`,
      read,
    );
  if (status.state !== "serving") return warning(check, summary, `wait, or read ${log}`, read);
  if (restarts > 0) {
    const times = restarts === 1 ? "once" : `${restarts} times`;
    return warning(check, `${summary}, restarted ${times}`, `read ${log} for the reason`, read);
  }
  return ok(check, summary);
}
