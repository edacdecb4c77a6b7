import { Button } from "@patternfly/react-core";
import { useQuery } from "@tanstack/react-query";
import type { LoggedBody } from "../../api/requests.ts";
import { TextView } from "../display/json-view.tsx";
import { QueryView } from "../display/query-view.tsx";
import { queries } from "../requests/queries.ts";

/** Shows the headers and bodies of a request and its response. */
export function RequestDetail({
  sequence,
  onClose,
}: {
  readonly sequence: number;
  readonly onClose: () => void;
}) {
  const request = useQuery(queries.request(sequence));
  return (
    <section className="panel detail" aria-label={`Request ${sequence}`}>
      <Button variant="link" isInline onClick={onClose}>
        Close request {sequence}
      </Button>
      <QueryView query={request} subject="the request">
        {({ method, path, host, requestHeaders, requestBody, responseHeaders, responseBody, status }) => (
          <>
            <p className="mono">
              {method} https://{host}
              {path}
            </p>
            <h2>Request</h2>
            <TextView label="Request headers" text={headerLines(requestHeaders)} />
            <Body label="Request body" body={requestBody} />
            <h2>Response {status ?? "(the connection closed)"}</h2>
            <TextView label="Response headers" text={headerLines(responseHeaders)} />
            <Body label="Response body" body={responseBody} />
          </>
        )}
      </QueryView>
    </section>
  );
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return lines.join("\n") || "no headers recorded";
}

function Body({ label, body }: { readonly label: string; readonly body: LoggedBody | undefined }) {
  if (body?.text === undefined) return <p>No JSON body.</p>;
  return (
    <>
      <TextView label={label} text={indented(body)} />
      {body.isCut && <p>The log has the first part of this body.</p>}
    </>
  );
}

/** Indents a JSON body. Returns other bodies unchanged, for example forms and truncated JSON. */
function indented({ text = "", isCut }: LoggedBody): string {
  if (isCut) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
