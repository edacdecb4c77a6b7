import { codeSpans } from "./code-spans.ts";
import { runbooks } from "./runbooks.ts";

/** Runbook of a service alert, with its meaning and its remedy. */
export function Runbook({ name }: { readonly name: string }) {
  const runbook = runbooks.get(name);
  if (!runbook) return null;
  return (
    <div className="runbook detail">
      <p>
        <Text text={runbook.meaning} />
      </p>
      <ol>
        {runbook.actions.map((action) => (
          <li key={action}>
            <Text text={action} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Text({ text }: { readonly text: string }) {
  return codeSpans(text).map((span, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the spans of a text never change
    span.isCode ? <code key={at}>{span.text}</code> : <span key={at}>{span.text}</span>,
  );
}
