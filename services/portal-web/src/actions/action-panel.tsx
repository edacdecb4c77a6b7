import type { ActionForm, ActionOutcome, ActionRequestView } from "@keelson/portal-api";
import { Alert, Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { apiPath, type ClusterRef, resourcePath } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";
import { CopyField } from "../display/copy-field.tsx";
import { ElevationHint } from "../display/elevation-hint.tsx";
import { Failure } from "../display/query-view.tsx";
import { ReasonInput, reasonOf } from "../display/reason-input.tsx";
import { ActionField } from "./action-field.tsx";
import { curlCommand, tokenCommand } from "./curl-command.ts";
import { type FormValues, fieldsOf, inputOf, problemOf } from "./form-values.ts";
import { OutcomeView } from "./outcome-view.tsx";
import { usePost } from "./use-post.ts";

interface ActionPanelProps {
  readonly cluster: ClusterRef;
  readonly form: ActionForm;
  readonly adminApi: string | undefined;
  /** OAuth scope of access tokens for the admin API. */
  readonly adminScope: string | undefined;
  readonly isDisabled: boolean;
  /** Called with a new request, which then waits for confirmation or approval. */
  readonly onPrepared: (request: ActionRequestView) => void;
}

/** Form for one action. */
export function ActionPanel({
  cluster,
  form,
  adminApi,
  adminScope,
  isDisabled,
  onPrepared,
}: ActionPanelProps) {
  const { action, remarks, changes, allowed, role, needsReason, needsApproval } = form;
  const fields = fieldsOf(form);
  const [values, setValues] = useState<FormValues>(() =>
    Object.fromEntries(fields.map(({ name, byDefault }) => [name, byDefault])),
  );
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string>();
  const [outcome, setOutcome] = useState<ActionOutcome>();
  const { data: inside } = useQuery({
    ...queries.nodes(cluster),
    enabled: fields.some(({ name }) => name === "vmName"),
    retry: false,
  });
  const { data: detail } = useQuery(queries.cluster(cluster));
  const machines = inside?.nodes.map(({ name }) => name) ?? [];
  const read = usePost<ActionOutcome>(setOutcome);
  const prepare = usePost<ActionRequestView>(onPrepared);
  const isPending = read.isPending || prepare.isPending;
  const error = read.error ?? prepare.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const missing = needsReason && reason.trim() === "" ? "A reason is required." : problemOf(form, values);
    setProblem(missing);
    setOutcome(undefined);
    read.reset();
    prepare.reset();
    if (missing !== undefined) return;
    const input = inputOf(form, values);
    if (!changes)
      return read.mutate({ path: `${apiPath(cluster)}/admin-reads`, body: { action, query: input.query } });
    const body = { action, ...input, ...reasonOf(reason) };
    prepare.mutate({ path: `${apiPath(cluster)}/action-requests`, body });
  };
  return (
    <form className="action-form" aria-label={action} noValidate onSubmit={submit}>
      {remarks !== "" && <p className="faint">{remarks.replaceAll("`", "")}</p>}
      {!allowed && (
        <Alert isInline component="p" variant="info" title={`This action needs the role ${role}`}>
          {role === "elevated" && <ElevationHint />}
        </Alert>
      )}
      {fields.map((field) => (
        <ActionField
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          suggestions={field.name === "vmName" ? machines : []}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
      {changes && (
        <div>
          <label htmlFor="action-reason">Reason{needsReason && <span aria-hidden="true"> *</span>}</label>
          <ReasonInput id="action-reason" isRequired={needsReason} value={reason} onChange={setReason} />
        </div>
      )}
      {problem !== undefined && (
        <Alert isInline isLiveRegion component="p" variant="danger" title={problem} />
      )}
      <div className="dialog-row">
        <Button type="submit" isDisabled={isDisabled || !allowed || isPending} isLoading={isPending}>
          {buttonText(changes, needsApproval)}
        </Button>
      </div>
      {adminApi !== undefined && problemOf(form, values) === undefined && (
        <div>
          <CopyField
            label="As curl"
            value={curlCommand(
              adminApi,
              detail?.resourceId ?? resourcePath(cluster),
              form,
              inputOf(form, values),
              reason.trim(),
            )}
          />
          {adminScope !== undefined && <CopyField label="Token for curl" value={tokenCommand(adminScope)} />}
        </div>
      )}
      {error && (
        <Failure
          error={error}
          title={changes ? "Cannot prepare the action" : "Cannot run the action"}
          retry={() => (changes ? prepare : read).reset()}
        />
      )}
      {outcome && <OutcomeView name={action} outcome={outcome} />}
    </form>
  );
}

function buttonText(changes: boolean, needsApproval: boolean): string {
  if (!changes) return "Run";
  return needsApproval ? "Request approval" : "Review";
}
